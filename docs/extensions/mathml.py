"""Equations as MathML, which browsers draw themselves: the pages need no network and no script."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


def _drawn(latex: str, display: str) -> str:
    """Return an equation as MathML; bold letters by the style sheet, since browsers no longer heed `mathvariant`."""
    return convert(latex, display=display).replace('mathvariant="bold"', 'class="bold"')


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_drawn(node.astext(), "inline"))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math">{_drawn(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Make `mathml` a way to draw equations."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
