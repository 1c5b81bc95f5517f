"""Manifests changed by hand, with a checksum that fits: what somebody could write who means no good."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Lines = list[dict[str, Any]]


def sealed(head: bytes, body: bytes) -> bytes:
    """Return a manifest whose first line has the checksum of the others."""
    first = json.loads(head)
    first["sha256"] = hashlib.sha256(body).hexdigest()
    return json.dumps(first).encode() + b"\n" + body


def edit(library: Path, change: Callable[[Lines], object]) -> None:
    """Change the lines of a library's manifest, of which the first is about the others, and seal it."""
    path = library / "library.jsonl"
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    change(lines)
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines[1:])
    path.write_bytes(sealed(json.dumps(lines[0]).encode(), body))
