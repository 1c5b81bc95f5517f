"""Ctrl-C while the `segue` command loads its modules: one word and exit code 130 instead of a traceback.

``segue/__init__.py`` imports this module first, since Python imports the package before any module in it can run.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import PurePath
from types import FrameType

_INTERRUPTED = 130  # what shells report for a command that Ctrl-C ended


def _is_command() -> bool:
    """Return whether this process was started as `segue` or `python -m segue`, not as a program that imports it."""
    argv0 = getattr(sys, "argv", [""])[0]
    if argv0 == "-m":  # Python sets this while it looks for the module
        return "-m" in sys.orig_argv and sys.orig_argv[sys.orig_argv.index("-m") + 1] == "segue"
    return PurePath(argv0).stem == "segue"


def _leave(number: int, frame: FrameType | None) -> None:
    # nothing has been written yet: leave at once, before code under import can catch and hide an exception
    os.write(2, b"interrupted\n")
    os._exit(_INTERRUPTED)


def loaded() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, once the command is ready to handle it."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _leave)
