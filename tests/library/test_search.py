"""Search: a gap finds itself, its mirror image and no forbidden frames; costs are those of the features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import segue as sg
from segue.errors import ArgumentError
from segue.filling.features import RATE
from segue.library.frame_index import MARGIN, FrameIndex
from segue.library.library_clip import library_clip_of
from segue.library.library_source import long_enough, own_clip
from segue.library.search import differences, find_matches
from tests.library.queries import query_in

WALK, RUN, KICK, WAVE = (sg.clips.motion(name) for name in ("walk", "run", "kick", "wave"))
SHELF = FrameIndex(
    [library_clip_of(motion, name) for name, motion in {"walk": WALK, "run": RUN, "kick": KICK, "wave": WAVE}.items()]
)


@pytest.mark.parametrize(("name", "start", "stop"), [("kick", 1.0, 1.5), ("wave", 0.8, 1.8), ("kick", 1.2, 1.4)])
def test_a_gap_finds_itself(name: str, start: float, stop: float) -> None:
    query = query_in(sg.move_to(sg.clips.motion(name), (3.0, -4.0), heading=2.0), start, stop)
    found = find_matches([SHELF], query, 20)
    entry, at = SHELF.place_of(int(found.start[0]))
    assert entry.name == name
    assert at == pytest.approx(start, abs=1.5 / RATE)
    assert found.span[0] == round((stop - start) * RATE)
    assert not found.mirrored[0]
    assert found.cost[0] < 1e-3 < found.cost[-1]
    assert (np.diff(found.cost) >= 0).all()


def test_the_mirror_image_of_a_gap_is_found_mirrored() -> None:
    shelf = FrameIndex([library_clip_of(sg.mirror(KICK), "kick")])
    found = find_matches([shelf], query_in(KICK, 1.0, 1.5), 5)
    assert found.mirrored[0]
    assert shelf.place_of(int(found.start[0]))[1] == pytest.approx(1.0, abs=1.5 / RATE)
    assert found.cost[0] < 1e-3


def test_costs_are_sums_of_squared_differences() -> None:
    query = query_in(RUN, 0.9, 1.5)
    found = find_matches([SHELF], query, 200)
    assert found.mirrored.any()
    assert not found.mirrored.all()
    squares = np.square(differences([SHELF], query, found)).sum(axis=1)
    np.testing.assert_allclose(squares, found.cost, rtol=2e-3, atol=2e-5)


def test_no_stretch_is_likelier_than_those_found() -> None:
    """Against every stretch there is, one by one."""
    query = query_in(WAVE, 1.0, 1.4)
    found = find_matches([SHELF], query, 1)
    everything = find_matches([SHELF], query, 10 * len(SHELF))
    assert len(everything) <= len(SHELF)  # one of two starts, as it is and mirrored
    squares = np.square(differences([SHELF], query, everything)).sum(axis=1)
    assert found.cost[0] == pytest.approx(squares.min(), abs=1e-5)


def test_only_sections_are_drawn_on() -> None:
    entry = replace(library_clip_of(WALK, "walk"), sections=((10, 40), (50, 97)))
    shelf = FrameIndex([entry, library_clip_of(KICK, "kick")])
    found = find_matches([shelf], query_in(WALK, 1.0, 1.4), 1000)
    inside = [
        any(start + MARGIN <= k and k + span + MARGIN < stop for start, stop in ((10, 40), (50, 97), (97, 97 + 85)))
        for k, span in zip(found.start.tolist(), found.span.tolist(), strict=True)
    ]
    assert len(found) > 10
    assert all(inside)


def test_several_shelves_are_one() -> None:
    parts = [FrameIndex(SHELF.entries[:2]), FrameIndex(SHELF.entries[2:], basis=FrameIndex(SHELF.entries[:2]).basis)]
    whole = FrameIndex(SHELF.entries, basis=parts[0].basis)
    query = query_in(KICK, 0.8, 1.3)
    apart, together = find_matches(parts, query, 50), find_matches([whole], query, 50)
    np.testing.assert_allclose(apart.cost, together.cost, rtol=1e-4, atol=1e-6)
    offsets = np.array([0, len(parts[0])])[apart.index]
    assert set(zip((apart.start + offsets).tolist(), apart.mirrored.tolist(), strict=True)) == set(
        zip(together.start.tolist(), together.mirrored.tolist(), strict=True)
    )
    assert differences(parts, query, apart).shape == differences([whole], query, together).shape


def test_nothing_is_found_where_there_is_nothing() -> None:
    query = query_in(KICK, 0.8, 1.3)
    assert len(find_matches([], query, 50)) == 0
    assert len(find_matches([FrameIndex([])], query, 50)) == 0
    short = replace(library_clip_of(KICK, "kick"), sections=((0, 8),))
    assert len(find_matches([FrameIndex([short])], query, 50)) == 0
    assert FrameIndex([]).minutes == 0.0


def test_a_motions_own_frames_leave_out_gaps_and_what_is_near_them() -> None:
    entry = own_clip(WALK, "walk", [(1.5, 2.0)])
    assert entry is not None
    assert entry.sections == ((0, 43), (63, 97))
    short = own_clip(WALK, "walk", [(0.2, 3.0)])
    assert short is not None
    assert long_enough(short) is None
    assert own_clip(WALK, "walk", [(0.0, 3.3)]) is None
    holed = sg.trim(WALK, 0.0, 1.0, keep_time=True) + sg.trim(WALK, 1.6, 3.2, keep_time=True)
    entry = own_clip(holed, "walk")
    assert entry is not None
    assert [stop for _, stop in entry.sections] == [28, 97]
    np.testing.assert_allclose(entry.root[60], WALK.state([60 / RATE]).root.value[0], atol=1e-5)


def test_an_index_is_made_of_clips() -> None:
    with pytest.raises(ArgumentError, match="an index is made of clips of a library, not of 'walk'"):
        FrameIndex(["walk"])  # type: ignore[list-item]
