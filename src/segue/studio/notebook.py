"""Motions that can be edited in a notebook: the studio's stage and time line as a widget."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from segue.errors import ArgumentError
from segue.motion.motion import Motion, check_motion
from segue.serve.document import Document
from segue.serve.engine import Engine
from segue.studio.bundle import module, style

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
