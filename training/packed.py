"""Examples in a small file, with the tables of the figure: 16-bit differences from frame to frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from segue.prior.examples import Examples
from segue.prior.tables import Tables
from segue.typing import Array

_ROOT, _TURN, _ANGLE = 2000.0, 32767.0, 1e4
"""Units a leg, a unit of a quaternion, and a radian."""
_DIFFERENCES = ("root", "turns", "hinges")


def write_examples(path: Path, examples: Examples, tables: Tables) -> None:
    """Write examples; a quaternion keeps its vector, with its scalar made positive."""
    turns = examples.balls * np.where(examples.balls[..., :1] < 0, -1.0, 1.0)
    columns = {
        "root": examples.root * _ROOT,
        "turns": turns[..., 1:].reshape(len(examples), -1) * _TURN,
        "hinges": np.clip(examples.hinges, -3.2, 3.2) * _ANGLE,
    }
    packed = {
        name: np.diff(np.round(v).astype(np.int64), axis=0, prepend=0).T.astype(np.int16) for name, v in columns.items()
    }
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            **packed,
            section=examples.section.astype(np.int32),
            person=examples.person,
            names=np.array(examples.names),
            **{f"figure_{name}": value for name, value in tables._asdict().items()},
        )


def read_examples(path: Path) -> tuple[Examples, Tables]:
    """Return examples and the tables of the figure."""
    with np.load(path, allow_pickle=False) as file:
        stored = {name: file[name] for name in file.files}
    # sums of 16-bit differences, which wrapped where a section begins
    root, turns, hinges = (np.cumsum(stored[name].T.astype(np.int64), axis=0) for name in _DIFFERENCES)
    vectors = turns.astype(np.int16).reshape(len(turns), -1, 3) / _TURN
    scalars = np.sqrt(np.clip(1.0 - np.square(vectors).sum(-1, keepdims=True), 0.0, 1.0))
    examples = Examples(
        _single(root / _ROOT),
        _single(np.concatenate([scalars, vectors], axis=-1)),
        _single(hinges.astype(np.int16) / _ANGLE),
        stored["section"].astype(np.int64),
        stored["person"],
        tuple(stored["names"].tolist()),
    )
    return examples, Tables(**{name: stored[f"figure_{name}"] for name in Tables._fields})


def _single(values: Array) -> np.ndarray:
    return values.astype(np.float32)
