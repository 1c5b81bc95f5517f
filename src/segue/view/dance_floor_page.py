"""A dance floor from above as a page: it plays in any browser, and tells what each couple dances and why."""

from __future__ import annotations

import html
import json
from importlib import resources
from string import Template

import numpy as np

from segue.dance.behaviour.choreography import Choreography, DancedCouple
from segue.dance.behaviour.position_verbs import Placing
from segue.dance.behaviour.report import placings
from segue.view.dance_floor import couple_colour
from segue.view.web.page import Page

__all__ = ["floor_page"]

_RATE = 8.0  # moments a second; the page goes evenly from one to the next
_SAID = 3  # behaviours that are named for a decision


def floor_page(evening: Choreography) -> Page:
    """Return a page that plays an evening from above; the same evening gives the same bytes."""
    ground, line = evening.environment.floor, evening.line
    lane = [] if line is None else [line.point(share * line.lap)[:2] for share in np.linspace(0.0, 1.0, 97)[:-1]]
    _, placed = placings(evening, _RATE)
    contents = {
        "width": ground.width,
        "length": ground.length,
        "seconds": round(evening.duration, 3),
        "rate": _RATE,
        "lane": [[round(x, 3), round(z, 3)] for x, z in lane],
        "couples": [_couple(evening, *each) for each in zip(range(len(placed)), evening.couples, placed, strict=True)],
    }
    title = f"{evening.environment.dance}: {len(placed)} couples, {evening.duration:.0f} s"
    text = Template(resources.files(__package__).joinpath("dance_floor_page.html").read_text(encoding="utf-8"))
    # a name may hold what would end the element; in JSON "<" can only be part of a string
    given = json.dumps(contents, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return Page(text.substitute(title=html.escape(title), contents=given), title, height=640)


def _couple(evening: Choreography, number: int, couple: DancedCouple, placing: Placing) -> dict[str, object]:
    """Return what the page shows of a couple; rows: mm and mrad of both bodies and all feet, moment by moment."""
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
                ", ".join(f"{each.process} {each.priority * each.rating:+.2f}" for each in decision.votes[:_SAID]),
            ]
            for decision in couple.decisions
        ],
    }
