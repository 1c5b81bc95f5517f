"""The engine: every request does its work, the latest edit wins, an edit of a number changes one leaf of the tree."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue import clips
from segue.language import tree
from segue.language.parser import parse
from segue.serve.actions import ACTIONS
from segue.serve.curves import Measured
from segue.serve.document import changed_text, utf16
from segue.serve.messages import REQUESTS
from segue.serve.requests import (
    AskHelp,
    CancelJob,
    Change,
    Check,
    Commit,
    Compare,
    Complete,
    Cuts,
    Drag,
    Edit,
    Explain,
    Export,
    Footprint,
    Hello,
    Listing,
    Open,
    Redo,
    Resolve,
    Revert,
    Save,
    Show,
    StartJob,
    Try,
    Undo,
    Variants,
)
from segue.serve.worker import Worker
from tests.serve.engines import SCRIPT, Page, engine_of, of_kind

TRANSITION = "1/0"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with engine_of(tmp_path_factory.mktemp("engine"), file="test.segue") as made:
        yield made


@pytest.fixture(autouse=True)
def _restored(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "page" in request.fixturenames:
        document = request.getfixturevalue("page").engine.document
        while document.can_undo:
            document.undo()
        request.getfixturevalue("page").engine.changed()
        assert document.text == SCRIPT
        assert request.getfixturevalue("page").engine.wait(60)


def handle(page: Page, what: str) -> dict[str, Any]:
    return next(each for each in page.last("timeline")["handles"] if each["what"] == what)


def set_handle(page: Page, what: str, number: str, **more: Any) -> list[dict[str, Any]]:
    at = handle(page, what)
    change = Change(at["start"], at["stop"], at["prefix"] + number + at["suffix"])
    return page.ask(Edit(page.last("doc")["rev"], (change,), **more))


def test_every_request_has_an_action() -> None:
    assert set(ACTIONS) == set(REQUESTS.values())


def test_the_welcome_lists_extensions_and_points(page: Page) -> None:
    welcome = page.all("welcome")[0]
    assert not any(each["extension"] for each in welcome["functions"])
    assert set(welcome["points"]) >= {"left_hand", "right_foot", "hips"}
    assert len(welcome["scene"]["tree"]["segments"]) == len(welcome["scene"]["tree"]["parents"])


@pytest.mark.parametrize(("what", "number"), [("leave", "1.8"), ("enter", "0.3"), ("duration", "0.5")])
def test_a_handle_moves_with_its_number(page: Page, what: str, number: str) -> None:
    before = handle(page, what)
    set_handle(page, what, number)
    after = handle(page, what)
    assert after["value"] == pytest.approx(float(number))
    moved = (float(number) - before["value"]) / before["scale"]
    if what != "enter":  # trimming the second motion leaves the gap where it is
        assert after["time"] - before["time"] == pytest.approx(moved)
    assert f"{number}" in page.last("doc")["text"]


def test_a_drag_sends_only_frames_that_changed(page: Page) -> None:
    sent = set_handle(page, "leave", "1.85", gesture="drag")
    motion = of_kind(sent, "motion")
    fresh = page.engine.evaluated
    assert fresh is not None
    assert fresh.motion is not None
    # the gap alone: what comes before stays, what comes after is moved
    assert [each.tolist() for each in motion["data"]["spans"]] == [[pytest.approx(1.85 * 60, abs=2), 36]]
    assert "shapes" not in motion["body"]
    np.testing.assert_allclose(page.figure.roots(), fresh.motion.poses.root, atol=1e-6)
    page.ask(Revert("drag"))
    assert page.last("doc")["text"] == SCRIPT


CHAIN = "".join(f"{name} = repeat(make_loop(clips.{name}), duration=4)\n" for name in ("walk", "run")) + (
    "a = transition(walk, run, 0.5, leave=3, enter=0.3)\n"
    'b = transition(a, walk, 0.5, leave="end", enter=0.3)\n'
    "wave = retime(trim(only(clips.wave, right_arm), 1, 2), 5)\n"
    'c = transition(b, mirror(run), 0.5, leave="end", enter=0.3)\nfill_gaps(wave + (c - retime(wave, 4.8, 1.4)))\n'
)


def test_frames_after_many_drags_are_those_that_a_new_page_gets(tmp_path: Path) -> None:
    with engine_of(tmp_path, CHAIN) as page:
        figure, counts = page.figure, []
        assert figure.count == page.last("motion")["data"]["spans"][:, 1].sum()
        handles = page.last("timeline")["handles"]
        leave = next(each for each in handles if each["what"] == "leave")
        rev = page.last("doc")["rev"]
        # frames, a time between two frames, and back to times that were there before
        for number in ("2.9", "2.85", "2.9", "2.7123", "2.7123", "3.05", "3"):
            change = Change(leave["start"], leave["stop"], number)
            for motion in [each for each in page.ask(Edit(rev, (change,), "drag")) if each["kind"] == "motion"]:
                counts.append(sum(count for _, count in motion["data"]["spans"]))
            assert page.engine.evaluated is not None
            assert page.engine.evaluated.motion is not None
            np.testing.assert_allclose(figure.roots(), page.engine.evaluated.motion.poses.root, atol=2e-6)
            other = Page(page.engine)
            other.ask(Hello())
            page.engine.leave(other.client)
            fresh = other.figure
            assert fresh.count == figure.count
            np.testing.assert_array_equal(fresh.moves, figure.moves)
            for name, frames in fresh.frames.items():
                np.testing.assert_array_equal(frames, figure.frames[name], err_msg=name)
        assert max(counts[:3]) < 0.35 * figure.count


def test_a_drag_in_a_chain_solves_one_transition(tmp_path: Path) -> None:
    text = "".join(f"{name} = repeat(make_loop(clips.{name}), duration=4)\n" for name in ("walk", "run"))
    text += "a = transition(walk, run, 0.5, leave=3, enter=0.3)\n"
    text += 'b = transition(a, walk, 0.5, leave="end", enter=0.3)\ntransition(b, run, 0.5, leave="end", enter=0.3)\n'
    with engine_of(tmp_path, text) as page:
        joins = page.engine.preview.memory.joins
        assert joins.solved == 3
        dragged = replace_number(page, "3", "2.9")
        assert joins.solved == 4
    with engine_of(tmp_path, text.replace("leave=3", "leave=2.9")) as page:
        assert page.engine.evaluated is not None
        assert page.engine.evaluated.motion is not None
        assert page.engine.evaluated.motion.poses.rows.tobytes() == dragged


def replace_number(page: Page, before: str, after: str) -> bytes:
    """Replace the number of `leave`, and return the new motion's poses."""
    start = page.engine.document.text.index(f"leave={before}") + len("leave=")
    page.ask(Edit(page.last("doc")["rev"], (Change(start, start + len(before), after),)))
    assert page.engine.evaluated is not None
    assert page.engine.evaluated.motion is not None
    return page.engine.evaluated.motion.poses.rows.tobytes()


