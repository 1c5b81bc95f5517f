"""Pages that play motions, for notebooks and files."""

from __future__ import annotations

import base64
import hashlib
import html
import importlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from string import Template

from segue.errors import ArgumentError, FileFormatError
from segue.filesystem import atomic_write
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.view.strips import Fill
from segue.view.web.contents import ShownForces, ShownMotion, contents

ENTRY = "page.js"
"""The module that starts a page by itself. The studio serves the modules as they lie; a page has them joined."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=const|class|function)", re.MULTILINE)
_SUFFIXES = (".html", ".htm")
_LOWEST = 200  # pixels in which controls and a figure still have room


def check_page_suffix(path: str | Path) -> None:
    """Raise FileFormatError if a file's suffix is not that of a page."""
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise FileFormatError(f"suffix '{suffix}': a page's name ends in {' or '.join(_SUFFIXES)}", path)


@dataclass(frozen=True)
class Page:
    """A page that plays motions, as the value of a notebook's cell or as a file for any browser.

    text: the whole page in HTML, which loads nothing from the network. title: of the page. height: in a notebook, in
    pixels.
    """

    text: str = field(repr=False)
    title: str
    height: int = 520

    def save(self, path: str | Path) -> None:
        """Write the page as a .html file. The same motions give the same bytes."""
        check_page_suffix(path)
        with atomic_write(path) as beside:
            beside.write_text(self.text, encoding="utf-8", newline="\n")

    def display(self) -> None:
        """Show the page in the notebook from the middle of a cell."""
        try:
            notebook = importlib.import_module("IPython.display")
        except ModuleNotFoundError:
            raise ArgumentError(
                "there is no notebook to show the page in: save it as a .html file and open that in a browser"
            ) from None
        notebook.display(self)

    def _repr_html_(self) -> str:
        """Return a frame that holds the page and runs only its own script."""
        quoted, name = html.escape(self.text), html.escape(self.title)
        return (
            f'<iframe title="{name}" srcdoc="{quoted}" sandbox="allow-scripts" allow="fullscreen" '
            f'style="width: 100%; height: {self.height}px; border: 0; border-radius: 8px"></iframe>'
        )


def page(
    motions: Motion | Mapping[str, Motion],
    *,
    fills: Callable[[Motion], Iterable[Fill]] | None = None,
    title: str | None = None,
    height: int = 520,
    together: bool = False,
    forces: Mapping[str, ShownForces] | None = None,
    ground: Ground | str | None = "auto",
    mesh: bool = True,
) -> Page:
    """Return a page that plays a motion, or several by their labels side by side.

    fills: a function that returns the fills of a motion, which are coloured as in `filled`. title: of the page, by
    default the labels. height: in a notebook, in pixels. together: start with the motions in place, as partners in a
    dance, not side by side. forces: on motions, by their labels. ground: under all motions; "auto" shows
    the treads or the slope that is found under each, None a floor at 0. mesh: show the meshes of files that have one.
    """
    labelled = {motions.source.name: motions} if isinstance(motions, Motion) else motions
    if height < _LOWEST:
        raise ArgumentError(f"height is {height}: a page needs at least {_LOWEST} pixels")
    name = title if title is not None else " and ".join(labelled)
    pushed = forces or {}
    shown = [
        ShownMotion(label, motion, tuple(fills(motion)) if fills else (), pushed.get(label), ground, mesh)
        for label, motion in labelled.items()
    ]
    return Page(_viewer(name, page_values(contents(shown, together))), name, height)


def viewer_text() -> tuple[str, str, str]:
    """Return a page with SEGUE_CONTENTS in place of its contents, its style and its script, for frames of other pages.

    A page of several views puts JSON there in which "<" is escaped.
    """
    return _viewer("Motion", "SEGUE_CONTENTS"), _part("viewer.css"), script()


def _viewer(title: str, given: str) -> str:
    return page_text(_part("viewer.html"), _part("viewer.css"), script(), title, given)


def page_values(values: object) -> str:
    """Return values as JSON for a page, without "<": a name may contain a closing tag."""
    return json.dumps(values, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")  # only in strings


def page_text(frame: str, style: str, code: str, title: str, given: str) -> str:
    """Return a page: its frame with its style, its script and its contents, and a policy that allows no others."""
    return Template(frame).substitute(
        policy=html.escape(policy((style,), (code,))),
        title=html.escape(title),
        style=style,
        contents=given,
        script=code,
    )


@lru_cache(maxsize=2)
def script(entry: str = ENTRY) -> str:
    """Return a page's script, from the module that starts it. All modules are in one function."""
    return joined(modules(entry, _part), _part)


def modules(entry: str, read: Callable[[str], str]) -> list[str]:
    """Return the names of a module and of all that it imports, each after those that it imports itself.

    read: a function that returns the text of a module. Two modules must not import each other.
    """
    order: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ArgumentError(f"the modules {' and '.join(above[above.index(name) :])} import each other")
        if name not in order:
            for other in _IMPORT.findall(read(name)):
                visit(other, (*above, name))
            order.append(name)

    visit(entry, ())
    return order


def joined(names: Iterable[str], read: Callable[[str], str]) -> str:
    """Return modules as one script, without their imports and exports. No two of them may declare the same name."""
    parts = (_EXPORT.sub("", _IMPORT.sub("", read(name))) for name in names)
    return "\n".join(['(() => {\n"use strict";\n', *parts, "})();"])


def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Return a content security policy that allows these styles and scripts, and no requests."""
    style, code = (" ".join(f"'sha256-{_digest(part)}'" for part in parts) for parts in (styles, scripts))
    return (
        f"default-src 'none'; script-src {code}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(part: str) -> str:
    return base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
