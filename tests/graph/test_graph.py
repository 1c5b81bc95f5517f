"""Graphs from beginning to end: build, walk, find paths, export, and show."""

from __future__ import annotations

import csv
import json
import math
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pygltflib
import pytest
import rustworkx

import segue as sg
from segue.errors import ArgumentError, FileFormatError
from segue.graph import Budget, BuildOptions
from segue.graph.build import build_graph
from segue.graph.export import COLUMNS, export_graph
from segue.graph.routing import Step, assemble, random_walk
from segue.graph.trial import judge_seam
from segue.graph.waypoints import read_places
from segue.graph.workers import Cluster, InProcess
from segue.motion.functions import Placement
from segue.view.graph import draw_graph, graph_page
from tests.view.chromium import chromium, needs_axe, needs_chromium, violations

Run = Callable[..., tuple[int, str, str]]
TRIES = BuildOptions(tries=2)


def test_transitions_that_are_kept_pass_the_check(graph: sg.Graph) -> None:
    assert len(graph) >= 6
    for k in range(len(graph)):
        route = graph.transition(k)
        (seam,) = route.seams
        report, slide = judge_seam(route.motion, seam.start, seam.stop)
        assert not report.faults
        assert slide < 0.01


def test_a_build_goes_on_and_gives_the_same_bytes(library: Path, graph_file: Path, tmp_path: Path) -> None:
    shutil.copy(f"{graph_file}.work", tmp_path / "again.graph.work")
    report = build_graph(library, tmp_path / "again.graph", InProcess(), TRIES)
    assert report.fresh == 0 < report.tried
    assert (tmp_path / "again.graph").read_bytes() == graph_file.read_bytes()


@pytest.mark.nightly
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_number_of_workers_does_not_change_a_byte(
    library: Path, graph_file: Path, tmp_path: Path, count: int
) -> None:
    with Cluster(count) as cluster:
        build_graph(library, tmp_path / "a.graph", cluster, TRIES)
    assert (tmp_path / "a.graph").read_bytes() == graph_file.read_bytes()


def test_an_interrupted_build_loses_nothing(library: Path, graph_file: Path, tmp_path: Path) -> None:
    class Interrupted(InProcess):
        def run(self, tasks):  # type: ignore[no-untyped-def]
            for number, result in enumerate(super().run(tasks)):
                if number == 2:
                    raise KeyboardInterrupt
                yield result

    path = tmp_path / "my.graph"
    with pytest.raises(KeyboardInterrupt):
        build_graph(library, path, Interrupted(), TRIES)
    assert not path.exists()
    seen: list[tuple[str, int]] = []
    shutil.copy(f"{graph_file}.work", tmp_path / "all.work")

    def watch(step: str, done: int, total: int) -> None:
        seen.append((step, done))
        if len(seen) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_graph(library, path, InProcess(), TRIES, watch)
    assert seen == [("clips", 2)]  # two clips were kept from the first time


def test_a_walk_has_no_seams(graph: sg.Graph) -> None:
    route = graph.walk(0.2, seed=1)
    assert route.motion.duration >= 12
    assert len(route.seams) > 2
    rows = route.motion.poses.rows
    assert np.abs(np.diff(rows[:, :3], axis=0)).max() < 0.1
    for seam in route.seams:
        report, slide = judge_seam(route.motion, seam.start, seam.stop)
        assert not report.faults
        assert slide < 0.01
    again, other = graph.walk(0.2, seed=1), graph.walk(0.1, seed=2)
    np.testing.assert_array_equal(again.motion.poses.root, route.motion.poses.root)
    assert other.steps != route.steps


def test_a_walk_is_judged_where_it_goes(graph: sg.Graph) -> None:
    seen: list[Placement] = []

    def accepts(_: Sequence[Step], at: Placement) -> bool:
        seen.append(at)
        return True

    steps = random_walk(graph.network, 600, 1, accepts)
    placements = assemble(graph.contents, steps).placements
    for number, at in enumerate(seen):
        np.testing.assert_allclose(at, placements[max(number - 1, 0)], atol=1e-9)


