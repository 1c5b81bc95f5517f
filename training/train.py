"""Train the prior that ships with Segue, on a machine that has PyTorch and NumPy and nothing else.

usage: train.py EXAMPLES.npz FOLDER --minutes 9 [--from WEIGHTS.prior]

EXAMPLES.npz comes from pack.py. Writes shipped.prior (8 bits a weight) and full.prior (16 bits), eight times.
"""

from __future__ import annotations

import argparse
import sys
import time
import types
from pathlib import Path

import torch

SOURCE = Path(__file__).parents[1] / "src" / "segue"
for name in ("segue", "segue.prior"):  # without their own imports, which need Numba and more
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [str(SOURCE.joinpath(*name.split(".")[1:]))]

from packed import read_examples  # noqa: E402

from segue.prior.training.figure import TorchFigure  # noqa: E402
from segue.prior.training.loop import Plan, Trainer  # noqa: E402
from segue.prior.training.session import write_trained  # noqa: E402
from segue.prior.weights import read_prior  # noqa: E402

_TRIED = 150  # steps by which the speed is measured


def main() -> None:
    """Train for some minutes: the number of steps follows from the speed of the first ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("examples", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--steps", type=int, help="instead of minutes")
    parser.add_argument("--from", dest="start", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--frames", type=int, default=70_000)
    parser.add_argument("--compile", action="store_true", help="compile the forward kinematics, faster on a GPU")
    parser.add_argument("--speed", action="store_true", help="measure the speed alone")
    chosen = parser.parse_args()
    began = time.monotonic()
    torch.set_float32_matmul_precision("high")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if chosen.compile:
        torch._dynamo.config.suppress_errors = True  # it is slower without, not wrong
        torch._dynamo.config.recompile_limit = 64
        TorchFigure.positions = torch.compile(TorchFigure.positions, dynamic=True)
    examples, tables = read_examples(chosen.examples)
    start = read_prior(chosen.start) if chosen.start else None

    def trainer(steps: int) -> Trainer:
        plan = Plan(
            steps,
            width=chosen.width,
            layers=chosen.layers,
            inner=3 * chosen.width,
            rate=chosen.rate,
            dropout=chosen.dropout,
            frames=chosen.frames,
            seed=chosen.seed,
        )
        made = Trainer(examples, tables, plan, device)
        if start is not None:
            made.start_from(start.arrays)
        return made

    steps = chosen.steps
    if steps is None:
        trial = trainer(10**6)
        for _ in range(40):  # every length of gaps once or more
            trial.descend()
        _wait()
        since = time.monotonic()
        for _ in range(_TRIED):
            trial.descend()
        _wait()
        speed = _TRIED / (time.monotonic() - since)
        left = 60.0 * chosen.minutes - (time.monotonic() - began) - 25.0
        steps = int(0.97 * speed * left)
        print(f"{speed:.1f} steps a second: {steps} steps", flush=True)
        del trial
        if chosen.speed:
            return
    made = trainer(steps)
    count = sum(each.numel() for each in made.network.parameters())
    print(f"{count / 1e6:.2f} million weights, on {device}", flush=True)
    every = max(1, steps // 8)

    def progress(step: int, loss: torch.Tensor) -> None:
        if step % every == 0 or step == steps:
            for word, small in (("shipped", True), ("full", False)):
                about = write_trained(made, examples, chosen.folder / f"{word}.prior", start, small=small)
            ratios = " ".join(f"{gap}: {row['path']:.3f}" for gap, row in about["measures"].items())
            print(f"step {step} {(time.monotonic() - began) / 60:.1f} min {loss.item():.4f} | {ratios}", flush=True)

    made.run(progress)


def _wait() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
