"""The time line in the terminal: who moves when, with every gap and conflict to be seen."""

from __future__ import annotations

import pytest

import segue as sg
from segue.language import evaluate, timeline
from segue.language.effects import ASCII, UNICODE
from segue.motion.track_table import timeline_rows
from tests.language.stage import FIGURE_6, WAVE_ARM, figure_6_in_python


def drawn(text: str, width: int = 60) -> dict[str, str]:
    """Return the rows of a script's motion by their labels."""
    motion = evaluate(text)
    assert isinstance(motion, sg.Motion)
    rows = timeline(motion, width, ASCII).split("\n")
    return {row.split("  ")[0]: row.rsplit("  ", 1)[-1] for row in rows[: len(timeline_rows(motion.tracks))]}


def test_figure_6() -> None:
    motion = evaluate(f"{WAVE_ARM}; walk = retime(clips.walk, 0, duration=3.2); {FIGURE_6}")
    assert isinstance(motion, sg.Motion)
    assert timeline(motion, 44, UNICODE).split("\n") == [
        "root       ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "trunk      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "left arm   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "right arm  ━━━━━━━━━━···══════════··━━━━━━━",
        "left leg   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "right leg  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
        "           ┴─────────┴─────────┴─────────┴──",
        "           0         1         2         3 s",
        "· gap 1 to 1.3 s: right_arm",
        "· gap 2.3 to 2.5 s: right_arm",
    ]


def test_a_body_that_moves_as_one_is_one_row() -> None:
    assert set(drawn("concat(clips.walk, clips.wave)")) == {"whole body"}


def test_rows_go_down_to_what_differs() -> None:
    rows = drawn("clips.walk - retime(only(clips.walk, left_elbow_flexion, right_knee), 1, duration=1)")
    assert list(rows) == [
        "root",
        "trunk",
        "left clavicle",
        "left shoulder",
        "left elbow flexion",
        "left forearm pronation",
        "left wrist",
        "right arm",
        "left leg",
        "right hip",
        "right knee",
        "right ankle",
        "right toe",
    ]
    assert {label for label, row in rows.items() if "." in row} == {"left elbow flexion", "right knee"}
    assert list(drawn("only(clips.walk, left_arm, neck)")) == ["neck", "left arm"]


def test_conflicts_blends_and_sources_look_different() -> None:
    (conflict,) = drawn("clips.walk + retime(clips.wave, 2)").values()
    assert conflict.strip("=") != conflict
    assert set(conflict) == {"=", "X", "-"}
    (blend,) = drawn("blend(clips.walk, retime(clips.wave, 2))").values()
    assert set(blend) == {"=", "%", "-"}


@pytest.mark.parametrize("width", [30, 60, 200])
def test_the_shortest_gap_and_conflict_are_seen(width: int) -> None:
    (gap,) = drawn("clips.walk - retime(clips.walk, 1.0001, duration=0.0001)", width).values()
    (conflict,) = drawn("clips.walk + retime(clips.walk, 1.0001, duration=0.0001)", width).values()
    assert gap.count(".") == 1
    assert conflict.count("X") == 1


@pytest.mark.parametrize("text", ["retime(clips.walk, -500000)", "retime(clips.walk, 0, 1e-6)", "clips.walk"])
@pytest.mark.parametrize("width", [1, 40, 1000])
def test_any_time_and_width_can_be_drawn(text: str, width: int) -> None:
    motion = evaluate(text)
    assert isinstance(motion, sg.Motion)
    rows = timeline(motion, width, ASCII).split("\n")
    assert all(len(row) <= max(width + 12, 50) for row in rows)
    assert rows[-1].endswith(" s")


def test_nothing_is_drawn_of_nothing() -> None:
    motion = evaluate("clips.walk - clips.walk")
    assert isinstance(motion, sg.Motion)
    assert timeline(motion) == "the motion defines nothing"


def test_terminals_without_the_characters_get_plain_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain:
        encoding = "ascii"

    monkeypatch.setattr("sys.stdout", Plain())
    assert timeline(figure_6_in_python(), 60).isascii()
