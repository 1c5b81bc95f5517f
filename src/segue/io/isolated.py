"""Run a parser of foreign files in a process of its own, so that a crash of its library ends that process alone."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from segue.errors import FileFormatError, SegueError
from segue.filesystem import read_bytes

MOST_BYTES = 2**30
"""The size of the largest file that is handed to such a parser."""

_SECONDS = 300  # for one file
_MEMORY = 4 * 2**30  # bytes of address space, where the system can limit it


def parse_isolated(worker: str, path: str | Path, library: str, extra: str, **request: Any) -> dict[str, Any]:
    """Return the arrays that a worker makes of a file.

    worker: a script beside this module that calls `_worker.answer`. It gets the content of the file, never its place,
    so that it cannot follow references to other files. library, extra: what the worker imports, and the extra of Segue
    that installs it. request: options of the worker, JSON values.
    """
    data = read_bytes(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileFormatError(f"is larger than {MOST_BYTES >> 20} MB, the most that can be read", path)
    script = Path(__file__).with_name(worker)
    head = json.dumps(request | {"memory": _MEMORY}).encode() + b"\n"
    # without -P the folder of the script would come first among the places to import from
    command = [sys.executable, "-P", str(script.resolve())]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PXR_", "USD"))}
    try:
        with tempfile.TemporaryDirectory() as folder:  # for libraries that read files alone
            done = subprocess.run(
                command, input=head + data, capture_output=True, timeout=_SECONDS, env=environment, cwd=folder
            )
    except subprocess.TimeoutExpired:
        raise FileFormatError(f"is not read after {_SECONDS} s: it may be damaged", path) from None
    except OSError as error:
        raise SegueError(f"Python cannot be started to read {library} files: {error.strerror}") from error
    answer = _arrays(done.stdout) if done.returncode == 0 else {}
    if not answer:
        raise FileFormatError(f"ends the {library} library with a crash: it is damaged, export it again", path)
    if "missing" in answer:
        raise SegueError(f'{library} files need the {library} library: pip install "segue[{extra}]"')
    if "refused" in answer:
        raise FileFormatError(str(answer["refused"]), path)
    return answer


def _arrays(data: bytes) -> dict[str, Any]:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError):
        return {}


def names_of(answer: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the names under a key of an answer, which the worker packed with `_worker.packed`."""
    return tuple(bytes(answer[key]).decode("utf-8", "replace").split("\0")[:-1])
