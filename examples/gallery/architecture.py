"""Draw the picture of the architecture page: packages, the data that flows between them, and where a new thing goes.

Run it with: python -m examples.gallery.architecture docs/pictures/architecture.svg
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

from segue.filesystem import atomic_write

WIDTH, HEIGHT = 1080, 620
_BOX = {"data": "#e8eef7", "package": "#ffffff", "band": "#f3f3f0"}
_LINE, _NEW = "#3b4252", "#b3541e"

BANDS = (
    (
        "Interfaces",
        20,
        (("cli", "command"), ("language", "function"), ("view", "picture"), ("serve", ""), ("studio", "")),
    ),
    (
        "Foundations",
        520,
        (("spacetime", "term"), ("dynamics", ""), ("body", "joint table"), ("curves", ""), ("compiled", "kernel")),
    ),
)
"""Title, height on the page, and packages, each with what is added there."""

DATA = {
    "files": (20, 180),
    "Clip": (225, 180),
    "Motion": (430, 180),
    "Motion with gaps": (635, 180),
    "seamless Motion": (880, 180),
    "keyframes": (20, 290),
    "a stride": (20, 350),
    "notation": (20, 410),
    "many clips": (20, 470),
    "report": (880, 410),
    "motion graph": (635, 470),
}
"""Places of each kind of data, in pixels."""

FLOW = (
    ("files", "Clip", "io, clips", "file format"),
    ("Clip", "Motion", "motion", ""),
    ("Motion", "Motion with gaps", "motion", ""),
    ("Motion with gaps", "seamless Motion", "filling", ""),
    ("keyframes", "Motion", "keyframe", ""),
    ("a stride", "Motion", "cycle", ""),
    ("notation", "Motion", "dance", "pattern"),
    ("many clips", "motion graph", "library, graph", ""),
)
"""From, to, packages, and what is added there."""

_WIDE, _HIGH = 150, 40


def drawn() -> str:
    """Return the picture as SVG."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="14">',
        f'<marker id="tip" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
        f'<path d="M0,0 L9,4 L0,8 z" fill="{_LINE}"/></marker>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for title, top, packages in BANDS:
        parts.append(f'<rect x="10" y="{top}" width="{WIDTH - 20}" height="84" rx="8" fill="{_BOX["band"]}"/>')
        parts.append(_text(24, top + 47, title, anchor="start", weight="bold"))
        for k, (name, new) in enumerate(packages):
            parts += _package(150 + 184 * k, top + 14, name, new)
    parts += [_box(x, y, name, "data") for name, (x, y) in DATA.items()]
    for first, last, packages_of, new in FLOW:
        parts += _arrow(first, last, packages_of, new)
    parts += _proposals() + _check() + _written()
    parts.append(_text(WIDTH - 24, HEIGHT - 6, "+ marks where a new thing goes", "end", colour=_NEW))
    return "\n".join([*parts, "</svg>", ""])


def _arrow(first: str, last: str, packages: str, new: str) -> list[str]:
    x, y = DATA[first][0] + _WIDE, DATA[first][1] + _HIGH / 2
    to_x, to_y = DATA[last][0], DATA[last][1] + _HIGH / 2
    if y == to_y:
        above = 28 if to_x - x < _WIDE else 8
        path, label_x, label_y = f"M{x},{y} H{to_x - 2}", (x + to_x) / 2, y - above
    else:  # along the row, then up into the motion
        up = DATA[last][0] + 30 + 30 * ((y - 310) // 60)
        path, label_x, label_y = f"M{x},{y} H{up} V{DATA[last][1] + _HIGH + 2}", x + 90, y - 8
    below = [_text(label_x, y + (40 if x + _WIDE > to_x else 18), f"+ {new}", colour=_NEW)] if new else []
    return [_line(path), _text(label_x, label_y, packages, weight="bold"), *below]


def _proposals() -> list[str]:
    """Return the priors, which propose steps to `filling`."""
    x = (DATA["Motion with gaps"][0] + _WIDE + DATA["seamless Motion"][0]) / 2
    y = DATA["Motion"][1] + _HIGH / 2
    return [
        *_package(x - 75, 290, "prior, library", "prior"),
        _line(f"M{x},290 V{y + 4}"),
        _text(x + 8, 268, "proposals", anchor="start"),
    ]


def _check() -> list[str]:
    """Return the way of a motion into a report."""
    x = DATA["seamless Motion"][0] + _WIDE - 20
    label = [
        _text(x - 8, 372, "plausibility", "end", weight="bold"),
        _text(x - 8, 392, "+ measure", "end", colour=_NEW),
    ]
    return [_line(f"M{x},{DATA['seamless Motion'][1] + _HIGH} V{DATA['report'][1] - 2}"), *label]


def _written() -> list[str]:
    """Return the way of a motion back into files."""
    (x, y), to_x = DATA["seamless Motion"], DATA["files"][0] + _WIDE / 2
    path = f"M{x + _WIDE / 2},{y} V{y - 44} H{to_x} V{y - 2}"
    return [_line(path), _text(WIDTH / 2, y - 50, "motion, io: back on the skeleton of the file", weight="bold")]


def _package(x: float, y: float, name: str, new: str) -> list[str]:
    return [_box(x, y, name, "package"), *([_text(x + _WIDE / 2, y + 57, f"+ {new}", colour=_NEW)] if new else [])]


def _box(x: float, y: float, name: str, kind: str) -> str:
    weight = "bold" if kind == "package" else "normal"
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{_WIDE}" height="{_HIGH}" rx="6" fill="{_BOX[kind]}" stroke="{_LINE}"/>'
        + _text(x + _WIDE / 2, y + 25, name, weight=weight)
    )


def _line(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{_LINE}" stroke-width="1.5" marker-end="url(#tip)"/>'


def _text(x: float, y: float, text: str, anchor: str = "middle", weight: str = "normal", colour: str = _LINE) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}" fill="{colour}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    with atomic_write(Path(sys.argv[1])) as beside:
        beside.write_text(drawn(), encoding="utf-8")
