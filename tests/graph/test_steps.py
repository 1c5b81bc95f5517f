"""The steps of a build, each against an oracle."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import segue as sg
from segue.body.figure import Figure
from segue.errors import ArgumentError
from segue.graph.person import carried
from segue.graph.search import (
    OTHERS,
    Described,
    Pairs,
    Wanted,
    describe_frames,
    lowest_points,
    nearest_of,
    search_block,
    shortlist,
)
from segue.graph.selection import DWELL, Budget, Edge, connected, next_nodes, within_budget
from segue.graph.trial import Trial
from segue.graph.workers import Work, key_of
from segue.plausibility.findings import Severity


def test_feet_of_another_person_stand_where_they_stood() -> None:
    walk = sg.clips.walk
    other = Figure.standard(1.62)
    poses = carried(walk.poses, walk.figure, other)
    scale = other.leg_length / walk.figure.leg_length
    for side in ("left", "right"):
        wanted = scale * walk.figure.point(f"{side}_ball", walk.poses)
        # of a straight leg some millimetres may be missing
        assert np.abs(other.point(f"{side}_ball", poses) - wanted).max() < 0.01
        assert np.median(np.abs(other.point(f"{side}_ball", poses) - wanted)) < 1e-4
    assert carried(walk.poses, walk.figure, walk.figure).hinges is walk.poses.hinges or np.array_equal(
        carried(walk.poses, walk.figure, walk.figure).hinges, walk.poses.hinges
    )


def test_frames_in_the_air_are_not_described() -> None:
    jump = sg.clips.run
    poses = jump.poses
    poses.root[:, 1] += 0.5
    found = describe_frames(jump.figure, poses, ((0, len(poses)),), 5)
    assert len(found.frames) == 0
    assert lowest_points(jump.figure, poses).min() > 0.4


def _described(count: int) -> list[Described]:
    rng = np.random.default_rng(3)
    return [Described(k, np.arange(0, 5 * 40, 5), rng.normal(size=(40, 6)).astype(np.float32)) for k in range(count)]


def test_the_search_finds_what_comparing_all_frames_finds() -> None:
    clips = _described(4)
    found = nearest_of(search_block(clips, clips))
    for clip in clips:
        others = [each for each in clips if each.clip != clip.clip]
        rows = np.concatenate([each.rows for each in others])
        apart = np.linalg.norm(clip.rows[:, None].astype(float) - rows, axis=2)
        for row, frame in enumerate(clip.frames):
            own = found.only((found.clip == clip.clip) & (found.frame == frame) & (found.other != clip.clip))
            np.testing.assert_allclose(own.distance, np.sort(apart[row])[:OTHERS], atol=2e-6)


def test_blocks_do_not_change_what_is_found() -> None:
    clips = _described(5)
    whole = nearest_of(search_block(clips, clips))
    parts = [search_block(a, b) for a, b in itertools.product((clips[:2], clips[2:]), repeat=2)]
    for one, other in zip(whole, nearest_of(Pairs.joined(parts)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_every_second_of_a_clip_gets_trials_both_ways() -> None:
    clips = _described(3)
    found = nearest_of(search_block(clips, clips))
    wanted = list(shortlist(found.only(found.clip == 0), 1))
    assert {each.left // 30 for each in wanted if each.first == 0 != each.second} == set(range(7))
    assert {each.entered // 30 for each in wanted if each.second == 0 != each.first} == set(range(7))


@pytest.mark.parametrize("tries", [1, 2])
def test_the_shortlist_is_what_its_definition_gives(tries: int) -> None:
    clips = _described(5)
    found = nearest_of(search_block(clips, clips))
    for clip in range(5):
        own = found.only((found.clip == clip) & (found.other != clip))
        best: dict[tuple[int, int], tuple[float, int, int]] = {}
        for frame, other, at, apart in zip(*(column.tolist() for column in own[1:]), strict=True):
            key = frame // 30, other
            best[key] = min(best.get(key, (9e9, 0, 0)), (apart, frame, at))
        wanted = set()
        for second in {key[0] for key in best}:
            ranked = []
            for (there, other), value in best.items():
                if there == second:
                    nearer = sum(v[:2] < value[:2] for (_, o), v in best.items() if o == other)
                    ranked.append((value[0] + 0.01 * nearer, other, value))
            wanted |= {(clip, v[1], other, v[2]) for _, other, v in sorted(ranked)[:tries]}
        given = {tuple(each) for each in shortlist(found.only(found.clip == clip), tries)}
        assert {each for each in given if each[0] == clip != each[2]} == wanted
        assert {(*each[2:], *each[:2]) for each in given if each[2] == clip != each[0]} == wanted


def test_an_added_clip_changes_few_trials_of_others() -> None:
    rng = np.random.default_rng(2)
    paths = 0.05 * np.cumsum(rng.normal(size=(14, 120, 2)), axis=1).astype(np.float32)
    clips = [Described(k, np.arange(0, 600, 5), rows) for k, rows in enumerate(paths)]
    before, after = (_shortlist(some) for some in (clips[:-1], clips))
    fresh = after - before
    new = {each for each in fresh if 13 in (each.first, each.second)}
    assert new
    assert len(fresh) < 1.1 * len(new)


def _shortlist(clips: list[Described]) -> set[Wanted]:
    found = nearest_of(search_block(clips, clips))
    return {each for clip in clips for each in shortlist(found.only(found.clip == clip.clip), 1)}


def _edge(first: int, second: int, leave: int, enter: int, cost: float = 0.3) -> Edge:
    return Edge(first, second, 0, 0, Trial(leave, enter, 11, cost, severity=Severity.FINE))


def test_budgets_keep_the_best() -> None:
    edges = [_edge(0, 1, 20 * k, 20 * k, 0.1 * k) for k in range(10)] + [_edge(1, 0, 20 * k, 20 * k) for k in range(5)]
    kept = within_budget(edges, Budget(per_pair=3))
    assert [edge.trial.leave for edge in kept if edge.first == 0] == [0, 20, 40]
    assert len(within_budget(edges, Budget(per_pair=None, per_clip=2))) == 4
    small = within_budget(edges, Budget(per_pair=None, megabytes=3 * 10 * 204 / 1e6))
    assert len(small) == 3
    assert {edge.first for edge in small} == {0, 1}  # the best way out of each clip comes first


def test_the_connected_part_is_what_can_be_walked_without_end() -> None:
    rng = np.random.default_rng(5)
    for _ in range(30):
        edges = [
            _edge(*rng.integers(0, 5, 2).tolist(), *rng.integers(0, 200, 2).tolist())
            for _ in range(rng.integers(2, 25))
        ]
        edges.sort(key=lambda edge: (edge.first, edge.trial.leave, edge.second, edge.trial.enter))
        reach = _reach(edges)
        mutual = [{n for n in reach[k] if k in reach[n]} for k in range(len(edges))]
        largest = max(map(len, mutual), default=0)
        if largest == 0:
            with pytest.raises(ArgumentError, match="without end"):
                connected(edges)
            continue
        kept, clips = connected(edges)
        assert len(kept) <= largest
        assert {clip for edge in kept for clip in (edge.first, edge.second)} == clips
        # from every edge that is kept there is a way to every other
        again = _reach(kept)
        assert all(again[k] == set(range(len(kept))) for k in range(len(kept)))


def _reach(edges: list[Edge]) -> list[set[int]]:
    """Return the edges that can come after each, by following all ways."""
    nexts = [{n for n in pair if n is not None} for pair in next_nodes(edges)]
    found = []
    for k in range(len(edges)):
        seen, todo = set(), set(nexts[k])
        while todo:
            n = todo.pop()
            seen.add(n)
            todo |= nexts[n] - seen
        found.append(seen)
    return found


def test_named_clips_stay_as_dead_ends() -> None:
    edges = [_edge(0, 1, 50, 10), _edge(0, 2, 60, 10), _edge(1, 0, 50, 10)]
    assert len(connected(edges)[0]) == 2
    assert len(connected(edges, {2})[0]) == 3
    assert next_nodes([_edge(0, 1, 50, 10), _edge(1, 0, 10 + DWELL - 1, 0)])[0][0] is None


def test_work_is_kept(tmp_path: object) -> None:
    path = f"{tmp_path}/work"
    with Work(path) as work:
        work.put([(key_of("a", 1), b"one")])
    with Work(path) as work:
        assert work.missing([key_of("a", 1), key_of("a", 2), key_of("a", 2)]) == [key_of("a", 2)]
        assert work.get(key_of("a", 1)) == b"one"
