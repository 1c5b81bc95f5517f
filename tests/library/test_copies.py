"""A clip that is in the library itself: what is to be filled is never filled from its own copy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import segue as sg
from segue.filling import fill, transition_variants, variants
from segue.library import FrameIndex, Library, LibrarySource
from segue.library.library_source import copies_of, own_clip
from tests.mocap import mocap_file, needs_mocap

WALK, GAP = sg.clips.walk, (1.2, 1.8)
OTHERS = {f"walk {k}": sg.retime(WALK, 0.0, 0.8 + 0.03 * k) for k in range(5)}
LIBRARY = Library.from_motions(
    {"copy": WALK, "elsewhere": sg.move_to(WALK, (2.0, 1.0), heading=1.0), "run": sg.clips.run, **OTHERS}
)


def drawn_on(motion: sg.Motion) -> set[str]:
    return {drawn.name for report in motion.fills if report.match for drawn in report.match.used_clips}


@pytest.mark.parametrize("use_own_frames", [None, True, False])
def test_copies_are_not_drawn_on(use_own_frames: bool | None) -> None:
    made = [fill(WALK, [GAP], library=LIBRARY, use_own_frames=use_own_frames)]
    made += variants(WALK, GAP, 6, library=LIBRARY, use_own_frames=use_own_frames)
    made += transition_variants(
        WALK, sg.clips.kick, 0.5, 4, leave=2.4, enter=0.3, library=LIBRARY, use_own_frames=use_own_frames
    )
    assert len(made) > 8
    for motion in made:
        assert not drawn_on(motion) & {"copy", "elsewhere"}
        if use_own_frames is False:
            assert WALK.source.name not in drawn_on(motion)


def test_copies_are_known_by_the_little_that_is_left_outside_a_gap() -> None:
    wide = (0.4, 2.8)
    made = [fill(WALK, [wide], library=LIBRARY), *variants(WALK, wide, 4, library=LIBRARY)]
    assert len(made) > 2
    for motion in made:
        assert not drawn_on(motion) & {"copy", "elsewhere", WALK.source.name}


def test_a_copy_changes_nothing() -> None:
    without = LIBRARY.without("copy", "elsewhere")
    basis = FrameIndex(without).basis
    with_copy, plain = (
        fill(WALK, [GAP], library=LibrarySource(FrameIndex(entries, basis=basis)), use_own_frames=False)
        for entries in (LIBRARY, without)
    )
    for one, other in zip(with_copy.at(np.linspace(*GAP, 9)).balls, plain.at(np.linspace(*GAP, 9)).balls, strict=True):
        np.testing.assert_allclose(np.abs((one * other).sum(axis=-1)), 1.0, atol=2e-3)


def test_only_the_same_take_is_a_copy() -> None:
    own = own_clip(WALK, "walk", [GAP])
    assert own is not None
    names = [LIBRARY.entries[k].name for k in copies_of(own, LIBRARY.entries)]
    assert names == ["copy", "elsewhere"]
    assert not copies_of(
        own, Library.from_motions({"mirrored": sg.mirror(WALK), "late": sg.trim(WALK, 0.1, 3.2)}).entries
    )


def test_what_is_hidden_stays_in_the_library() -> None:
    moments = FrameIndex(LIBRARY)
    hidden = moments.without({0, 1})
    assert moments.without(()) is moments
    assert len(hidden) == len(moments)
    assert hidden.minutes < moments.minutes
    assert [entry.sections for entry in hidden.entries[:2]] == [(), ()]
    assert all(entry.sections for entry in moments.entries)
    assert hidden.basis is moments.basis


@needs_mocap
@pytest.mark.mocap
def test_captured_clips_are_known_again_on_disk(tmp_path: Path) -> None:
    names = ("walk_07_01", "jump_13_39", "dive_roll_127_23", "walk_brisk_07_12")
    library = Library.build([mocap_file(name) for name in names], tmp_path / "lib")
    for name in names:
        own = own_clip(sg.load(mocap_file(name)), name, [(0.6, 0.9)])
        assert own is not None
        assert [library.entries[k].name for k in copies_of(own, library.entries)] == [f"{name}.bvh"]
