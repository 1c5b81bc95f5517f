"""A motion graph as a picture and as a page, on which a click on an edge plays its best transition."""

from __future__ import annotations

import html
import math
from importlib import resources
from pathlib import Path
from string import Template
from typing import NamedTuple

from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve

from segue.checks import integer
from segue.filling.features import RATE
from segue.graph.graph import Graph
from segue.motion.track_table import TrackSpan
from segue.motion.tracks import TRACKS
from segue.view.picture import TEXT, Picture, blank, colour, course
from segue.view.web.contents import ShownMotion, contents
from segue.view.web.pages import Page, page_values, policy, viewer_text

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


_TITLE = "Motion graph"


def graph_page(graph: Graph, *, most: int = 200) -> Page:
    """Return a page with the graph on the left and a viewer on the right; it loads nothing from the network.

    most: how many links between clips are shown, the cheapest first. Each plays its best transition, with a second of
    both clips.
    """
    integer("the number of transitions", most, least=1)
    links = sorted(links_of(graph), key=lambda link: (graph.edges[link.edges[0]].score, link))[:most]
    shown = [_played(graph, link) for link in links]
    style, code = (_part(f"graph_page.{kind}") for kind in ("css", "js"))
    template, viewer_style, viewer_code = viewer_text()
    given = {"viewer": template, "transitions": shown}
    text = Template(_part("graph_page.html")).substitute(
        # the frame of the viewer has its own policy, and must meet this one, too
        policy=html.escape(policy((style, viewer_style), (code, viewer_code)) + "; frame-src 'self'"),
        title=html.escape(_TITLE),
        style=style,
        summary=html.escape(graph.describe()),
        more=html.escape(_left_out(len(links_of(graph)) - len(links))),
        drawing=_drawing(graph, links),
        contents=page_values(given),
        script=code,
    )
    return Page(text, _TITLE, 640)


def _played(graph: Graph, link: Link) -> dict[str, object]:
    """Return the words and the viewer's contents for the best transition of a link."""
    number = link.edges[0]
    route, edge = graph.transition(number), graph.edges[number]
    (seam,) = route.seams
    names = short_name(seam.first), short_name(seam.second)
    words = (
        f"{names[0]} is left at {edge.trial.leave / RATE:.2f} s, {names[1]} entered at {edge.trial.enter / RATE:.2f} s "
        f"after {edge.trial.frames / RATE:.2f} s; transitions between these clips: {len(link.edges)}"
    )
    fill = TrackSpan(seam.start, seam.stop, tuple(TRACKS))
    motion = ShownMotion(f"{names[0]} to {names[1]}", route.motion, (fill,), ground=None)
    return {"title": f"{names[0]} to {names[1]}", "words": words, "contents": contents([motion])}


def _left_out(count: int) -> str:
    return f" {count} links that cost more are left out." if count > 0 else ""


def _drawing(graph: Graph, links: list[Link]) -> str:
    """Return the clips and links as the content of an SVG drawing, y down."""
    places = places_of(graph)
    parts = []
    for k, link in enumerate(links):
        points = [f"{x:.4f} {-y:.4f}" for x, y in link_curve(places[link.first], places[link.second])]
        names = (short_name(graph.clips[number].name) for number in (link.first, link.second))
        label = html.escape(" to ".join(names))
        curve = f"M {points[0]} C {', '.join(points[1:])}"
        parts.append(
            f'<g class="link" data-link="{k}" tabindex="0" role="button" aria-label="{label}"><title>{label}</title>'
            f'<path class="wide" d="{curve}"/><path class="line" d="{curve}"/></g>'
        )
    for clip, place in zip(graph.clips, places, strict=True):
        left = place.x < -1e-9
        turn = (
            f"rotate({-57.29578 * place.angle + (180 if left else 0):.2f} {1.05 * place.x:.4f} {-1.05 * place.y:.4f})"
        )
        anchor = "end" if left else "start"
        parts.append(f'<circle cx="{place.x:.4f}" cy="{-place.y:.4f}" r="{clip_radius(clip.frames / RATE):.4f}"/>')
        parts.append(
            f'<text x="{1.05 * place.x:.4f}" y="{-1.05 * place.y:.4f}" text-anchor="{anchor}" transform="{turn}">'
            f"{html.escape(short_name(clip.name))}</text>"
        )
    return "\n".join(parts)


def _part(name: str) -> str:
    return resources.files("segue.view").joinpath(name).read_text(encoding="utf-8")
