"""Names of a package that are imported when they are first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    modules: for each module of the package, by its name below the package, the names that it provides, separated by
    blanks. A name without a module of its own is a module itself: `{"clips": ""}`.
    """
    homes = {name: module for module, names in modules.items() for name in names.split() or [module]}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        module = import_module(f"{package}.{homes[name]}")
        value = module if name == homes[name] else getattr(module, name)
        setattr(sys.modules[package], name, value)  # the next use finds it without this function
        return value

    names = sorted(homes)
    return find, lambda: names, names
