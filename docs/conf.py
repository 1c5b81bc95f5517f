"""How Sphinx builds the documentation: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import segue

sys.path.insert(0, str(Path(__file__).parent))

project = "Segue"
author = "The Segue developers"
copyright = "2026, The Segue developers"
version = release = segue.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "extensions.docstrings",
    "extensions.mathml",
    "extensions.reference",
    "extensions.segue_lexer",
    "extensions.signatures",
    "extensions.viewer",
]
exclude_patterns = ["extensions"]
nitpicky = True
# types that others have written, or that are no part of the reference, and words in backticks that are no names of it
nitpick_ignore_regex = [(r"py:(class|obj)", r".*")]

# a name such as Function, which two packages have: the link goes to either
suppress_warnings = ["ref.python"]

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
default_role = "py:obj"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autosummary_generate = False
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
add_module_names = False

smartquotes = False  # options keep their two hyphens

html_theme = "furo"
html_title = "Segue"
html_static_path = ["static"]
html_css_files = ["segue.css"]
html_copy_source = False
html_show_sphinx = False
