"""The other end of `scene.parse_isolated`: the request and the file come in, one archive of arrays goes out.

Workers are scripts. They import this module by its place and nothing else of Segue, which keeps their start short.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np


class Refused(Exception):
    """The file cannot be read; the message is the end of a sentence that begins with the file's name."""


def packed(names: Iterable[str]) -> Any:
    """Return names as an array of bytes, each with a zero behind it."""
    text = "".join(name.replace("\0", "") + "\0" for name in names)
    return np.frombuffer(text.encode("utf-8", "replace"), np.uint8)


def answer(parse: Callable[[bytes, Mapping[str, Any]], Mapping[str, Any]]) -> None:
    """Read the request and the file, and write the arrays that `parse` returns, or why there are none."""
    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(head)
    _limit_memory(request["memory"])
    # a library may print to the standard output, which is the way back
    back = os.dup(1)
    os.dup2(2, 1)
    result: Mapping[str, Any]
    try:
        result = parse(data, request)
    except ImportError:
        result = {"missing": np.array(True)}
    except Refused as refusal:
        result = {"refused": np.array(str(refusal))}
    except MemoryError:
        result = {"refused": np.array("needs more memory than a clip of its size should: it may be damaged")}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        # libraries hand out whatever kind of value stands in the file
        result = {"refused": np.array("holds a value where another kind of value belongs: it may be damaged")}
    buffer = io.BytesIO()
    np.savez(buffer, **result)
    with os.fdopen(back, "wb") as out:
        out.write(buffer.getvalue())
        out.flush()
    os._exit(0)  # a library that crashes on its way out has answered already


def _limit_memory(most: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
