"""Names that share one track give the same results as names with tracks of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Figure, Poses
from segue.motion.interval import Track
from segue.motion.motion import Motion
from segue.motion.operators import blend, concatenate, mirror, move_to, override, retime, reverse, trim
from segue.motion.track_table import TrackTable
from segue.motion.tracks import TRACKS


def motion(seed: int, start: float = 0.0) -> Motion:
    """Return two seconds of noise."""
    rng = np.random.default_rng(seed)
    poses = Poses.zero(21)
    poses.root[:] = rng.normal(size=poses.root.shape)
    poses.hinges[:] = 0.2 * rng.normal(size=poses.hinges.shape)
    poses.balls[:, :, 1:] = 0.1 * rng.normal(size=poses.balls[:, :, 1:].shape)
    poses.balls[:] /= np.linalg.norm(poses.balls, axis=2, keepdims=True)
    return Motion.from_poses(Figure.standard(), poses, 10.0, start=start)


def apart(shared: Motion) -> Motion:
    """Return the same motion with a track of its own for every name."""
    assert len(shared.tracks.unique_tracks) == 1
    return Motion({name: Track(track.intervals) for name, track in shared.tracks.items()}, shared.source)


OPERATIONS: dict[str, Callable[[Motion, Motion], Motion]] = {
    "and": lambda a, b: a & b,
    "sub": lambda a, b: a - b,
    "add": lambda a, b: a + retime(b, 2.5),
    "conflict": lambda a, b: a + b,
    "retime": lambda a, b: retime(a, 1.0, 0.5),
    "reverse": lambda a, b: reverse(a),
    "mirror": lambda a, b: mirror(a),
    "mirror twice": lambda a, b: mirror(retime(mirror(a), 1.0)),
    "move to": lambda a, b: move_to(mirror(a), (1.0, 2.0), 0.3),
    "trim": lambda a, b: trim(a, 0.3, 1.2, keep_time=True),
    "concatenate": lambda a, b: concatenate(a, b, 0.5),
    "override": lambda a, b: override(a, b),
    "insert": lambda a, b: sg.insert(a, 0.7, b),
    "delete": lambda a, b: sg.delete(a, 0.7, 1.1),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operators_give_the_same_tracks_whether_shared_or_apart(name: str) -> None:
    a, b = motion(1), motion(2, 1.3)
    together, single = OPERATIONS[name](a, b), OPERATIONS[name](apart(a), apart(b))
    assert len(together.tracks.unique_tracks) == 1
    assert len(single.tracks.unique_tracks) == len(TRACKS)
    assert dict(together.tracks) == dict(single.tracks)
    assert (together.start, together.stop) == (single.start, single.stop)
    assert sg.gaps(together) == sg.gaps(single)
    assert sg.conflicts(together) == sg.conflicts(single)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name not in ("and", "conflict")])
def test_states_are_the_same_whether_shared_or_apart(name: str) -> None:
    a, b = motion(1), motion(2, 1.3)
    together, single = OPERATIONS[name](a, b), OPERATIONS[name](apart(a), apart(b))
    inside = [t for t in np.linspace(together.start, together.stop, 41) if together.tracks["root"].at(float(t))]
    for one, other in zip(together.state(inside).parts, single.state(inside).parts, strict=True):
        assert one.tobytes() == other.tobytes()


def test_a_blend_is_the_same_whether_shared_or_apart() -> None:
    a, b = motion(1), motion(2, 1.3)
    together, single = retime(blend(a, b), 1.0), retime(blend(apart(a), apart(b)), 1.0)
    times = np.linspace(together.start, together.stop, 31)
    for one, other in zip(together.state(times).parts, single.state(times).parts, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("operation", [lambda a, b: a & b, lambda a, b: a - b, lambda a, b: b + a])
def test_shared_tracks_combine_with_others(operation: Callable[[Motion, Motion], Motion]) -> None:
    arm, body = sg.only(motion(1), "left_arm"), motion(2, 1.3)
    assert dict(operation(body, arm).tracks) == dict(operation(apart(body), arm).tracks)


def test_errors_on_gaps_and_conflicts_have_the_same_words() -> None:
    a, b = motion(1), motion(2, 1.3)
    for make in (lambda x, y: concatenate(x, y, 0.5), lambda x, y: x + y):
        messages = []
        for one, other in ((a, b), (apart(a), apart(b))):
            with pytest.raises(sg.ArgumentError) as raised:
                make(one, other).state(np.linspace(0.0, 3.3, 34))
            messages.append(str(raised.value))
        assert messages[0] == messages[1]


def test_a_table_is_a_mapping_that_cannot_change() -> None:
    tracks = motion(1).tracks
    assert list(tracks) == list(TRACKS)
    assert tracks.is_full_body
    assert tracks["root"] is tracks["root"]
    assert "elbow" not in tracks
    with pytest.raises(KeyError):
        tracks["elbow"]
    with pytest.raises(TypeError):
        tracks["root"] = tracks["neck"]  # type: ignore[index]


def test_erasing_everything_leaves_an_empty_table() -> None:
    empty = motion(1).tracks.erased(-1.0, 9.0, tuple(TRACKS))
    assert not empty
    assert list(empty) == []
    assert (empty.start, empty.stop) == (0.0, 0.0)
    assert isinstance(empty, TrackTable)
