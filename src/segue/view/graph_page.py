"""A motion graph as a page: a click on an edge plays its best transition in the viewer."""

from __future__ import annotations

import html
import json
from importlib import resources
from string import Template

from segue.checks import integer
from segue.filling.features import RATE
from segue.graph.graph import Graph
from segue.motion.track_table import TrackSpan
from segue.motion.tracks import TRACKS
from segue.view.graph import Link, clip_radius, link_curve, links_of, places_of, short_name
from segue.view.web.contents import ShownMotion, contents
from segue.view.web.pages import Page, policy, viewer_text

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
        contents=json.dumps(given, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
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
