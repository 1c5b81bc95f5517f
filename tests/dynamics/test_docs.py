"""The example in the documentation runs, and says what it claims."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "dynamics.md"


def test_the_example_runs() -> None:
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    names: dict = {}
    exec(code.group(1), names)
    assert names["tau"].shape == (50, 2)
    assert names["hand"].shape == (50, 1, 3)
    assert names["by_unknowns"].shape == (5, 2)
    assert np.abs(names["tau"][0]).max() < 1e-12, "an arm that hangs straight down needs no torque"
    assert names["value"] > 0
