"""dance(...) in the language: a motion like any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from segue.dance import plan as make_plan
from segue.dance import preview
from segue.dance.patterns import DanceLibrary
from segue.errors import SegueError
from segue.language import Limits, evaluate
from segue.motion.motion import Motion, gaps


def danced(script: str) -> Motion:
    value = evaluate(script)
    assert isinstance(value, Motion)
    return value


def test_a_pattern_is_a_motion() -> None:
    motion = danced('dance("foxtrot/forward basic")')
    assert motion.stop == pytest.approx(make_plan("foxtrot/forward basic").stop, abs=0.01)
    assert np.allclose(motion.poses.root, preview("foxtrot/forward basic").poses.root)


def test_tempo_repeat_part_and_lists() -> None:
    once, twice = (danced(f'dance("waltz/box step", repeat={count})') for count in (1, 2))
    assert twice.duration > once.duration + 3.9
    slow, quick = (danced(f'dance("waltz/box step", tempo={tempo})') for tempo in ("20", '"150bpm"'))
    assert slow.duration > quick.duration
    follower = danced('dance("waltz/box step", part="follower")')
    assert follower.poses.root[-1, 2] == pytest.approx(once.poses.root[-1, 2], abs=0.5)
    assert not np.allclose(follower.poses.root[300], once.poses.root[300], atol=0.05)
    both = danced('dance(["waltz/box step", "waltz/progressive"])')
    assert both.duration > twice.duration - 0.1
    tall = danced('dance("waltz/box step", stature=1.9)')
    assert tall.figure.stature == pytest.approx(1.9)


def test_a_walk_goes_over_into_a_dance() -> None:
    motion = danced('transition(clips.walk, dance("foxtrot/forward basic"))')
    assert gaps(motion) == ()
    assert motion.duration > 10.0
    root = motion.at(np.arange(motion.start, motion.stop, 1 / 60)).root
    assert np.abs(np.diff(root, axis=0)).max() < 0.06, "nobody leaps"


def test_a_dancer_waves() -> None:
    motion = danced('fill_gaps(override(retime(only(clips.wave, right_arm), 3), dance("foxtrot/forward basic")))')
    assert gaps(motion) == ()


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ('dance("nonsense")', "no pattern 'nonsense'"),
        ("dance(3)", "a pattern's name in quotes"),
        ('dance("waltz/box step", repeat=1.5)', "repeat is 1.5"),
        ('dance("waltz/box step", repeat=0)', "repeat is 0"),
        ('dance("waltz/box step", part="band")', "the part is 'band'"),
        ('dance("waltz/box step", tempo=0)', "the tempo is 0 bars a minute: it must lie between 1 and 240"),
        ('dance("waltz/box step", tempo=1e6)', r"the tempo is 1e\+06 bars a minute: it must lie between 1 and 240"),
        ('dance("waltz/box step", tempo="1e6bpm")', r"the tempo is 333333 bars a minute: it must lie between"),
        ('dance("waltz/box step", tempo="fast")', "the tempo is 'fast': bars a minute are needed"),
        ('dance("../secret.dance")', "outside the folder"),
        ('dance("nothing.dance")', "there is no file 'nothing.dance'"),
        ('dance("waltz/box step", repeat=40)', "frames are too many"),
    ],
)
def test_mistakes_are_told(script: str, sentence: str) -> None:
    with pytest.raises(SegueError, match=sentence):
        evaluate(script, limits=Limits(frames=2_000))


def test_a_pattern_of_the_folder_is_danced_by_its_file(tmp_path: Path) -> None:
    shipped = DanceLibrary().find("tango/closed promenade").files
    for part, path in shipped.items():
        name = "mine.dance" if part == "leader" else "mine.follower.dance"
        (tmp_path / name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for part in ("leader", "follower"):
        motion = evaluate(f'dance("mine.dance", part="{part}")', tmp_path)
        assert isinstance(motion, Motion)
        assert np.allclose(motion.poses.root, preview("tango/closed promenade", part=part).poses.root)


def test_scripts_do_not_see_the_users_own_dances(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGUE_DANCES", str(tmp_path))
    DanceLibrary().create(replace(DanceLibrary().pattern("waltz/box step"), name="my own box"))
    assert preview("waltz/my own box").duration > 0
    with pytest.raises(SegueError, match="no pattern 'my own box'"):
        evaluate('dance("waltz/my own box")')
