"""Floor of a simulated dance: planned and actual footprints, paths of centre of mass, capture point and pressure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.patheffects import withStroke

from segue.dance.body.shapes import SOLE_POINTS
from segue.dance.planning.model import Bearing, Footprint, Footstep
from segue.dance.simulation import SimulatedDance
from segue.typing import Array
from segue.view.dance_simulation_charts import WIDTH, Part, check_danced, head, ink, stacked
from segue.view.floor_plans import (
    FLOOR,
    Shoe,
    draw_badge,
    draw_line_of_dance,
    draw_shoe,
    on_paper,
    point_on_paper,
    prepare_floor,
)
from segue.view.picture import TEXT, Picture, colour

_MARGIN = 0.27  # m of floor around what is drawn
_SIDE, _HEAD, _BELOW = 0.3, 0.48, 0.66  # inches beside, above and below the floor
_FINEST, _TALLEST = 5.0, 7.0  # inches a metre at most, and inches of floor
_ALONE = {"left": "blue", "right": "vermilion", "mass": "black"}
_COUPLE = (  # dark and light of the colours of both bodies
    {"left": "blue", "right": "sky blue", "mass": "blue"},
    {"left": "vermilion", "right": "orange", "mass": "vermilion"},
)
_LOW = 0.003  # m: toes that are lower stand on the floor
_BESIDE = ((0.0, 0.12), (0.0, -0.12), (0.12, 0.0), (-0.12, 0.0))  # inches from a beat to its number, best first
_APART = 0.17  # inches at least between numbers
_SAME = 0.45  # inches at least between beats that are numbered alike, where a dancer comes by again
_MIDDLE = 0.3  # of the way from ankle to toe joint: the middle of the sole, from which misses are drawn
_LONGEST, _LONGEST_TIMES = 0.16, 100  # m of floor that the arrow of a miss may take, and times its length, at most


def dance_trace(dance: SimulatedDance) -> Picture:
    """Return a dance from above: planned and actual footprints, and the paths of the body over the floor.

    Arrows are the misses of the feet, magnified. Dots on the path of the centre of mass are the beats. The body would
    come to rest if it stepped on the capture point.
    """
    return stacked([trace_part([dance])])


def trace_part(dances: Sequence[SimulatedDance]) -> Part:
    """Return the floor of one dancer, or of two without capture point and pressure, as a part of a picture."""
    for dance in dances:
        check_danced(dance)
    low, high = _extent(dances)
    scale = min((WIDTH - 2 * _SIDE) / (high[0] - low[0]), _TALLEST / (high[1] - low[1]), _FINEST)
    size = scale * (high - low)
    height = _HEAD + size[1] + _BELOW

    def draw(place: SubFigure) -> None:
        box = ((WIDTH - size[0]) / 2 / WIDTH, _BELOW / height, size[0] / WIDTH, size[1] / height)
        axes = place.add_axes(box, facecolor=FLOOR)
        prepare_floor(axes, low, high)
        missed = [_draw_prints(axes, dance, tints, scale) for dance, tints in zip(dances, _tints(dances), strict=True)]
        longer = _draw_misses(axes, [miss for misses in missed for miss in misses])
        if len(dances) == 1:
            _draw_balance(axes, dances[0])
        _draw_mass(axes, dances, scale)
        draw_line_of_dance(place, WIDTH, height, scale)
        head(place, height, "On the floor", _looks(longer, dances))

    return Part(height, draw)


def capture_points(dance: SimulatedDance) -> Array:
    """Return the capture points, (T, 2) in m: x + x' / omega [Pratt2006]."""
    level = dance.centre[:, [0, 2]]
    omega = np.sqrt(dance.environment.gravity / np.maximum(dance.centre[:, 1], 0.1))
    found: Array = level + np.gradient(level, 1.0 / dance.fps, axis=0) / omega[:, None]
    return found


