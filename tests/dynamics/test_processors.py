"""The kernels give the same results on machines with narrower registers than this one may have."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from segue.dynamics import inverse_dynamics_adjoint
from tests.support.trees import random_motion, random_tree

SCRIPT = """
import sys
import numpy as np
from segue.dynamics import inverse_dynamics_adjoint
from tests.support.trees import random_motion, random_tree
motion = random_motion(3, 13, 17)
tau, by = inverse_dynamics_adjoint(random_tree(3, 17), *motion, motion[1])
np.save(sys.argv[1], np.stack([tau, *by]))
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="the processors named are x86")
@pytest.mark.parametrize("processor", ["haswell", "x86-64"])
def test_results_do_not_depend_on_the_width_of_registers(processor: str, tmp_path: Path) -> None:
    """Haswell has AVX2 and fused multiply-add; plain x86-64 has neither."""
    target = tmp_path / "results.npy"
    root = Path(__file__).parents[2]
    environment = os.environ | {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    if processor == "haswell":
        environment["NUMBA_CPU_FEATURES"] = "+avx2,+avx,+fma,+sse4.2"
    subprocess.run([sys.executable, "-c", SCRIPT, str(target)], cwd=root, env=environment, check=True)
    motion = random_motion(3, 13, 17)
    tau, by = inverse_dynamics_adjoint(random_tree(3, 17), *motion, motion[1])
    here = np.stack([tau, *by])
    np.testing.assert_allclose(np.load(target), here, rtol=0, atol=1e-11 * np.abs(here).max())
