"""A dance floor from above, as a picture and as a page: paths of the couples, and the behaviours that decided."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Patch, Rectangle

from segue.dance.behaviour.choreography import Choreography, DancedCouple
from segue.dance.behaviour.position_verbs import CouplePositions, CoupleShape, boxes_over, soles
from segue.dance.behaviour.processes import PROCESSES
from segue.dance.behaviour.report import positions_over_time
from segue.errors import ArgumentError
from segue.typing import Array
from segue.view.picture import TEXT, Picture, blank, colour
from segue.view.web.pages import Page, page_text, page_values, script

_COUPLES = ("blue", "vermilion", "green", "purple", "orange", "sky blue", "grey", "black")
_FLOOR, _WALL = "#f6f1e7", "#8a7f6d"
_RATE = 10.0  # samples a second of the paths
_PAGE_RATE = 8.0  # samples a second in a page, which interpolates between them
_REASONS = 3  # behaviours that a page names for a decision
_SNAPSHOTS = 6
_ROUND = np.linspace(0.0, 2.0 * np.pi, 25)[:-1]


def couple_colour(number: int) -> tuple[float, float, float]:
    """Return the colour of a couple by its number from 0. Colours repeat after eight."""
    red, green, blue = colour(_COUPLES[number % len(_COUPLES)])
    return float(red), float(green), float(blue)


def process_colours() -> dict[str, tuple[float, float, float]]:
    """Return a colour for every behaviour, in alternating hues and lightnesses."""
    base = [couple_colour(k) for k in range(len(_COUPLES) - 1)]
    found = {}
    for k, process in enumerate(PROCESSES):
        shade, light = base[k % len(base)], k // len(base)
        red, green, blue = (1.0 - (1.0 - part) * (0.62, 0.3, 0.9)[light % 3] for part in shade)
        found[process.name] = (red, green, blue)
    return found


def couple_outlines(placing: CouplePositions, shape: CoupleShape, moment: int) -> tuple[list[Array], Array]:
    """Return the bodies of leader and follower, (24, 2) points each, and their four soles, (4, 4, 2), as z and x.

    A body is an ellipse from shoulder to shoulder with a point in the direction of the face.
    """
    bodies = []
    for stature, (x, z, heading) in zip(shape.statures, placing.bodies[moment], strict=True):
        across, deep = 0.13 * stature * np.sin(_ROUND), 0.065 * stature * np.cos(_ROUND)
        deep += 0.05 * stature * np.exp(-((np.angle(np.exp(1j * _ROUND)) / 0.35) ** 2))
        sine, cosine = np.sin(heading), np.cos(heading)
        bodies.append(np.stack([z - across * sine + deep * cosine, x + across * cosine + deep * sine], axis=1))
    return bodies, soles(CouplePositions(placing.bodies[[moment]], placing.feet[[moment]]), shape)[0][..., ::-1]


def dance_floor(evening: Choreography, *, times: Sequence[float] | None = None) -> Picture:
    """Return a picture of an evening: all paths, snapshots, and the deciding behaviours of each couple over time.

    times: of the snapshots in s; six at equal distances if not given.
    """
    moments, placed = positions_over_time(evening, _RATE)
    chosen = np.linspace(0.0, evening.duration, _SNAPSHOTS + 1)[1:] if times is None else np.asarray(times, dtype=float)
    if not (len(chosen) and ((chosen >= 0.0) & (chosen <= evening.duration)).all()):
        raise ArgumentError(f"the times must lie between 0 and {evening.duration:.1f} s, the end of the evening")
    canvas = blank((13.0, 8.6), constrained=True)
    columns = 2
    rows = -(-len(chosen) // columns)
    upper, lower = np.array(canvas.subfigures(2, 1, height_ratios=[2.35, 1.0]), dtype=object)
    whole, parts = np.array(upper.subfigures(1, 2, width_ratios=[1.45, 1.0]), dtype=object)
    main = whole.subplots()
    _draw_floor(main, evening)
    for k, placing in enumerate(placed):
        _draw_path(main, placing, k)
        _draw_couple(main, placing, evening.couples[k].planner.shape, len(moments) - 1, k)
    said = f"{evening.environment.dance}, {len(placed)} couples, {evening.duration:.0f} s"
    main.set_title(f"{said}: every way, and where it ended", fontsize=10, color=TEXT)
    grid = np.atleast_1d(parts.subplots(rows, columns)).ravel()
    for axes, time in zip(grid, chosen, strict=False):
        _draw_floor(axes, evening, plain=True)
        for k, placing in enumerate(placed):
            _draw_couple(axes, placing, evening.couples[k].planner.shape, round(float(time) * _RATE), k)
        axes.set_title(f"{time:.0f} s", fontsize=9, color=TEXT)
    for axes in grid[len(chosen) :]:
        axes.set_visible(False)
    _draw_decisions(lower.subplots(), evening)
    return Picture(canvas)


def _draw_floor(axes: Axes, evening: Choreography, plain: bool = False) -> None:
    """Draw floor, walls and line of dance. z points right and x up, so that left turns look like left turns."""
    ground, line = evening.environment.floor, evening.line
    half_z, half_x = 0.5 * ground.length, 0.5 * ground.width
    axes.add_patch(Rectangle((-half_z, -half_x), 2 * half_z, 2 * half_x, fc=_FLOOR, ec=_WALL, lw=1.0 if plain else 2.0))
    if line is not None:
        lane = np.array([line.point(share * line.lap)[:2] for share in np.linspace(0.0, 1.0, 121)])
        axes.plot(lane[:, 1], lane[:, 0], color=_WALL, lw=0.8, ls=(0, (4, 4)), zorder=1)
    if line is not None and not plain:
        for share in (0.125, 0.375, 0.625, 0.875):
            x, z, heading = line.point(share * line.lap)
            axes.annotate(
                "",
                (z + 0.3 * np.cos(heading), x + 0.3 * np.sin(heading)),
                (z, x),
                arrowprops={"arrowstyle": "-|>", "color": _WALL, "lw": 0.8},
            )
    axes.set_aspect("equal")
    axes.set_xlim(-half_z - 0.15, half_z + 0.15)
    axes.set_ylim(-half_x - 0.15, half_x + 0.15)
    if plain:
        axes.set_axis_off()
    else:
        axes.set_xlabel("m", fontsize=8, color=TEXT)
        axes.tick_params(labelsize=8, colors=TEXT)
        for spine in axes.spines.values():
            spine.set_visible(False)


def _draw_path(axes: Axes, placing: CouplePositions, number: int) -> None:
    """Draw the path of the middle of a couple, paler at earlier times."""
    middle = placing.bodies[:, :, 1::-1].mean(axis=1)
    parts = np.stack([middle[:-1], middle[1:]], axis=1)
    fading = np.linspace(0.15, 0.9, len(parts))
    colours = np.column_stack([np.tile(couple_colour(number), (len(parts), 1)), fading])
    axes.add_collection(LineCollection(list(parts), colors=colours, linewidths=1.3, zorder=2))


def _draw_couple(axes: Axes, placing: CouplePositions, shape: CoupleShape, moment: int, number: int) -> None:
    """Draw a couple: the leader, the follower in a paler colour, and all soles."""
    moment = min(moment, len(placing.bodies) - 1)
    (leader, follower), feet = couple_outlines(placing, shape, moment)
    ink = couple_colour(number)
    pale = tuple(1.0 - 0.45 * (1.0 - part) for part in ink)
    axes.add_collection(PolyCollection([_occupied(placing, shape, moment)], facecolors=[(*ink, 0.18)], zorder=3))
    axes.add_collection(PolyCollection(list(feet), facecolors="#55504a", edgecolors="none", zorder=3))
    axes.add_collection(
        PolyCollection([leader, follower], facecolors=[ink, pale], edgecolors="white", linewidths=0.6, zorder=4)
    )


def _occupied(placing: CouplePositions, shape: CoupleShape, moment: int) -> Array:
    """Return the corners (4, 2), as z and x, of the box that a couple occupies with arms and feet."""
    rows = [moment, moment]
    ((x, z, heading, deep, across),) = boxes_over(CouplePositions(placing.bodies[rows], placing.feet[rows]), shape, 1)
    ahead, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    return np.array([[z, x] + a * deep * ahead + b * across * left for a, b in signs])


def _draw_decisions(axes: Axes, evening: Choreography) -> None:
    """Draw the verbs of each couple over time, in the colour of the behaviour with the largest vote."""
    colours, beat = process_colours(), evening.tempo.beat
    seen = set()
    for k, couple in enumerate(evening.couples):
        for decision in couple.decisions:
            process = decision.votes[0].process
            seen.add(process)
            start, lasting = decision.beat * beat, decision.verb.beats * beat
            axes.barh(k, lasting, 0.82, start, color=colours[process], edgecolor="white", linewidth=0.6)
            if lasting / evening.duration > 0.025:
                words = decision.verb.title.split()
                short = "".join(word[0] for word in words) if len(words) > 1 else words[0][:3]
                axes.text(start + 0.5 * lasting, k, short, ha="center", va="center", fontsize=6, color="#222222")
    axes.set_yticks(range(len(evening.couples)), [couple.dancer.name for couple in evening.couples])
    axes.invert_yaxis()
    axes.set_xlim(0.0, evening.duration)
    axes.set_xlabel(
        "s: what was danced (initials), in the colour of the behaviour that decided", fontsize=9, color=TEXT
    )
    axes.tick_params(labelsize=8, colors=TEXT, length=0)
    for k, label in enumerate(axes.get_yticklabels()):
        label.set_color(couple_colour(k))
    for spine in axes.spines.values():
        spine.set_visible(False)
    handles = [Patch(color=colours[each.name], label=each.name) for each in PROCESSES if each.name in seen]
    axes.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.2),
        ncol=6,
        fontsize=8,
        frameon=False,
        handlelength=1.2,
    )


def evening_contents(evening: Choreography) -> dict[str, Any]:
    """Return what a page draws of an evening: floor, line of dance, and places and decisions of all couples."""
    ground, line = evening.environment.floor, evening.line
    lane = [] if line is None else [line.point(share * line.lap)[:2] for share in np.linspace(0.0, 1.0, 97)[:-1]]
    _, placed = positions_over_time(evening, _PAGE_RATE)
    return {
        "width": ground.width,
        "length": ground.length,
        "seconds": round(evening.duration, 3),
        "rate": _PAGE_RATE,
        "lane": [[round(x, 3), round(z, 3)] for x, z in lane],
        "couples": [
            _couple_contents(evening, k, *each) for k, each in enumerate(zip(evening.couples, placed, strict=True))
        ],
    }


def floor_page(evening: Choreography) -> Page:
    """Return a page that plays an evening from above, with each couple's dance and its reasons."""
    title = f"{evening.environment.dance}: {len(evening.couples)} couples, {evening.duration:.0f} s"
    frame, style = (
        resources.files(__package__).joinpath(f"dance_floor_page.{kind}").read_text(encoding="utf-8")
        for kind in ("html", "css")
    )
    given = page_values(evening_contents(evening))
    return Page(page_text(frame, style, script("floor_page.js"), title, given), title, height=640)


def _couple_contents(
    evening: Choreography, number: int, couple: DancedCouple, placing: CouplePositions
) -> dict[str, object]:
    """Return the contents of a couple for the page. rows: mm and mrad of both bodies and all feet, at all times."""
    rows = np.concatenate([placing.bodies, placing.feet], axis=1)
    rows[..., 2] = np.unwrap(rows[..., 2], axis=0)
    shape, beat = couple.planner.shape, evening.tempo.beat
    red, green, blue = (round(255 * part) for part in couple_colour(number))
    return {
        "name": couple.dancer.name,
        "colour": f"#{red:02x}{green:02x}{blue:02x}",
        "statures": [round(each, 3) for each in shape.statures],
        "soles": [[round(each, 3) for each in (sole.heel, sole.tip, sole.half_width)] for sole in shape.soles],
        "rows": np.rint(1000.0 * rows).astype(int).ravel().tolist(),
        "decisions": [
            [
                round(decision.beat * beat, 2),
                decision.verb.name,
                ", ".join(f"{vote.process} {vote.priority * vote.rating:+.2f}" for vote in decision.votes[:_REASONS]),
            ]
            for decision in couple.decisions
        ],
    }