def test_a_walk_takes_back_a_transition_from_which_nothing_goes_on(graph: sg.Graph) -> None:
    first = random_walk(graph.network, 600, 1, lambda steps, at: True)
    bad = first[1].edge
    assert bad is not None

    def accepts(steps: Sequence[Step], at: Placement) -> bool:
        return all(step.edge != bad for step in steps[:-2])

    steps = random_walk(graph.network, 600, 1, accepts)
    assert bad not in {step.edge for step in steps[:-2]}
    assert all(edge.stop >= edge.start for edge in steps)
    assert sum(step.stop - step.start for step in steps) > 400


def test_frames_of_clips_are_moved_rigidly(graph: sg.Graph) -> None:
    route = graph.walk(0.1, seed=3)
    hinges, at = route.motion.poses.hinges, 0
    for step, placement in zip(route.steps, route.placements, strict=True):
        own = graph.clip(graph.names[step.clip]).poses
        count = step.stop + 1 - step.start
        np.testing.assert_allclose(hinges[at : at + count], own.hinges[step.start : step.stop + 1], atol=1e-6)
        moved = placement.moved(own.root[step.start : step.stop + 1])
        np.testing.assert_allclose(route.motion.poses.root[at : at + count], moved, atol=1e-6)
        at += count + (graph.edges[step.edge].trial.frames - 1 if step.edge is not None else 0)
    assert at == len(hinges)


def test_the_path_is_the_cheapest(graph: sg.Graph) -> None:
    first, second = graph.names[0], graph.names[-1]
    route = graph.path(f"{first}@0.5", second)
    assert route.clips[0] == first
    assert route.clips[-1] == second
    assert route.steps[0].start == 15
    later = graph.path(first, f"{second}@{graph.clips[-1].frames / 30 - 0.5:.3f}")
    assert later.steps[-1].stop == graph.clips[-1].frames - 15
    within = graph.path(f"{first}@0.5", f"{first}@1.5")
    assert len(within.steps) == 1
    assert within.motion.duration == pytest.approx(1.0)


def test_a_walk_through_places_passes_them_or_warns(graph: sg.Graph) -> None:
    # the built-in clips of this graph stay in place
    with pytest.warns(sg.SegueWarning, match="misses a place"):
        route = graph.walk(through="0,40")
    assert route.steps
    near = graph.walk(through=[(0.05, 0.1)])
    root = near.motion.poses.root[:, [0, 2]]
    assert np.linalg.norm(root - [0.05, 0.1], axis=1).min() <= 0.5


@pytest.mark.parametrize("text", ["", "1", "a,b", "1,nan", "1,2;3"])
def test_places_that_are_none_get_a_sentence(text: str) -> None:
    with pytest.raises(ArgumentError) as error:
        read_places(text)
    assert "\n" not in str(error.value)


