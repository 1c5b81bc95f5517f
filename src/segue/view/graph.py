"""A motion graph as a picture: clips around a circle, and the transitions between them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from segue.filling.features import RATE
from segue.graph.graph import Graph
from segue.view.palette import colour, course
from segue.view.picture import TEXT, Picture, blank

_SIZE = (10.0, 10.0)  # inches
_REACH = 1.55  # half of the width of the drawing, in radii of the circle
_BEND = 0.25  # of the way to the middle of the circle to which an edge is bent at its middle
_SHADES = 32
_DEAREST = 1.0  # legs of cost from which all edges look alike
_LOOP = 0.09  # radius of an edge from a clip to itself


class Link(NamedTuple):
    """All transitions from one clip to another: their numbers, best first."""

    first: int
    second: int
    edges: tuple[int, ...]


class Place(NamedTuple):
    """The place of a clip on a circle of radius 1, and its angle in rad."""

    x: float
    y: float
    angle: float


def links_of(graph: Graph) -> list[Link]:
    """Return the pairs of clips with transitions, sorted by clips."""
    found: dict[tuple[int, int], list[int]] = {}
    for k, edge in enumerate(graph.edges):
        found.setdefault((edge.first, edge.second), []).append(k)
    return [
        Link(*pair, tuple(sorted(numbers, key=lambda k: (graph.edges[k].score, k))))
        for pair, numbers in sorted(found.items())
    ]


def places_of(graph: Graph) -> list[Place]:
    """Return where clips are drawn: around a circle in the order of their names, from the top on."""
    count = len(graph.clips)
    angles = [math.pi / 2 - 2.0 * math.pi * k / count for k in range(count)]
    return [Place(math.cos(angle), math.sin(angle), angle) for angle in angles]


def link_curve(first: Place, second: Place) -> list[tuple[float, float]]:
    """Return the start, two control points and the end of the curve of a link; both directions have different ones."""
    if first == second:
        x, y = first.x, first.y
        along, out = (-y, x), 1.0 + 3.0 * _LOOP
        ends = [(out * x + s * 2.0 * _LOOP * along[0], out * y + s * 2.0 * _LOOP * along[1]) for s in (-1.0, 1.0)]
        return [(x, y), *ends, (x, y)]
    middle = 0.5 * (first.x + second.x), 0.5 * (first.y + second.y)
    along = second.x - first.x, second.y - first.y
    aside = (-0.08 * along[1], 0.08 * along[0])
    inner = tuple((1.0 - _BEND) * m + a for m, a in zip(middle, aside, strict=True))
    bent = [(place.x + (inner[0] - place.x) * 0.67, place.y + (inner[1] - place.y) * 0.67) for place in (first, second)]
    return [(first.x, first.y), *bent, (second.x, second.y)]


def short_name(name: str) -> str:
    """Return the name of a clip without folders and suffix."""
    return Path(name).stem


def clip_radius(seconds: float) -> float:
    """Return the radius of the dot of a clip, which grows slowly with its length in s."""
    return 0.012 + 0.006 * math.log1p(seconds)


def draw_graph(graph: Graph) -> Picture:
    """Return the clips of a graph around a circle, and the transitions between them.

    A curve stands for all transitions from one clip to another. The more of them, the wider it is, and the cheaper the
    best, the darker. Dots grow with the length of clips.
    """
    canvas = blank(_SIZE)
    axes = canvas.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(-_REACH, _REACH)
    axes.set_ylim(-_REACH, _REACH)
    axes.set_aspect("equal")
    axes.axis("off")
    places, shades = places_of(graph), course("blue", _SHADES)
    for link in sorted(links_of(graph), key=lambda each: -graph.edges[each.edges[0]].score):
        points = link_curve(places[link.first], places[link.second])
        curve = Curve(points, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
        cost = min(max(graph.edges[link.edges[0]].score, 0.0) / _DEAREST, 1.0)
        tint = shades[round((1.0 - cost) * (_SHADES - 1))]
        width = 0.5 + 0.5 * math.log2(1 + len(link.edges))
        axes.add_patch(PathPatch(curve, facecolor="none", edgecolor=tuple(tint), linewidth=width, alpha=0.55))
    for clip, place in zip(graph.clips, places, strict=True):
        radius = clip_radius(clip.frames / RATE)
        axes.scatter(
            [place.x], [place.y], s=(radius * 72 * _SIZE[0] / _REACH) ** 2, color=colour("vermilion"), zorder=3
        )
        left = math.cos(place.angle) < -1e-9
        turn = math.degrees(place.angle) + (180.0 if left else 0.0)
        axes.text(
            1.06 * place.x,
            1.06 * place.y,
            short_name(clip.name),
            rotation=turn,
            rotation_mode="anchor",
            ha="right" if left else "left",
            va="center",
            fontsize=9,
            color=TEXT,
        )
    axes.text(0.0, -1.5, graph.describe(), ha="center", fontsize=11, color=TEXT)
    return Picture(canvas)