def landed_print(dance: SimulatedDance, step: Footstep) -> Footprint | None:
    """Return the footprint after a footstep, or None if the toes were never on the floor.

    It is the median of the points under ball and toes until the foot's next footstep. These points stay in place when
    the heel rises.
    """
    later = [other.lift for other in dance.plan.footsteps if other.foot == step.foot and other.lift > step.land]
    until = min(later, default=math.inf)
    first = 0 if step.foot == "left" else SOLE_POINTS
    toes = dance.points[:, first + 2 : first + SOLE_POINTS]
    stands = (dance.times > step.land) & (dance.times <= until) & (toes[..., 1].max(axis=1) < _LOW)
    if dance.fall is not None:
        stands &= dance.times < dance.fall.time
    if not stands.any():
        return None
    ball, tip = (toes[stands][:, pair].mean(axis=1) for pair in (slice(0, 2), slice(2, 4)))
    ahead = (tip - ball)[:, [0, 2]]
    heading = float(np.median(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1]))))
    x, z = np.median(ball[:, [0, 2]], axis=0) - float(dance.plan.figure.build.toe[2]) * np.array(
        [math.sin(heading), math.cos(heading)]
    )
    return Footprint(float(x), float(z), heading)


def magnification(miss: float) -> int:
    """Return the magnification of misses, 1, 2, 5, 10, ... . miss: the largest of them, in m."""
    most = min(_LONGEST / max(miss, 1e-9), _LONGEST_TIMES)
    power = 10 ** max(math.floor(math.log10(most)), 0)
    return int(max(step * power for step in (1, 2, 5) if step == 1 or step * power <= most))


def _flights(dance: SimulatedDance) -> list[Footstep]:
    return [step for step in dance.plan.footsteps if step.land > step.lift]


def _badge(dance: SimulatedDance, step: Footstep) -> tuple[float, float]:
    """Return the position of a step's number."""
    return point_on_paper(step.end, 0.0, 0.72 * float(dance.plan.figure.build.toe[2]))


def _upright(dance: SimulatedDance) -> int:
    """Return the number of frames before a fall."""
    return len(dance.times) if dance.fall is None else int(np.searchsorted(dance.times, dance.fall.time))


def _tints(dances: Sequence[SimulatedDance]) -> Sequence[dict[str, str]]:
    """Return the colours of the feet and paths of each dancer."""
    return (_ALONE,) if len(dances) == 1 else _COUPLE


def _extent(dances: Sequence[SimulatedDance]) -> tuple[Array, Array]:
    """Return the lower left and upper right corners of the drawing, on paper."""
    points = []
    for dance in dances:
        prints = [dance.plan.begins.left, dance.plan.begins.right, *(step.end for step in _flights(dance))]
        points += [np.array([(foot.z, foot.x) for foot in prints]), dance.centre[: _upright(dance), [2, 0]]]
    corners = np.concatenate(points)
    return corners.min(axis=0) - _MARGIN, corners.max(axis=0) + _MARGIN


class _Miss(NamedTuple):
    """The planned position of a foot, and its distance from there, on paper."""

    wanted: Array
    off: Array


def _draw_prints(axes: Axes, dance: SimulatedDance, tints: Mapping[str, str], scale: float) -> list[_Miss]:
    """Draw planned and actual footprints, and return the misses."""
    figure = dance.plan.figure
    for side, foot in (("left", dance.plan.begins.left), ("right", dance.plan.begins.right)):
        draw_shoe(axes, foot, Shoe.of(figure, side), "0.7", Bearing.FLAT, fill=0.0, z=2.0)
    middle = _MIDDLE * float(figure.build.toe[2])
    misses = []
    for number, step in enumerate(_flights(dance)):
        shoe, tint, there = Shoe.of(figure, step.foot), colour(tints[step.foot]), landed_print(dance, step)
        z = 2.5 + 0.01 * number
        if there is not None:
            draw_shoe(axes, there, shoe, tint, step.landing, fill=0.5, z=z)
            wanted = np.array(point_on_paper(step.end, 0.0, middle))
            misses.append(_Miss(wanted, np.array(point_on_paper(there, 0.0, middle)) - wanted))
        draw_shoe(axes, step.end, shoe, "0.35", Bearing.FLAT, fill=0.0, z=z + 0.004, line=0.7)
        draw_badge(axes, _badge(dance, step), str(step.step + 1), tint, min(max(2.4 * scale, 6.5), 9.5))
    return misses