def test_the_export_can_be_read_by_others(graph: sg.Graph, tmp_path: Path) -> None:
    written = export_graph(graph, tmp_path / "out", format="bvh")
    assert all(path.is_file() for path in written)
    found = json.loads((tmp_path / "out/graph.json").read_text())
    assert [clip["name"] for clip in found["clips"]] == list(graph.names)
    with (tmp_path / "out/transitions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(graph) == len(found["transitions"])
    (network,) = rustworkx.read_graphml(str(tmp_path / "out/graph.graphml"))
    assert (network.num_nodes(), network.num_edges()) == (len(graph.clips), len(graph))
    scene = pygltflib.GLTF2().load(str(tmp_path / "out/all.glb"))
    assert len(scene.animations) == len(graph.clips) + len(graph)
    names = {animation.name for animation in scene.animations}
    for row in rows:
        assert row["animation"] in names
    # a transition begins in the first clip's place, and ends where the table puts the second clip
    row, edge = rows[0], graph.edges[0]
    motion = sg.load(tmp_path / "out" / f"{row['animation']}.bvh").to_clip()
    turn, x, z = (float(row[name]) for name in ("turn_rad", "x_m", "z_m"))
    own = graph.clip(row["to_clip"]).poses.root[edge.trial.enter]
    moved = own[0] * math.cos(turn) + own[2] * math.sin(turn) + x, own[2] * math.cos(turn) - own[0] * math.sin(turn) + z
    np.testing.assert_allclose(motion.positions[-1, 0, [0, 2]], moved, atol=1e-3)


def test_motions_on_the_skeleton_of_a_clip(graph_file: Path, library: Path, tmp_path: Path, command: Run) -> None:
    clip = library.parent / "clips" / "wave.bvh"
    out = tmp_path / "walk.bvh"
    code, shown, _ = command("graph", "walk", graph_file, "--minutes", "0.1", "--skeleton", clip, "-o", out)
    assert code == 0
    assert "transitions" in shown
    assert sg.load(out).source.skeleton.names == sg.load(clip).source.skeleton.names


def test_bad_input_gets_a_sentence(graph_file: Path, tmp_path: Path, command: Run) -> None:
    (tmp_path / "bad").write_bytes(graph_file.read_bytes()[:5000])
    for arguments in (
        ("info", tmp_path / "bad"),
        ("info", tmp_path / "none"),
        ("path", graph_file, "nobody", "wave", "-o", tmp_path / "a.bvh"),
        ("path", graph_file, "wave@99", "stand", "-o", tmp_path / "a.bvh"),
        ("walk", graph_file, "--minutes", "0", "-o", tmp_path / "a.bvh"),
        ("walk", graph_file, "--through", "1", "-o", tmp_path / "a.bvh"),
        ("plot", graph_file, "-o", tmp_path / "a.xyz"),
        ("build", tmp_path / "none", "--workers", "0", "-o", tmp_path / "a.graph"),
    ):
        code, _, complaint = command("graph", *arguments)
        assert code == 2, arguments
        assert complaint.count("\n") == 1, complaint
    with pytest.raises(FileFormatError):
        sg.Graph(tmp_path / "bad")
    with pytest.raises(ArgumentError):
        BuildOptions(budget=Budget(per_pair=0))


def test_commands(graph_file: Path, library: Path, tmp_path: Path, command: Run) -> None:
    code, shown, _ = command("graph", "build", library, "--tries", "2", "--workers", "0", "-o", graph_file)
    assert code == 0
    assert "0 of them now" in shown
    assert "wave.bvh" in command("graph", "info", graph_file)[1]
    assert json.loads(command("graph", "info", "--json", graph_file)[1])["clips"]
    assert command("graph", "plot", graph_file, "-o", tmp_path / "graph.png")[0] == 0
    assert command("graph", "path", graph_file, "reach", "wave", "-o", tmp_path / "path.glb")[0] == 0
    assert command("graph", "export", graph_file, "-o", tmp_path / "out")[0] == 0


def test_the_picture_shows_every_clip(graph: sg.Graph) -> None:
    texts = [text.get_text() for text in draw_graph(graph).canvas.axes[0].texts]
    assert {Path(name).stem for name in graph.names} <= set(texts)


@needs_axe
@needs_chromium
def test_a_click_on_an_edge_plays_its_transition(graph: sg.Graph, tmp_path: Path) -> None:
    graph_page(graph, most=5).save(tmp_path / "graph.html")
    heard: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 900, "height": 500})
        page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.goto((tmp_path / "graph.html").as_uri())
        assert page.locator(".link").count() == 5
        for number, act in ((0, "click"), (3, "keyboard")):
            link = page.locator(f'[data-link="{number}"]')
            if act == "click":
                link.locator(".wide").dispatch_event("click")
            else:
                link.focus()
                page.keyboard.press("Enter")
            for _ in range(400):  # the page's policy forbids to wait for a condition in the page itself
                if page.evaluate("document.getElementById('player').contentWindow?.segueViewer?.drawn > 0"):
                    break
                page.wait_for_timeout(50)
            else:
                pytest.fail("the transition is not played")
            label = link.get_attribute("aria-label")
            assert page.locator("#player").get_attribute("title") == label
            assert label.split(" to ")[0] in page.locator("#words").inner_text()
            assert "chosen" in link.get_attribute("class")
            page.evaluate("document.getElementById('player').contentWindow.segueViewer = undefined")
        assert violations(page) == {}
    assert heard == []
