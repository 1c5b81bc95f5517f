"""`segue prior`: describe a learned prior, and train one on your own clips."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from segue.cli.console import command_group, progress_bar, say
from segue.errors import ArgumentError, printable
from segue.library.library import Library
from segue.prior.examples import Examples
from segue.prior.learned import LearnedPrior, shipped_path
from segue.prior.tables import CONTEXT, figure_tables
from segue.prior.weights import read_prior

prior_commands = command_group(
    "prior", "The network that predicts steps in gaps: describe it, or train one on your own clips."
)

_INTERRUPTED = 130  # exit code of a command that was ended by Ctrl-C
_SHIPPED = "shipped"
_FRAMES = {"cpu": 3_000, "cuda": 70_000}
_RATES = {"new": 1e-3, "tuned": 2e-4}


@prior_commands.command()
def info(
    path: Annotated[
        str, typer.Argument(metavar="[PRIOR]", help="A prior's file, or 'shipped' for the prior that Segue uses.")
    ] = _SHIPPED,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Describe a prior: size, training set, and errors on persons left out of training.

    Example: segue prior info
    """
    file = shipped_path() if path == _SHIPPED else Path(path)
    about = dict(LearnedPrior.read(file).about)
    if as_json:
        say(json.dumps(about, indent=2))
        return
    say(f"{printable(path)}: {file.stat().st_size / 1e6:.1f} MB")
    _describe(about)


@prior_commands.command(no_args_is_help=True)
def train(
    library: Annotated[Path, typer.Option("--library", metavar="LIB", help="The library to train on.")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="PRIOR", help="The prior's file.")],
    start: Annotated[
        str | None, typer.Option("--from", metavar="PRIOR", help="Fine-tune this prior; 'shipped' is Segue's own.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Steps of the optimiser.")] = 2000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of all random numbers.")] = 0,
    width: Annotated[int, typer.Option("--width", help="Width of a new network, a multiple of 64.")] = 320,
    layers: Annotated[int, typer.Option("--layers", min=1, max=64, help="Layers of a new network.")] = 6,
) -> None:
    """Train a prior on the clips of a library, from scratch or from another prior. Needs PyTorch.

    A twelfth of the motion, whole persons if possible, is left out to measure errors. After Ctrl-C the same command
    continues from a checkpoint. The same seed on the same machine gives the same prior.

    Example: segue prior train --library clips.lib --from shipped -o my.prior
    """
    if find_spec("torch") is None:
        raise ArgumentError("training needs PyTorch: install it with pip install 'segue[train]'")
    import torch

    from segue.prior.training.loop import Plan
    from segue.prior.training.session import checkpoint_of, train_prior

    if width < 64 or width % 64:
        raise ArgumentError(f"the width is {width}: a multiple of 64 is needed")
    examples = Examples.of_clips(Library(library))
    if not len(examples):
        raise ArgumentError(f"{library} has no clip of {(2 * CONTEXT + 12) / 30:.1f} s or more to train on")
    given = None if start is None else read_prior(shipped_path() if start == _SHIPPED else start)
    if given is not None:
        width, layers = int(given.about["width"]), int(given.about["layers"])
    plan = Plan(
        steps,
        width=width,
        layers=layers,
        inner=3 * width,
        frames=_FRAMES["cuda" if torch.cuda.is_available() else "cpu"],
        rate=_RATES["new" if given is None else "tuned"],
        seed=seed,
    )
    try:
        with progress_bar(f"Training on {examples.minutes:.1f} minutes") as advance:
            about = train_prior(examples, figure_tables(), plan, out, start=given, progress=advance)
    except KeyboardInterrupt:
        say(f"stopped: the same command continues from {printable(str(checkpoint_of(out)))}")
        raise typer.Exit(_INTERRUPTED) from None
    say(f"{printable(str(out))}: {out.stat().st_size / 1e6:.1f} MB")
    _describe(about)


def _describe(about: dict[str, Any]) -> None:
    """Print what is known about a prior."""
    say(f"network            {about.get('layers')} layers of width {about.get('width')}, {about.get('steps')} steps")
    say(f"trained on         {about.get('minutes_of_motion')} minutes in {about.get('sections')} sections")
    say(f"left out           {len(about.get('left_out', []))} clips, on which these figures were measured")
    say("gap/after  error as a part of the cubic path's  mean error in legs (estimated)  F1 of contacts")
    for gap, row in about.get("measures", {}).items():
        say(f"{gap:>9}  {row['path']:>36.3f}  {row['error']:>18.4f} ({row['estimate']:.4f})  {row['f1']:>20.3f}")
