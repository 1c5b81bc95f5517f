"""The pattern analyser and the sheet of symbols."""

from __future__ import annotations

import numpy as np
import pytest

from segue.body.figure import Figure, Poses
from segue.body.human import HUMAN
from segue.dance import plan as make_plan
from segue.dance import preview, preview_couple
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier
from segue.dance.patterns import SHIPPED, DanceLibrary
from segue.dance.planning.model import Plan
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.view import dance_symbols
from segue.view.dance_analyser import VIEWPOINTS, analysed, couple_film
from segue.view.dance_figures import COUPLE_COLOURS, SIDE_COLOURS, in_one_scene, sided_tints, still
from segue.view.picture import colour

LIBRARY = DanceLibrary(SHIPPED)


@pytest.fixture(scope="module")
def danced() -> tuple[Plan, Motion]:
    plan = make_plan("tango/corte", library=LIBRARY)
    return plan, preview(plan, fps=60.0)


def test_a_step_ends_before_the_next_foot_leaves(danced: tuple[Plan, Motion]) -> None:
    plan, _ = danced
    ends = plan.step_ends
    assert len(ends) == len(plan.steps)
    for planned_step, end in zip(plan.steps, ends, strict=True):
        assert planned_step.start < end <= planned_step.stop
        assert not any(step.lift < end < step.land for step in plan.footsteps)


def test_the_sheet_has_a_column_a_step_and_all_viewpoints(danced: tuple[Plan, Motion]) -> None:
    plan, motion = danced
    assert list(VIEWPOINTS) == ["front", "rear", "left", "right", "top", "bottom"]
    picture = analysed(plan, motion)
    texts = [text.get_text() for text in picture.canvas.texts]
    assert "tango: corte" in texts
    for said in (*VIEWPOINTS, "Foot Position", "Beats", "left side", "right side"):
        assert said in texts
    for number, step in enumerate(plan.steps[0].pattern.steps, start=1):
        assert str(number) in texts
        assert any(str(step.foot) in text for text in texts)
    assert len(picture.canvas.images) == len(VIEWPOINTS) * len(plan.steps)
    pixels = picture.pixels()
    for side in ("left", "right"):
        tint = 255 * colour(SIDE_COLOURS[side])
        assert (np.abs(pixels - tint).max(axis=2) < 40).sum() > 200, f"the {side} side is seen"


def test_viewpoints_show_different_sides(danced: tuple[Plan, Motion]) -> None:
    plan, motion = danced
    images = analysed(plan, motion).canvas.images
    count = len(plan.steps)
    front, rear = (np.asarray(images[row * count].get_array()) for row in (0, 1))
    assert front.shape == rear.shape
    assert np.abs(front.astype(int) - rear.astype(int)).mean() > 2.0


def test_every_symbol_has_its_pose() -> None:
    kinds = dance_symbols.posed_symbols()
    shown = {str(symbol.stands_for) for symbols in kinds.values() for symbol in symbols}
    for kind in (Foot, FootPosition, Modifier, Footwork, Head, Body):
        assert {str(member) for member in kind} <= shown
    assert [symbol.stands_for for symbol in kinds["turn"]][-6:] == [1, 2, 3, 4, 5, 6]


def test_the_sheet_of_symbols_names_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dance_symbols, "posed_symbols", _few)
    told: list[tuple[int, int]] = []
    picture = dance_symbols.symbol_sheet(progress=lambda done, total: told.append((done, total)))
    texts = [text.get_text() for text in picture.canvas.texts]
    for symbols in _few().values():
        for symbol in symbols:
            assert symbol.text in texts
    assert told[-1] == (len(told), len(told))


def _few() -> dict[str, list[dance_symbols.Symbol]]:
    return {kind: symbols[-1:] for kind, symbols in _ALL.items()}


_ALL = dance_symbols.posed_symbols()


def test_several_dancers_are_in_one_scene() -> None:
    figure = Figure.standard()
    one = in_one_scene([(figure, Poses.zero(1))])
    two = in_one_scene([(figure, Poses.zero(1)), (figure, Poses.zero(1))])
    assert len(two.starts) == 2 * len(one.starts)
    assert two.owners.max() == one.owners.max() + len(HUMAN.segments)
    assert len(two.owners) == 2 * len(one.owners)


def test_a_still_stands_over_the_origin() -> None:
    poses = Poses.zero(2)
    poses.root[1] = (3.0, 0.9, -2.0)
    assert still(poses, 1).root[0] == pytest.approx([0.0, 0.9, 0.0])
    assert still(poses, 1, np.array([1.0, 0.0, 0.0])).root[0] == pytest.approx([2.0, 0.9, -2.0])
    assert sided_tints().shape == (len(HUMAN.segments), 3)


def test_a_couple_is_filmed() -> None:
    danced = preview_couple("waltz/box step", library=LIBRARY, fps=60.0)
    picture = couple_film(danced, [2.0, 3.0], size=(90, 120))
    assert [text.get_text() for text in picture.canvas.texts] == ["2.00 s", "3.00 s"]
    pixels = picture.pixels()
    for name in COUPLE_COLOURS:
        assert (np.abs(pixels - 255 * colour(name)).max(axis=2) < 60).sum() > 100
    for wrong, words in ((0, "times is 0"), ([99.0], "each must be from 0")):
        with pytest.raises(ArgumentError, match=words):
            couple_film(danced, wrong)
