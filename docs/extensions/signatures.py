"""Signatures for the reference: types as they are written in the source, linked wherever the page of a type is.

Sphinx evaluates annotations, and would write `ndarray[tuple[Any, ...], dtype[float64]]` for what the source calls
`Array`, and a whole paragraph for `npt.ArrayLike`. Where they cannot be evaluated it writes them as they stand.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import FunctionType
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import segue


def _functions(owner: Any) -> Iterator[FunctionType]:
    """Yield the functions of a module or class, those behind properties and those of its classes too."""
    for member in list(vars(owner).values()):
        value = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        value = inspect.unwrap(value) if callable(value) else value
        if isinstance(value, FunctionType):
            yield value
        elif inspect.ismodule(owner) and inspect.isclass(value) and value.__module__ == owner.__name__:
            yield from _functions(value)


def _keep_as_written(app: Sphinx) -> None:
    for module in pkgutil.walk_packages(segue.__path__, "segue."):
        if module.name.endswith("__main__"):
            continue
        try:
            owner = import_module(module.name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "segue":
                raise
            continue  # training needs PyTorch, which the reference is built without
        for function in _functions(owner):
            function.__annotations__ = {**function.__annotations__, "": "kept as written"}


def _find(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element) -> nodes.Element | None:
    """Return a link to the one class that a type's name can mean, whatever module it was written in."""
    if node.get("refdomain") != "py" or node.get("reftype") not in ("class", "obj", "exc"):
        return None
    last = node["reftarget"].rpartition(".")[2]
    found = {
        entry.node_id: entry
        for name, entry in env.get_domain("py").objects.items()
        if name.rpartition(".")[2] == last and entry.objtype in ("class", "exception") and not entry.aliased
    }
    if len(found) != 1:
        return None
    (target,) = found.values()
    return make_refnode(app.builder, node["refdoc"], target.docname, target.node_id, content, last)


def _skip(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples, of which the class says all there is to say."""
    return True if type(member).__name__ == "_tuplegetter" else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Write and link every signature."""
    app.connect("builder-inited", _keep_as_written)
    app.connect("autodoc-skip-member", _skip)
    app.connect("missing-reference", _find)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
