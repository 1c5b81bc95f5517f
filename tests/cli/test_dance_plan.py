"""`segue dance plan` as users meet it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., tuple[int, str, str]]
BOX = "waltz/box step"


def test_a_pattern_is_drawn(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "floor.png"
    code, said, told = command("dance", "plan", BOX, "-o", out)
    assert (code, told) == (0, "")
    assert out.read_bytes().startswith(b"\x89PNG")
    assert "6 steps in 4.0 s at 30 bars a minute" in said


def test_parts_couples_tempi_and_repeats(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "floor.svg"
    code, said, _ = command(
        "dance", "plan", BOX, "waltz/hesitation", "--repeat", 2, "--tempo", "84bpm", "--part", "follower", "-o", out
    )
    assert code == 0
    assert "24 steps in 17.1 s at 28 bars a minute, danced 2 times" in said
    assert "waltz/hesitation" in out.read_text()
    code, _, _ = command("dance", "plan", BOX, "--couple", "--stature", 1.85, "--partner", 1.6, "-o", out)
    assert code == 0
    text = out.read_text()
    assert "leader" in text
    assert "follower" in text


def test_the_same_plan_gives_the_same_bytes(command: Command, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        assert command("dance", "plan", BOX, "-o", tmp_path / name)[0] == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["waltz/boks step"], "did you mean"),
        (
            [BOX, "--tempo", "fast"],
            "the tempo is 'fast': bars a minute are needed, as 30, or beats a minute",
        ),
        ([BOX, "--tempo", "999"], "the tempo is 999 bars a minute: it must lie between 1 and 240"),
        ([BOX, "--repeat", "0"], "--repeat is 0: it must be from 1 to 64"),
        ([BOX, "--stature", "-1"], "stature is -1.0"),
        ([BOX, "--step-size", "5"], "the style's step_size is 5.0"),
        ([BOX, "foxtrot/forward basic"], "foxtrot/forward basic has 4 beats a bar and waltz/box step 3"),
        ([BOX, "--couple", "--mirror"], "--mirror is for one dancer"),
    ],
)
def test_mistakes_are_told_and_leave_no_file(
    command: Command, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    out = tmp_path / "floor.png"
    code, _, told = command("dance", "plan", *arguments, "-o", out)
    assert code == 2
    assert sentence in " ".join(told.split())
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_suffix_is_told_before_any_work(command: Command, tmp_path: Path) -> None:
    code, _, told = command("dance", "plan", "no/such pattern", "-o", tmp_path / "floor.jpeg")
    assert code == 2
    assert "suffix '.jpeg'" in told
