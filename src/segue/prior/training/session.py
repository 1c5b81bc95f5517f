"""A training session: from examples to the file of a prior, with a checkpoint beside it until it is finished."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from segue.errors import ArgumentError
from segue.filesystem import writable_target
from segue.prior.examples import Examples
from segue.prior.tables import Tables
from segue.prior.training.loop import Plan, Trainer
from segue.prior.training.validation import familiarity, validate
from segue.prior.weights import PriorFile, write_prior

_SAVED = 60.0  # s between checkpoints
_MEASURED = 70  # frames of a batch for each window that is measured


def checkpoint_of(path: Path) -> Path:
    """Return where the checkpoint of an unfinished prior stands."""
    return path.with_name(path.name + ".checkpoint")


def train_prior(
    examples: Examples,
    tables: Tables,
    plan: Plan,
    path: Path,
    *,
    start: PriorFile | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Train a network, write it to `path`, and return what is known about it.

    start: a prior to go on from. progress: called with the number of the step and of all steps. Ctrl-C leaves a
    checkpoint, from which the same call goes on.
    """
    writable_target(path)
    trainer = Trainer(examples, tables, plan, "cuda" if torch.cuda.is_available() else "cpu")
    if start is not None:
        trainer.start_from(start.arrays)
    checkpoint, saved = checkpoint_of(path), time.monotonic()
    if checkpoint.exists() and not trainer.resume(checkpoint):
        raise ArgumentError(f"{checkpoint} is of a training with other settings: use those, or delete it")
    try:
        while trainer.step < plan.steps:
            trainer.descend()
            if progress is not None:
                progress(trainer.step, plan.steps)
            if time.monotonic() - saved > _SAVED:
                trainer.save(checkpoint)
                saved = time.monotonic()
    except KeyboardInterrupt:
        trainer.save(checkpoint)
        raise
    about = write_trained(trainer, examples, path, start)
    with contextlib.suppress(FileNotFoundError):
        checkpoint.unlink()
    return about


def write_trained(
    trainer: Trainer, examples: Examples, path: Path, start: PriorFile | None = None, *, small: bool = True
) -> dict[str, Any]:
    """Measure a network on what is left out, write it, and return what is known about it."""
    network, plan = trainer.averaged(), trainer.plan
    count = max(1, plan.frames // _MEASURED)
    about = {
        "width": plan.width,
        "layers": plan.layers,
        "inner": plan.inner,
        "steps": trainer.step + (int(start.about.get("steps", 0)) if start else 0),
        "seed": plan.seed,
        "minutes_of_motion": round(examples.minutes, 1),
        "sections": len(examples.names),
        "left_out": sorted({examples.names[k] for k in examples.left_out()}),
        "measures": validate(network, trainer.figure, trainer.left_out, count),
    }
    seen = familiarity(network, trainer.figure, trainer.windows, trainer.left_out, count)
    write_prior(path, trainer.arrays | seen, about, small=small)
    return about