def test_text_that_does_not_parse_keeps_the_last_motion(page: Page) -> None:
    rev = page.last("doc")["rev"]
    sent = page.ask(Edit(rev, (Change(0, 0, "("),)))
    doc = of_kind(sent, "doc")
    assert doc["diagnostics"][0]["severity"] == "error"
    assert (doc["tree_rev"], doc["good"]) == (rev, rev)
    assert not [each for each in sent if each["kind"] == "motion"]
    sent = page.ask(Edit(doc["rev"], (Change(0, 1, "nothing = there\n"),)))
    assert "there" in page.last("doc")["diagnostics"][0]["sentence"]
    assert of_kind(page.ask(Edit(1, ())), "doc")["refused"]


def test_undo_and_redo(page: Page) -> None:
    set_handle(page, "leave", "1.7", gesture="a")
    page.ask(Commit("a"))
    page.ask(Undo())
    assert page.last("doc")["text"] == SCRIPT
    page.ask(Redo())
    assert "leave=1.7" in page.last("doc")["text"]


def test_channels_have_a_value_at_every_frame(page: Page) -> None:
    sent = page.ask(Show((), ("effort", "contacts", "torque", "angle", "speed"), ("right_arm",)))
    frames = len(page.engine.evaluated.motion)  # type: ignore[union-attr, arg-type]
    found = {each["channel"]: each for each in sent if each["kind"] == "channel"}
    assert list(found) == ["effort", "contacts", "torque", "angle", "speed"]
    for each in found.values():
        assert each["data"]["values"].shape == (len(each["rows"]), frames)
    assert np.isfinite(found["effort"]["data"]["values"]).all()
    elbow = found["angle"]["rows"].index("right_elbow_flexion")
    low, high = found["angle"]["limits"][elbow]
    assert low <= found["angle"]["data"]["values"][elbow].min() <= found["angle"]["data"]["values"][elbow].max() <= high
    speed = np.gradient(found["angle"]["data"]["values"][elbow], 1 / 60)
    inner = slice(5, 100)  # inside the walk
    np.testing.assert_allclose(found["speed"]["data"]["values"][elbow][inner], speed[inner], atol=0.25)
    steps = of_kind(sent, "contacts")["contacts"]
    assert {each["foot"] for each in steps} == {"left_foot", "right_foot"}
    page.ask(Show())


