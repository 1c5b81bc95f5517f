"""Train the prior that ships with Segue, on a machine that has PyTorch and NumPy and nothing else.

usage: train.py EXAMPLES.npz FOLDER [--steps 10000] [--from WEIGHTS.prior ...] [--minutes 9]

EXAMPLES.npz comes from pack.py. Writes shipped.prior (8 bits a weight) and full.prior (16 bits) to the folder, and a
checkpoint once a minute. If the minutes are over before the last step, the same command continues from the checkpoint.
"""

from __future__ import annotations

import argparse
import sys
import time
import types
from pathlib import Path

import numpy as np
import torch

SOURCE = Path(__file__).parents[1] / "src" / "segue"
for name in ("segue", "segue.prior"):  # without their own imports, which need Numba and more
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [str(SOURCE.joinpath(*name.split(".")[1:]))]

from packed import read_examples  # noqa: E402

from segue.prior.training.figure import TorchFigure  # noqa: E402
from segue.prior.training.loop import Plan, Trainer  # noqa: E402
from segue.prior.training.session import checkpoint_of, write_trained  # noqa: E402
from segue.prior.weights import read_prior, write_prior  # noqa: E402

_SHOWN, _SAVED = 500, 1500  # steps between lines of progress, and between checkpoints
_UNFINISHED = 3  # exit code if the minutes were over before the last step


def main() -> int:
    """Train from the start or from the checkpoint; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("examples", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--from", dest="start", type=Path, nargs="+", help="weights to begin with, or their mean")
    parser.add_argument("--minutes", type=float, help="stop after this time with a checkpoint")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--ways", type=float, default=0.3, help="part of the steps that trains variants")
    parser.add_argument("--placing", type=float, default=0.1, help="part of the steps that trains places after gaps")
    parser.add_argument(
        "--paired", type=float, default=0.0, help="part of the steps that trains mirror images as pairs"
    )
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--frames", type=int, default=70_000)
    parser.add_argument("--compile", action="store_true", help="compile the forward kinematics, faster on a GPU")
    chosen = parser.parse_args()
    began = time.monotonic()
    torch.set_float32_matmul_precision("high")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if chosen.compile:
        torch._dynamo.config.suppress_errors = True  # it is slower without, not wrong
        torch._dynamo.config.recompile_limit = 64
        TorchFigure.positions = torch.compile(TorchFigure.positions, dynamic=True)
    examples, tables = read_examples(chosen.examples)
    plan = Plan(
        chosen.steps,
        width=chosen.width,
        layers=chosen.layers,
        inner=3 * chosen.width,
        rate=chosen.rate,
        dropout=chosen.dropout,
        frames=chosen.frames,
        seed=chosen.seed,
        ways=chosen.ways,
        placing=chosen.placing,
        paired=chosen.paired,
    )
    made = Trainer(examples, tables, plan, device)
    starts = [read_prior(each) for each in chosen.start or ()]
    start = max(starts, key=lambda each: int(each.about.get("steps", 0)), default=None)
    if start is not None:
        made.start_from({name: np.mean([each.arrays[name] for each in starts], axis=0) for name in start.arrays})
    checkpoint = checkpoint_of(chosen.folder / "shipped.prior")
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if checkpoint.exists() and not made.resume(checkpoint):
        parser.error(f"{checkpoint} is of a training with other settings: use those, or delete it")
    count = sum(each.numel() for each in made.network.parameters())
    print(f"{count / 1e6:.2f} million weights, on {device}, from step {made.step}", flush=True)
    while made.step < plan.steps:
        loss = made.descend()
        minutes = (time.monotonic() - began) / 60.0
        over = chosen.minutes is not None and minutes > chosen.minutes
        if made.step % _SHOWN == 0 or over:
            print(f"step {made.step}, {minutes:.1f} min, loss {loss.item():.4f}", flush=True)
        if made.step % _SAVED == 0 or over:
            made.save(checkpoint)
        if over:
            break
    about = write_trained(made, examples, chosen.folder / "shipped.prior", start)
    seen = read_prior(chosen.folder / "shipped.prior").arrays
    write_prior(chosen.folder / "full.prior", {**seen, **made.arrays}, about, small=False)
    for gap, row in about["measures"].items():
        print(gap, " ".join(f"{name} {value:.3f}" for name, value in row.items()), flush=True)
    return 0 if made.step == plan.steps else _UNFINISHED


if __name__ == "__main__":
    sys.exit(main())
