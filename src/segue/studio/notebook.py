"""Motions that can be edited in a notebook: a widget with the studio's stage and time line, as one module."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from segue.errors import ArgumentError
from segue.motion.motion import Motion, check_motion
from segue.serve.document import Document
from segue.serve.engine import Engine

ENTRY = "studio/notebook.js"
_IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";', re.MULTILINE)
_STYLES = ("studio.css", "timeline.css")

# a module that is made of a text has an address of its own, so imports are rewritten from the innermost module out
_LOADER = """const SOURCES = %s;
const addresses = {};
function address(name) {
  addresses[name] ??= URL.createObjectURL(new Blob([SOURCES[name].replace(
    /^(import \\{[^}]*\\} from )"([^"]+)";/gm, (_, head, path) => `${head}"${address(resolved(name, path))}";`,
  )], { type: "text/javascript" }));
  return addresses[name];
}
function resolved(from, path) {
  return path.startsWith("/view/") ? path.slice(1) : `${from.split("/")[0]}/${path.slice(2)}`;
}
const ready = import(address("%s"));
export default { async render(given) { return (await ready).render(given); } };
"""

_LAYOUT = """
.segue-notebook { display: grid; grid-template-rows: 22rem 15rem; position: relative; overflow: hidden; }
.segue-notebook > * { position: relative; min-height: 0; overflow: auto; }
"""


@lru_cache(maxsize=1)
def module() -> str:
    """Return a module whose default export renders a widget, with all modules that it needs."""
    sources: dict[str, str] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _text(name)
            waiting += [_resolved(name, path) for path in _IMPORT.findall(sources[name])]
    return _LOADER % (json.dumps(sources), ENTRY)


@lru_cache(maxsize=1)
def style() -> str:
    """Return the page's style, which reaches the widget alone."""
    rules = "\n".join(_text(f"studio/{name}") for name in _STYLES).replace(":root", ":scope")
    return f"@scope (.segue-notebook) {{\n{rules}\n}}\n{_LAYOUT}"


def _resolved(name: str, path: str) -> str:
    """Return the name of a module that another one imports."""
    return path.removeprefix("/") if path.startswith("/view/") else f"{name.split('/')[0]}/{path.removeprefix('./')}"


def _text(name: str) -> str:
    package, file = name.split("/")
    return resources.files(f"segue.{package}").joinpath("web", file).read_text(encoding="utf-8")


NAME = "motion"
"""The name of the given motion in the widget's script."""


class MotionEditor(anywidget.AnyWidget):
    """A widget that shows a motion on a stage with its time line. A drag on the time line changes `script`.

    `script` is the text of the document, in which `motion` stands for the given motion. `motion` is the value of its
    last motion.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    script = traitlets.Unicode().tag(sync=True)

    def __init__(self, motion: Motion, script: str = f"{NAME}\n", folder: Path | None = None) -> None:
        check_motion("edit shows", motion)
        self.engine = Engine(folder or Path.cwd(), Document(script), given={NAME: motion})
        super().__init__(_esm=module(), _css=style(), script=script)
        self._client = self.engine.join(self._put)
        self.on_msg(self._take)
        self.observe(self._changed, "script")

    @property
    def motion(self) -> Motion:
        """The motion that the script makes; raise ArgumentError while the script makes none."""
        self.engine.solver.wait(60.0)
        made = self.engine.evaluated
        if made is None or made.motion is None:
            said = self.engine.diagnostics[0].sentence if self.engine.diagnostics else "its last line is no motion"
            raise ArgumentError(f"the script makes no motion: {said}")
        return made.motion

    def close(self) -> None:
        """End the widget and its threads."""
        if hasattr(self, "engine"):  # not if the arguments were refused
            self.engine.close()
        super().close()

    def _take(self, widget: object, content: Any, buffers: object) -> None:
        """Take a message of the page."""
        self.engine.receive(self._client, json.dumps(content))

    def _put(self, message: str | bytes) -> None:
        """Send a message to the page; the text of a document also becomes `script`."""
        if isinstance(message, bytes):
            self.send({"framed": True}, buffers=[message])
            return
        content = json.loads(message)
        if content["kind"] == "doc":
            self.script = content["text"]
        self.send(content)

    def _changed(self, change: Any) -> None:
        """Take a script that Python sets."""
        with self.engine.lock:
            if change["new"] != self.engine.document.text:
                self.engine.document.replace(change["new"])
                self.engine.changed()