def _draw_misses(axes: Axes, misses: Sequence[_Miss]) -> int:
    """Draw the misses as arrows, and return their magnification."""
    longer = magnification(max((float(np.hypot(*miss.off)) for miss in misses), default=1.0))
    look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 8, "shrinkA": 0, "shrinkB": 0, "lw": 1.3}
    for miss in misses:
        tail, tip = (tuple(place.tolist()) for place in (miss.wanted, miss.wanted + longer * miss.off))
        axes.add_patch(FancyArrowPatch(tail, tip, color=ink("red"), zorder=4.7, **look))
    return longer


def _draw_balance(axes: Axes, dance: SimulatedDance) -> None:
    """Draw the paths of centre of pressure and capture point."""
    pressure, capture = (way[: _upright(dance)] for way in (dance.pressure, capture_points(dance)))
    axes.plot(pressure[:, 1], pressure[:, 0], color=colour("green"), lw=0.9, zorder=4, alpha=0.9)
    axes.plot(capture[:, 1], capture[:, 0], ":", color=colour("purple"), lw=1.3, zorder=4.2)


def _draw_mass(axes: Axes, dances: Sequence[SimulatedDance], scale: float) -> None:
    """Draw the paths of the centres of mass, with a dot on each beat, and its number if there is space."""
    plan = dances[0].plan
    taken = [("", _badge(dance, step)) for dance in dances for step in _flights(dance)]
    halo = [withStroke(linewidth=2.2, foreground=FLOOR)]
    look: dict[str, Any] = {"fontsize": 7.5, "color": TEXT, "path_effects": halo, "zorder": 6.5}
    for dance, tints in zip(dances, _tints(dances), strict=True):
        stop, tint = _upright(dance), tints["mass"]
        axes.plot(dance.centre[:stop, 2], dance.centre[:stop, 0], color=colour(tint), lw=1.8, zorder=4.4)
        for k, beat in enumerate(plan.beats):
            if (frame := round(beat * dance.fps)) >= stop:
                break
            place = on_paper(*dance.centre[frame, [0, 2]].tolist())
            number = str(k % plan.tempo.beats_per_bar + 1)
            size = 6.5 if number == "1" else 4.5
            axes.plot(*place, "o", color=colour(tint), mec="white", mew=0.8, ms=size, zorder=6)
            there = _room(place, number, taken, scale)
            if there is not None:
                taken.append((number, there))
                axes.text(*there, number, ha="center", va="center", **look)


def _room(
    place: tuple[float, float], number: str, taken: Sequence[tuple[str, tuple[float, float]]], scale: float
) -> tuple[float, float] | None:
    """Return a free position for the number of a beat, or None if there is none, or the number is already near."""
    if any(other == number and math.dist(place, there) * scale < _SAME for other, there in taken):
        return None
    for across, up in _BESIDE:
        beside = (place[0] + across / scale, place[1] + up / scale)
        if all(math.dist(beside, there) * scale > _APART for _, there in taken):
            return beside
    return None


def _looks(longer: int, dances: Sequence[SimulatedDance]) -> list[Artist]:
    """Return the entries of the legend."""
    looks: list[Artist] = []
    for who, tints in zip(("",) if len(dances) == 1 else ("leader's ", "follower's "), _tints(dances), strict=True):
        feet = {f"{who}left": tints["left"], "right": tints["right"]}
        looks += [Patch(fc=(*colour(tint), 0.5), ec=colour(tint), label=side) for side, tint in feet.items()]
        looks.append(
            Line2D([], [], color=ink(tints["mass"]), lw=1.8, marker="o", mec="white", ms=5, label="mass, on beats")
        )
    looks += [
        Patch(fc="none", ec="0.35", ls="--", label="planned"),
        Line2D([], [], color=ink("red"), lw=1.3, marker=">", ms=4, label=f"miss, times {longer}"),
    ]
    if len(dances) == 1:
        looks += [
            Line2D([], [], color=ink("purple"), ls=":", lw=1.3, label="capture point"),
            Line2D([], [], color=ink("green"), lw=0.9, label="centre of pressure"),
        ]
    return looks
