"""Live viewers in pages: the directive `viewer` shows the motion of an expression in an interactive page.

The page is the one that `segue view` writes. It needs no network, and lies in the folder `_static` of the built pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import segue as sg
from segue.language import evaluate


class Viewer(SphinxDirective):
    """A viewer that plays the motion of an expression; the argument names its file."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write the viewer's page, and return the frame that holds it with the expression below."""
        expression = "\n".join(self.content)
        name = f"{self.arguments[0]}.html"
        shown = nodes.literal_block(expression, expression, language="segue")
        if self.env.app.builder.format != "html":
            return [shown]
        folder = Path(self.env.app.outdir) / "_static"
        folder.mkdir(parents=True, exist_ok=True)
        sg.show(evaluate(expression), title=expression).save(folder / name)
        up = "../" * self.env.docname.count("/")
        frame = f'<iframe class="viewer" src="{up}_static/{name}" title="{self.arguments[0]}" loading="lazy"></iframe>'
        return [nodes.raw("", frame, format="html"), shown]


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("viewer", Viewer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
