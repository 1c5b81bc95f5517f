"""`segue dance perform`: files are written, bad input gets one sentence, a missing engine too."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.dance.simulation import engine
from segue.io import read

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")

Command = Callable[..., tuple[int, str, str]]
SWING = "swing/single basic"


def test_a_pattern_is_danced_and_reported(tmp_path: Path, command: Command) -> None:
    out, report, sheet = (tmp_path / f"swing.{suffix}" for suffix in ("bvh", "json", "png"))
    code, said, _ = command("dance", "perform", SWING, "-o", out, "--report", report, "--plot", sheet)
    assert code == 0
    assert "landings in" in said
    found = json.loads(report.read_text())
    assert found["fall"] is None
    assert found["landings"]["made"] == found["landings"]["due"] > 0
    assert len(read(out)) > 300
    assert sheet.stat().st_size > 100_000


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("waltz/nonsense",), "no pattern 'nonsense'"),
        ((SWING, "--mu", "-1"), "friction is -1.0"),
        ((SWING, "--mu", "nan"), "friction is nan"),
        ((SWING, "--gravity", "pluto"), "gravity is 'pluto'"),
        ((SWING, "--push", "hard"), "'hard' is no push"),
        ((SWING, "--partner", "1.5"), "leave --partner out"),
        ((SWING, "--plot", "sheet.gif"), "pictures that can be written end in"),
        ((), "name a pattern"),
    ],
)
def test_bad_input_gets_a_sentence(tmp_path: Path, command: Command, options: tuple[str, ...], sentence: str) -> None:
    out = tmp_path / "out.bvh"
    code, _, complaint = command("dance", "perform", *options, "-o", out)
    assert code == 2
    assert sentence in " ".join(complaint.split())
    assert not out.exists()


def test_a_missing_engine_is_told(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.mujoco.cache_clear()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    code, _, complaint = command("dance", "perform", SWING, "-o", tmp_path / "out.bvh")
    engine.mujoco.cache_clear()
    assert code == 2
    assert "needs mujoco, which is not installed" in " ".join(complaint.split())
