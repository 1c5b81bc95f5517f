"""The scripts that train the shipped prior run on a machine that has PyTorch and NumPy alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TRAINING = Path(__file__).parents[2] / "training"

ALONE = """
import sys, types
for name in ("numba", "scipy", "matplotlib", "rich", "click", "typer"):
    sys.modules[name] = None  # importing it raises
source = {source!r}
for name in ("segue", "segue.prior"):
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = ["/".join([source, *name.split(".")[1:]])]
sys.path.insert(0, {training!r})
import numpy as np
from packed import read_examples, write_examples
from segue.prior.examples import Examples
from segue.prior.tables import figure_tables
from segue.prior.weights import read_prior
from pathlib import Path
turns = np.repeat([[[1.0, 0.0, 0.0, 0.0]]], 40, axis=0).repeat(7, axis=1).astype(np.float32)
root = np.linspace(0.0, 1.0, 120, dtype=np.float32).reshape(40, 3)
some = Examples(root, turns, np.zeros((40, 20), np.float32), np.zeros(40, np.int64), np.zeros(1, np.int64), ("walk",))
write_examples(Path({file!r}), some, figure_tables())
again, tables = read_examples(Path({file!r}))
assert np.allclose(again.root, root, atol=1e-3) and again.names == ("walk",)
assert np.array_equal(tables.feet, figure_tables().feet)
assert read_prior({source!r} + "/prior/shipped.prior").about["steps"] > 0
print("trained")
"""


def test_what_the_scripts_read_needs_numpy_alone(tmp_path: Path) -> None:
    source = TRAINING.parent / "src" / "segue"
    program = ALONE.format(source=str(source), training=str(TRAINING), file=str(tmp_path / "examples.npz"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "trained"
