"""Figures that are posed by gestures: what a goal looks like, and goals that change as limbs are dragged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from segue.body.figure import Figure
from segue.body.human import HUMAN
from segue.body.layout import mirror_name
from segue.checks import choice
from segue.dance.gestures import Gestures
from segue.dance.gestures.anatomy import mirrored_pose
from segue.dance.gestures.posing import dragged, moved_by, poses_of, ranges
from segue.dance.notation.model import Head, Part
from segue.errors import ArgumentError
from segue.motion.motion import Motion
from segue.serve.client import Client
from segue.serve.engine import Engine
from segue.serve.gesture_texts import read_gesture_text
from segue.serve.outlines import GestureOutline, GestureSymbol
from segue.serve.shown import DrawnMotion
from segue.serve.text_replies import Posed
from segue.serve.text_requests import AdoptGesture, GoalOf, Pose, ViewText
from segue.serve.texts import OpenedText
from segue.serve.toml_edits import base_text, change_to, opened_text
from segue.toml_spans import Place, edited, with_table

_FPS = 30.0


def view(engine: Engine, client: Client, request: ViewText, text: OpenedText) -> None:
    """Send the figure in a goal of a gesture, and the ranges of the joints that may move."""
    rev, said, path = text.document.rev, text.document.text, text.path
    goal = request.goal or GoalOf("")

    def work() -> None:
        outline = _good_outline(said, path)
        found = _symbol(outline, goal)
        pose = _pose(found, goal)
        within: dict[str, dict[str, tuple[float, float]]] = {
            joint: dict(ranges(joint, pose.get(joint, {}))) for joint in outline.movements
        }
        client.send(Posed(request.file, rev, within, request=request.request))
        whole: Mapping[str, Mapping[str, float]] = {**_rest(goal.dance), **pose}
        sway = found.sway
        if goal.mirrored:
            whole, sway = mirrored_pose(whole), -sway
        figure = Figure.standard()
        motion = Motion.from_poses(figure, poses_of(whole, figure, sway), _FPS)
        client.send_motion(rev, request.file, "text", 0, DrawnMotion(motion, goal.symbol, mesh=False))

    engine.ask_view(client, request.request, request.file, work)


def pose(engine: Engine, client: Client, request: Pose) -> None:
    """Turn the joints of the category so that a point of the body goes to a place."""
    before = base_text(engine, request.file, request.rev)
    outline = _good_outline(before, opened_text(engine, request.file).path)
    goal, side = request.goal, -1.0 if request.goal.mirrored else 1.0
    found = _symbol(outline, goal)
    segment = choice("segment", request.segment, HUMAN.segments[1:])
    if goal.mirrored:
        segment = mirror_name(segment)
    mirror = np.array([side, 1.0, 1.0])
    check_owned(outline, segment)
    own = _pose(found, goal)
    turned = dragged(
        {**_rest(goal.dance), **own},
        tuple(outline.movements),
        Figure.standard(),
        segment,
        mirror * request.point,
        mirror * request.place,
        found.sway,
    )
    values: dict[Place, object] = {
        (*found.place, "goals", goal.goal, joint, name): int(degrees) if degrees.is_integer() else degrees
        for joint, said in turned.items()
        for name, degrees in said.items()
        if degrees != own.get(joint, {}).get(name, 0.0)
    }
    change_to(engine, client, request, edited(_adopted(before, found), values))


def adopt(engine: Engine, client: Client, request: AdoptGesture) -> None:
    """Write a gesture that comes with Segue into the file."""
    before = base_text(engine, request.file, request.rev)
    outline = _good_outline(before, opened_text(engine, request.file).path)
    change_to(engine, client, request, _adopted(before, _symbol(outline, request.goal)))


def check_owned(outline: GestureOutline, segment: str) -> None:
    """Raise ArgumentError if no joint of the category moves a segment, with the category that does."""
    chain = moved_by(segment)
    if not any(joint in outline.movements for joint in chain):
        owner = outline.others.get(chain[0], "")
        raise ArgumentError(
            f"{chain[0]} belongs to {owner}: gestures of {outline.category} move "
            f"{', '.join(outline.movements)}, so that the symbols of a step never conflict"
        )


def _adopted(text: str, found: GestureSymbol) -> str:
    """Return a text that has a symbol's gesture: that which comes with Segue, if it has none."""
    if found.given:
        return text
    for goal in found.goals:
        text = with_table(text, (*found.place, "goals"), goal)
    return edited(text, {(*found.place, "sway"): found.sway}) if found.sway else text


def _good_outline(text: str, path: Path) -> GestureOutline:
    read = read_gesture_text(text, path)
    if not isinstance(read.outline, GestureOutline) or read.diagnostics:
        sentence = read.diagnostics[0].sentence if read.diagnostics else "this is no file of gestures"
        raise ArgumentError(sentence)
    return read.outline


def _symbol(outline: GestureOutline, goal: GoalOf) -> GestureSymbol:
    for each in outline.symbols:
        if (each.symbol, each.dance) == (goal.symbol, goal.dance) and 0 <= goal.goal < len(each.goals):
            return each
    raise ArgumentError(f"there is no goal {goal.goal + 1} of '{goal.symbol}' in {outline.category}")


def _pose(found: GestureSymbol, goal: GoalOf) -> Mapping[str, Mapping[str, float]]:
    return found.goals[goal.goal]


def _rest(dance: str) -> Mapping[str, Mapping[str, float]]:
    """Return how a leader stands before a gesture: arms in the hold of a dance, the head straight."""
    table = Gestures.load(dance or "waltz", Part.LEADER).table
    return {**table[Part.LEADER].goals[-1], **table[Head.NORMAL].goals[-1]}
