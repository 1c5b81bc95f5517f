"""Extensions: installed packages that add formats, objectives or functions, found by their entry points."""

from __future__ import annotations

import warnings
from importlib.metadata import entry_points

from segue.errors import SegueWarning

GROUP = "segue.extensions"
"""The group of entry points under which a package names a function of its own that registers what it adds."""


def load_extensions() -> tuple[str, ...]:
    """Let every installed extension register what it adds, and return their names.

    The `segue` command does so before anything else; in Python, importing an extension is up to whoever uses it. Report
    one that fails in a warning and leave it out: it is not to keep the command from working.
    """
    loaded = []
    for entry in entry_points(group=GROUP):
        try:
            entry.load()()
        except Exception as error:
            warnings.warn(
                f"the extension '{entry.name}' ({entry.value}) cannot be used, {type(error).__name__}: {error}",
                SegueWarning,
                stacklevel=2,
            )
        else:
            loaded.append(entry.name)
    return tuple(loaded)