def test_measures_give_way_to_a_newer_edit(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, order, solved = page.engine, [], threading.Event()
    channel = Measured.channel

    def watched(measured: Measured, name: Any, joints: Any) -> Any:
        if not order:
            engine.solver.submit("a newer edit", lambda: (solved.wait(60), order.append("solved")))
        order.append(name)
        return channel(measured, name, joints)

    monkeypatch.setattr(Measured, "channel", watched)
    page.ask(Show(channels=("angle", "speed")), wait=False)
    _until(lambda: bool(order) and bool(engine.asker._waiting))  # the second channel waits for the solver
    solved.set()
    assert engine.wait(60)
    assert order == ["angle", "solved", "angle", "speed"]
    page.ask(Show())


def test_questions_are_answered(page: Page) -> None:
    found = of_kind(page.ask(Check(request=3)), "findings")
    assert found["request"] == 3
    assert {"foot slide", "torque"} <= {each["measure"] for each in found["findings"]}
    card = of_kind(page.ask(Explain()), "fills")["fills"][0]
    assert (card["node"], card["cut"]) == (TRANSITION, [1.9, 0.2])
    assert card["stop"] - card["start"] == pytest.approx(0.6)
    cut = of_kind(page.ask(Cuts(TRANSITION)), "cutmap")
    assert cut["data"]["cost"].shape == (len(cut["leaves"]), len(cut["enters"]))
    assert cut["present"] == [1.9, 0.2]
    assert of_kind(page.ask(AskHelp("fill")), "help")["text"].startswith("fill(")
    words = of_kind(page.ask(Complete(len("transition(walk, le"), line="transition(walk, le")), "completions")
    assert "leave=" in [each["text"] for each in words["completions"]]
    assert "select one" in of_kind(page.ask(Cuts("0/0")), "error")["sentence"]


def test_variants_come_with_the_edit_that_writes_them(page: Page) -> None:
    sent = page.ask(Variants(TRANSITION, 2))
    made = [each for each in sent if each["kind"] == "variant"]
    assert made
    assert [each["state"] for each in sent if each["kind"] == "job"][-1] == "finished"
    assert [each["index"] for each in sent if each["kind"] == "motion"] == [each["index"] for each in made]
    text = changed_text(SCRIPT, tuple(Change(**each) for each in made[0]["changes"]))
    assert text == SCRIPT.replace("enter=0.2", "enter=0.2, variant=0")


def test_a_tried_line_does_not_change_the_script_but_acts(page: Page) -> None:
    sent = page.ask(Try("duration(running)"))
    assert float(of_kind(sent, "tried")["text"]) == pytest.approx(page.engine.evaluated.motion.duration)  # type: ignore[union-attr]
    sent = page.ask(Try("retime(walk, 1)"))
    assert of_kind(sent, "motion")["node"] == "try"
    page.ask(Try('save(trim(walk, 0, 0.5), "tried.bvh")'))
    assert (page.engine.folder / "tried.bvh").exists()
    assert of_kind(page.ask(Try("walk + ")), "tried")["failed"]
    assert "whole body" in of_kind(page.ask(Try("show walk")), "tried")["text"]


def test_effects_of_the_script_are_off(page: Page) -> None:
    rev = page.last("doc")["rev"]
    page.ask(Edit(rev, (Change(len(SCRIPT), len(SCRIPT), 'save(walk, "effect.bvh")\n'),)))
    assert not page.last("doc")["diagnostics"]
    assert page.last("values")["shown"]
    assert not (page.engine.folder / "effect.bvh").exists()


def test_an_earlier_revision_can_be_compared(page: Page) -> None:
    rev = page.last("doc")["rev"]
    set_handle(page, "leave", "1.6")
    shown = of_kind(page.ask(Compare(rev)), "motion")
    assert (shown["role"], shown["rev"]) == ("compare", rev)
    assert shown["data"]["spans"].tolist() == [[0, shown["body"]["frames"]]]
    assert "not known" in of_kind(page.ask(Compare(99999)), "error")["sentence"]


def test_a_dragged_hand_is_a_target_in_the_text(page: Page) -> None:
    rev = page.last("doc")["rev"]
    motion = page.engine.evaluated.motion  # type: ignore[union-attr]
    assert motion is not None
    time_, figure = 2.2, motion.figure
    hand = figure.point("left_knuckles", motion.at([time_]))[0] + [0.1, 0.15, 0.0]
    for k in range(2):
        place = (float(hand[0]), float(hand[1]), float(hand[2]) + 0.01 * k)
        page.ask(Drag(rev, time_, "left_hand", place, gesture="hand", done=k == 1))
    text = page.last("doc")["text"]
    assert text.count("reach(") == 1
    assert not page.last("doc")["diagnostics"], page.last("doc")["diagnostics"]
    now = page.engine.evaluated.motion  # type: ignore[union-attr]
    assert now is not None
    assert np.linalg.norm(figure.point("left_knuckles", now.at([time_]))[0] - place) < 0.02
    page.ask(Drag(page.last("doc")["rev"], time_, "left_hand", (0.0, 1.0, 2.0), done=True, gesture="again"))
    assert page.last("doc")["text"].count("reach(") == 1
    failed = of_kind(page.ask(Drag(page.last("doc")["rev"], 0.5, "left_hand", (0.0, 1.0, 0.0))), "error")
    assert "fill this time first" in failed["sentence"]


def test_a_footprint_is_moved_and_removed(page: Page) -> None:
    set_handle(page, "duration", "1.2")
    motion = page.engine.evaluated.motion  # type: ignore[union-attr]
    assert motion is not None
    steps = [each for each in page.engine.measured(motion).footprints() if 2.1 < 0.5 * (each.start + each.stop) < 2.9]
    assert steps
    step, rev = steps[0], page.last("doc")["rev"]
    middle = 0.5 * (step.start + step.stop)
    foot: Any = step.foot
    page.ask(Footprint(rev, middle, foot, step.x + 0.03, step.z + 0.02, done=True, gesture="f"))
    assert page.last("doc")["text"].count("footstep(") == 1
    assert not page.last("doc")["diagnostics"], page.last("doc")["diagnostics"]
    page.ask(Footprint(page.last("doc")["rev"], middle, foot, 0.0, 0.0, remove=True))
    assert "footstep" not in page.last("doc")["text"]


def test_files_are_listed_opened_saved_and_exported(page: Page) -> None:
    folder = page.engine.folder
    for path in ("out.bvh", "out.html"):
        assert of_kind(page.ask(Export(path, request=9)), "saved")["what"] == "motion"
        assert (folder / path).stat().st_size > 1000
    entries = of_kind(page.ask(Listing()), "files")["entries"]
    assert {"out.bvh": "clip", "test.segue": "script"}.items() <= {
        each["path"]: each["type"] for each in entries
    }.items()
    assert len(of_kind(page.ask(Listing(search="out.")), "files")["entries"]) == 2
    page.ask(Open("out.bvh"))
    assert page.last("doc")["text"] == 'motion = load("out.bvh")\nmotion\n'
    motion = page.last("motion")
    assert motion["data"]["spans"].tolist() == [[0, motion["body"]["frames"]]]
    page.ask(Save("clip.segue"))
    assert (folder / "clip.segue").exists()
    page.ask(Open("test.segue"))
    assert page.last("doc")["text"] == SCRIPT
    assert "nothing to decide" in of_kind(page.ask(Resolve("mine")), "error")["sentence"]


def test_motions_with_gaps_are_shown_too(page: Page) -> None:
    rev = page.last("doc")["rev"]
    line = "walk - retime(only(clips.wave, right_arm), 1, duration=0.5)\n"
    page.ask(Edit(rev, (Change(len(SCRIPT), len(SCRIPT), line),)))
    rows = {row["label"]: row["pieces"] for row in page.last("timeline")["rows"]}
    assert [piece["what"] for piece in rows["right arm"]] == ["source", "gap", "source"]
    assert page.last("motion")["rev"] == rev + 1


def test_a_job_reports_progress_and_can_be_cancelled(tmp_path: Path) -> None:
    with engine_of(tmp_path, "clips.walk") as page:
        name = page.engine.jobs.start("simulate", ["waltz/box step", "waltz.bvh"])
        page.ask(CancelJob(name))
        _until(lambda: page.all("job")[-1]["state"] == "cancelled")
        page.ask(StartJob("library", ("../x.lib", ".")))
        _until(lambda: page.all("job")[-1]["state"] == "failed")
        assert "outside the folder" in page.last("job")["sentence"]
        assert "no job" in of_kind(page.ask(CancelJob("library 7")), "error")["sentence"]
        assert not list(tmp_path.iterdir())


def _until(true: Any) -> None:
    for _ in range(3000):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError


def test_the_latest_task_wins_and_cancels_the_one_that_runs() -> None:
    worker, done, stop = Worker("test"), [], threading.Event()

    def first() -> None:
        stop.wait(10)
        done.append("first")

    worker.submit("run", first, stop.set)
    for name in ("second", "third"):
        worker.submit("run", lambda name=name: done.append(name))  # type: ignore[misc]
    worker.submit("other", lambda: done.append("other"))
    assert worker.wait(10)
    worker.close()
    assert done in (["first", "third", "other"], ["third", "other"])


NUMBERS = st.one_of(st.integers(0, 10**6).map(str), st.floats(0, 1e6).map(lambda value: f"{value:.3f}"))
NAMES = st.sampled_from(["walk", "a", "clips.run", "left_arm", '"tex😀t"'])
EXPRESSIONS = st.recursive(
    st.one_of(NUMBERS, NAMES),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" + ", "-", " & ", "*"]), inner).map("".join),
        st.lists(inner, max_size=3).map(lambda items: f"f({', '.join(items)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        inner.map(lambda item: f"({item})"),
        inner.map(lambda item: f"g(x={item})"),
    ),
    max_leaves=8,
)
SCRIPTS = st.lists(
    st.one_of(EXPRESSIONS, EXPRESSIONS.map(lambda each: f"m = {each}"), st.just("# grüße 🕺")), min_size=1, max_size=4
).map("\n".join)


