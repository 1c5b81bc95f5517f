"""One sheet with every symbol of the notation: its name, its meaning, and the pose at the end of its step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from segue.body.figure import Figure
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier, Pattern, Step, Turn
from segue.dance.notation.symbols import SYMBOLS, Row, Symbol
from segue.dance.performance.solo import preview
from segue.dance.planning.planner import plan
from segue.typing import Array
from segue.view.camera import Camera
from segue.view.dance_figures import FAINT, Sheet, in_one_scene, sided_tints, still
from segue.view.picture import Picture
from segue.view.render import Image, Look, render

_DANCE = "foxtrot"
_COLUMNS = 8
_MARGIN, _TITLE, _HEADING, _TEXT = 24, 70, 34, 46  # pixels
_CELL = (150, 190)
_GAP = 10
_FORWARD, _SECOND, _FIRST = FootPosition.FORWARD, FootPosition.SECOND, FootPosition.FIRST
_OTHER = {Foot.LEFT: Foot.RIGHT, Foot.RIGHT: Foot.LEFT}


class _Kind(NamedTuple):
    """How symbols of a kind are drawn: heading, camera, and the part of the body between two shares of its stature."""

    heading: str
    camera: Camera = Camera(28.0, 24.0, None)
    low: float = 0.0
    high: float = 1.0


_KINDS: Mapping[str, _Kind] = MappingProxyType(
    {
        "foot": _Kind("Feet"),
        "position": _Kind("Foot positions"),
        "modifier": _Kind("Modifiers"),
        "footwork": _Kind(
            "Footwork, as the left foot lands and at the end of the step", Camera(80.0, 8.0, None), 0.0, 0.36
        ),
        "head position": _Kind("Head positions", Camera(12.0, 10.0, None), 0.62, 1.02),
        "symbol of the body": _Kind("Contra-body movement and sway", Camera(8.0, 16.0, None)),
        "turn": _Kind("Amount of turn, to the left"),
    }
)


class _Shown(NamedTuple):
    """One picture of the sheet: a symbol, its caption, and the image."""

    symbol: Symbol
    caption: str
    image: Image


def posed_symbols() -> dict[str, list[Symbol]]:
    """Return the symbols that have a pose, by kind. Synonyms, beats and the side of a turn have no pose."""
    kinds: dict[str, list[Symbol]] = {kind: [] for kind in _KINDS}
    for symbol in SYMBOLS:
        kind = "turn" if symbol.row is Row.TURN and isinstance(symbol.stands_for, int) else symbol.kind
        is_own = isinstance(symbol.stands_for, int) or str(symbol.stands_for) == symbol.text
        if kind in kinds and is_own and symbol.row is not Row.BEATS:
            kinds[kind].append(symbol)
    return kinds


def symbol_sheet(figure: Figure | None = None, progress: Callable[[int, int], None] | None = None) -> Picture:
    """Return the sheet. figure: of 1.75 m if not given. progress: called with the number drawn so far, and of all."""
    figure = Figure.standard() if figure is None else figure
    kinds = posed_symbols()
    total, done = sum(len(symbols) for symbols in kinds.values()), 0
    shown: dict[str, list[_Shown]] = {}
    for kind, symbols in kinds.items():
        shown[kind] = []
        for symbol in symbols:
            shown[kind] += _drawn(figure, symbol, _KINDS[kind])
            done += 1
            if progress is not None:
                progress(done, total)
    return _laid_out(shown)


def _drawn(figure: Figure, symbol: Symbol, kind: _Kind) -> list[_Shown]:
    """Return pictures of a symbol: at the end of its step, and of footwork also as the foot lands."""
    steps, number = _example(symbol)
    planned = plan([Pattern(_DANCE, "example", steps)], figure)
    motion = preview(planned)
    moments = {symbol.name: float(planned.step_ends[number])}
    if isinstance(symbol.stands_for, Footwork):
        moments = {"lands": planned.steps[number].start, "ends": moments[symbol.name]}
    view = kind.camera.fitting(*_room(figure, kind), (_CELL[0] - _GAP, _CELL[1]), (0.02, 0.0, 0.04))
    look = Look(grid=0.25, fade=0.45, border=0.08)
    pictures = []
    for caption, moment in moments.items():
        pose = motion.at([moment])
        over = figure.point("left_heel", pose)[0] if isinstance(symbol.stands_for, Footwork) else None
        scene = in_one_scene([(figure, still(pose, 0, over))])
        pictures.append(_Shown(symbol, caption, render(scene, sided_tints(), view, look)))
    return pictures


def _room(figure: Figure, kind: _Kind) -> tuple[Array, Array]:
    """Return spheres that hold the drawn part of a figure over the origin, so that a kind has one scale."""
    low, high = figure.stature * kind.low, figure.stature * kind.high
    reach = 0.24 * (high - low)
    middles = [(x, y, z) for x in (-reach, reach) for y in (low, high) for z in (-reach, reach)]
    return np.array(middles), np.full(len(middles), 0.02)


def _example(symbol: Symbol) -> tuple[tuple[Step, ...], int]:
    """Return steps that show a symbol, and the index of the step at whose end it is drawn. The last step closes."""
    before: tuple[Step, ...] = ()
    match symbol.stands_for:
        case Foot.HOLD:
            return (Step(Foot.HOLD, None, 2),), 0
        case Foot() as foot:
            shown = Step(foot, _FORWARD, 2)
        case FootPosition.UNCROSS:
            before, shown = (Step(Foot.RIGHT, FootPosition.CROSS_FRONT, 2),), Step(Foot.LEFT, FootPosition.UNCROSS, 2)
        case FootPosition.IN_PLACE:
            before, shown = (Step(Foot.RIGHT, _SECOND, 2),), Step(Foot.LEFT, FootPosition.IN_PLACE, 2)
        case FootPosition() as position:
            shown = Step(Foot.LEFT, position, 2)
        case Modifier() as modifier:
            shown = _MODIFIED[modifier]
        case Footwork() as footwork:
            shown = Step(Foot.LEFT, _WORKED[footwork], 2, footwork=footwork)
        case Head() as head:
            shown = Step(Foot.LEFT, _FIRST, 2, head=head)
        case Body() as body:
            shown = Step(Foot.LEFT, _MOVED.get(body, _FORWARD), 2, body=frozenset({body}))
        case int() as eighths:
            # a turn goes on until the other foot has closed
            turn = Turn(eighths, left=True) if eighths else None
            return (Step(Foot.LEFT, _FORWARD, 2, turn=turn), Step(Foot.RIGHT, _FIRST, 2)), 1
        case _:
            raise AssertionError(f"{symbol.text} has no pose")
    closing = _OTHER[shown.foot] if shown.takes_weight else shown.foot
    return (*before, shown, Step(closing, _FIRST, 2)), len(before)


def _with(foot: Foot, position: FootPosition, *modifiers: Modifier) -> Step:
    return Step(foot, position, 2, frozenset(modifiers))


_MODIFIED: Mapping[Modifier, Step] = MappingProxyType(
    {
        Modifier.CONTRA_BODY: _with(Foot.LEFT, _FORWARD, Modifier.CONTRA_BODY),
        Modifier.DIAGONAL: _with(Foot.LEFT, _FORWARD, Modifier.DIAGONAL, Modifier.LEFTWARD),
        Modifier.LEFTWARD: _with(Foot.LEFT, _SECOND, Modifier.LEFTWARD),
        Modifier.RIGHTWARD: _with(Foot.RIGHT, _SECOND, Modifier.RIGHTWARD),
        Modifier.NO_WEIGHT: _with(Foot.LEFT, _SECOND, Modifier.NO_WEIGHT),
        Modifier.SMALL: _with(Foot.LEFT, _FORWARD, Modifier.SMALL),
        Modifier.TOE_OUT: _with(Foot.LEFT, _FORWARD, Modifier.TOE_OUT),
        Modifier.PAUSE: _with(Foot.LEFT, _FIRST, Modifier.PAUSE),
    }
)
_WORKED = MappingProxyType(
    {
        Footwork.HEEL: _FORWARD,
        Footwork.TOE: _SECOND,
        Footwork.HEEL_TOE: _FORWARD,
        Footwork.TOE_HEEL: _SECOND,
    }
)
_MOVED = MappingProxyType({Body.SWAY_LEFT: _SECOND, Body.SWAY_RIGHT: _SECOND})


def _laid_out(shown: Mapping[str, Sequence[_Shown]]) -> Picture:
    """Return the sheet: for each kind a heading and rows of pictures."""
    tall = _CELL[1] + _TEXT
    rows = {kind: -(-len(pictures) // _COLUMNS) for kind, pictures in shown.items()}
    width = 2 * _MARGIN + _COLUMNS * _CELL[0]
    height = 2 * _MARGIN + _TITLE + sum(_HEADING + count * tall for count in rows.values())
    draw = Sheet(width, height)
    draw.text(_MARGIN, _MARGIN, "The symbols of the notation", size=18, weight="bold")
    draw.text(_MARGIN, _MARGIN + 34, "Each as the figure stands at the end of a step that has it", size=10, shade=FAINT)
    draw.side_legend(width - _MARGIN, _MARGIN + 4)
    top = _MARGIN + _TITLE
    for kind, pictures in shown.items():
        draw.rule(_MARGIN, width - _MARGIN, top)
        draw.text(_MARGIN, top + 8, _KINDS[kind].heading, size=12, weight="bold")
        for k, (symbol, caption, image) in enumerate(pictures):
            left, down = _MARGIN + (k % _COLUMNS) * _CELL[0], top + _HEADING + (k // _COLUMNS) * tall
            draw.image(left + _GAP / 2, down, image)
            middle = left + _CELL[0] / 2
            draw.text(middle, down + _CELL[1] + 2, symbol.text, size=12, weight="bold", align="center")
            draw.text(middle, down + _CELL[1] + 22, caption, size=7.5, shade=FAINT, align="center")
        top += _HEADING + rows[kind] * tall
    return draw.picture
