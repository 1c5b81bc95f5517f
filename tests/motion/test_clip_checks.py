"""Numbers that no motion has: refused in one sentence, before they spoil, stall or overflow anything."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

import segue as sg
from segue import clips
from segue.curves import quaternion, sampled
from segue.cycle.likeness import Likeness
from segue.io import write
from segue.library.indexing import index_clip
from segue.library.record import Source
from segue.motion.clip import Clip
from segue.motion.clip_source import ClipSource
from segue.motion.contacts import find_contacts
from segue.motion.recognise import check_fitted
from segue.plausibility import examine, observe
from segue.plausibility.jumps import find_jumps

WALK = clips.clip("walk")
FRAME = 60


@pytest.fixture
def text(tmp_path: Path) -> str:
    """The built-in walk as a BVH file has it."""
    write(WALK, tmp_path / "walk.bvh")
    return (tmp_path / "walk.bvh").read_text(encoding="utf-8")


@pytest.fixture
def bad(tmp_path: Path) -> Callable[[str], Path]:
    def make(text: str) -> Path:
        path = tmp_path / "bad.bvh"
        path.write_text(text, encoding="utf-8")
        return path

    return make


def with_root(text: str, number: str) -> str:
    """Return a file with one number of one frame's root position changed."""
    head, _, motion = text.partition("MOTION\n")
    lines = motion.splitlines()
    numbers = lines[2 + FRAME].split()
    lines[2 + FRAME] = " ".join([numbers[0], number, *numbers[2:]])
    return f"{head}MOTION\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("number", ["1e9", "3e9", "-1e10", "1e20", "1e38", "1e160", "1e308"])
def test_an_absurd_position_is_refused_with_file_frame_and_joint(
    text: str, bad: Callable[[str], Path], number: str
) -> None:
    path = bad(with_root(text, number))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sg.SegueError) as refused:
            sg.load(path)
    sentence = str(refused.value)
    assert path.name in sentence
    assert f"frame {FRAME} " in sentence
    assert f"'{WALK.names[0]}'" in sentence
    with pytest.raises(sg.SegueError, match=f"frame {FRAME} "):
        index_clip(Source(str(path.parent), path.name, 0, 0, ""), "bad")


def test_a_position_far_away_is_followed(text: str, bad: Callable[[str], Path]) -> None:
    assert np.isfinite(sg.load(bad(with_root(text, "9e4"))).poses.root).all()


@pytest.mark.parametrize("joint", [1, len(WALK.names) - 1])
@pytest.mark.parametrize("offset", ["1e308 1 0", "1e38 0 1e150", "1e13 0 0", "0 1e9 0"])
def test_an_absurd_offset_is_refused_before_anything_is_computed(
    text: str, bad: Callable[[str], Path], joint: int, offset: str
) -> None:
    offsets = list(re.finditer(r"OFFSET [^\n]*", text))
    ends = [m.start() for m in re.finditer(r"End Site", text)]
    own = [m for m in offsets if not any(end < m.start() < end + 60 for end in ends)][joint]
    path = bad(text[: own.start()] + f"OFFSET {offset}" + text[own.end() :])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sg.SegueError):
            sg.load(path).fit()


@pytest.mark.parametrize("rate", [1e-9, 0.05, 2e4, 1e8, 1e300])
def test_rates_at_which_nobody_moves_are_refused(rate: float) -> None:
    clip = Clip.from_arrays(WALK.skeleton, WALK.positions.copy(), WALK.rotations.copy(), rate)
    with pytest.raises(sg.SegueError, match=r"frames a second: it must have 0.1 to 10,000"):
        ClipSource.from_clip(clip)


@pytest.mark.parametrize("seconds", ["1e-8", "1e9"])
@pytest.mark.parametrize("name", ["info", "check", "loop"])
def test_commands_refuse_such_rates_in_one_sentence(
    text: str, bad: Callable[[str], Path], seconds: str, name: str, command: Callable[..., tuple[int, str, str]]
) -> None:
    path = bad(re.sub(r"Frame Time: .*", f"Frame Time: {seconds}", text))
    out = ["-o", path.with_name("out.bvh")] if name == "loop" else []
    code, _, complaint = command(name, path, *out)
    assert code == 2
    assert "frames a second: it must have" in " ".join(complaint.split())


@pytest.mark.parametrize("rate", [0.1, 1e4])
def test_at_the_highest_and_lowest_rates_all_measures_work(rate: float) -> None:
    """Windows of seconds are then far longer than the clip, or shorter than a frame."""
    some = slice(0, 60)
    motion = sg.Motion.from_clip(Clip.from_arrays(WALK.skeleton, WALK.positions[some], WALK.rotations[some], rate))
    assert isinstance(motion.contacts(), list)
    assert all(np.isfinite(check.value) for check in examine(observe(motion)).findings)
    with pytest.raises(sg.ArgumentError, match="or too coarse"):
        sg.find_loops(motion)


def test_windows_are_no_longer_than_what_they_slide_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever measures without a take may have any rate: a window of seconds would then take all memory."""
    sizes: list[float] = []
    for module, name in ((sampled, "median_rows"), (ndimage, "gaussian_filter1d")):
        real = getattr(module, name)

        def seen(values: np.ndarray, *given: object, real: Callable[..., np.ndarray] = real, **named: object) -> object:
            sizes.extend(np.ravel([*given, named.get("size", 0)]).astype(float))
            return real(values, *given, **named)

        monkeypatch.setattr(module, name, seen)
    times = 1e-6 * np.arange(60)
    find_contacts(times, {"left_heel": np.zeros((60, 3))}, 1.7)
    Likeness(sg.Motion.from_poses(sg.clips.walk.figure, sg.clips.walk.poses[:60], 1e6), 0.0, times[-1])
    find_jumps(times, ("a", "b"), quaternion.identity(60, 2), np.zeros((60, 3)), np.ones(60, dtype=bool))
    assert len(sizes) > 3
    assert max(sizes) <= 2 * 60 + 1


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1e4, 1e300])
def test_a_scale_that_makes_nobody_is_refused(scale: float) -> None:
    with pytest.raises(sg.ArgumentError, match="m tall"):
        ClipSource.from_clip(WALK, sg.ClipOptions(scale=scale))


def test_a_fit_that_is_not_finite_is_refused() -> None:
    poses = sg.clips.walk.poses
    poses.root[7] = np.nan
    with pytest.raises(sg.SegueError, match=r"its pose in frame 12 "):
        check_fitted(WALK, poses, 5)


def test_endless_numbers_in_joint_names_are_names(text: str, bad: Callable[[str], Path]) -> None:
    name = WALK.names[-1]
    motion = sg.load(bad(text.replace(name, name + "9" * 5000)))
    assert len(motion.clip_source.clip.names[-1]) > 5000