def leaves(node: tree.Node) -> Iterator[tree.Number]:
    return (each for each, _ in tree.walk(node) if isinstance(each, tree.Number))


def replaced(node: Any, leaf: tree.Number, value: float) -> Any:
    """Return a tree with one leaf replaced."""
    if node is leaf:
        return replace(node, value=value)
    if isinstance(node, tuple):
        return tuple(replaced(each, leaf, value) for each in node)
    if not isinstance(node, tree.Node):
        return node
    fields = {name: replaced(getattr(node, name), leaf, value) for name in node.__dataclass_fields__ if name != "span"}
    return replace(node, **{name: each for name, each in fields.items() if each is not getattr(node, name)})


@settings(max_examples=150, deadline=None)
@given(SCRIPTS, st.data())
def test_an_edit_of_the_number_at_a_span_gives_the_tree_with_that_leaf_replaced(text: str, data: st.DataObject) -> None:
    script = parse(text)
    numbers = list(leaves(script))
    if not numbers:
        return
    leaf = data.draw(st.sampled_from(numbers))
    number = data.draw(NUMBERS)
    start, stop = (utf16(text, offset) for offset in leaf.span)
    after = changed_text(text, (Change(start, stop, number),))
    assert parse(after) == replaced(script, leaf, float(number))
    again = next(each for each in leaves(parse(after)) if each.span[0] == leaf.span[0])
    assert after[slice(*again.span)] == number


def test_built_in_clips_are_listed(page: Page) -> None:
    assert page.all("welcome")[0]["clips"] == list(clips.NAMES)
    assert json.dumps(page.all("welcome")[0]["scene"])


def test_a_page_that_is_opened_later_is_not_told_that_the_engine_solves(tmp_path: Path) -> None:
    with engine_of(tmp_path) as first:
        first.engine.wait(120)
        second = Page(first.engine)
        second.ask(Hello())
        assert second.last("values")["rev"] == first.engine.document.rev
        assert second.last("state")["busy"] is False
