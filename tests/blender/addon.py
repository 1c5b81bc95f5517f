"""The add-on's modules, with Blender or, for those that do not need it, without."""

from __future__ import annotations

import importlib
import sys
import types
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "blender"
HAS_BLENDER = find_spec("bpy") is not None


def module(name: str) -> Any:
    """Return a module of the add-on; without Blender, the package's own `__init__` is left out."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    if not HAS_BLENDER and "segue_blender" not in sys.modules:
        package = types.ModuleType("segue_blender")
        package.__path__ = [str(FOLDER / "segue_blender")]
        sys.modules["segue_blender"] = package
    return importlib.import_module(f"segue_blender.{name}")
