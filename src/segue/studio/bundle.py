"""The modules of the studio's page as one module, for notebooks, which take a single file."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import resources

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
