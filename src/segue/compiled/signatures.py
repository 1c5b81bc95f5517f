"""Declared signatures: with which types of arguments Python calls each kernel.

The file `signatures.json` lists them. `segue warm` and the build of a wheel compile exactly these signatures, and every
kernel that they call. Without numba a call with other types converts its arguments or fails, so the list has to be
complete. Record it anew after a change of kernels: `make signatures` runs the tests with the environment variable
`SEGUE_RECORD_SIGNATURES`.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from segue.compiled.kernel import Kernel
from segue.compiled.kinds import Kind, Ref, array_kind, name_of, text_of

FILE = Path(__file__).with_name("signatures.json")
Signatures = dict[str, list[list[Kind]]]

_recorded: dict[str, set[str]] = {}


def declared(file: Path = FILE) -> Signatures:
    """Return the kinds of the arguments of each signature, by the name of the kernel with its module."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    tuples = stored["tuples"]

    def opened(kind: str) -> Kind:
        if kind not in tuples:
            code, *rest = kind.split()
            return [code, rest[0], int(rest[1]), rest[2], int(rest[3])] if code == "a" else [code]
        code, cls, fields = tuples[kind]
        return [code, cls, [opened(field) for field in fields]]

    return {name: [list(map(opened, kinds)) for kinds in lists] for name, lists in stored["kernels"].items()}


def declare(signatures: Signatures, file: Path = FILE) -> None:
    """Write the file: a line for each kernel and for each named tuple, so that changes are easy to compare."""
    tuples: dict[str, Kind] = {}

    def closed(kind: Kind) -> str:
        if kind[0] not in "tr":
            return " ".join(map(str, kind))
        entry = [kind[0], kind[1], [closed(field) for field in kind[2]]]
        name = f"{kind[1].rpartition(':')[2] or 'tuple'}-{zlib.crc32(text_of(entry).encode()):08x}"
        tuples[name] = entry
        return name

    kernels = {
        name: [json.loads(text) for text in sorted(text_of(list(map(closed, kinds))) for kinds in lists)]
        for name, lists in sorted(signatures.items())
    }
    parts = [f'"{title}": {_lines(table)}' for title, table in (("tuples", tuples), ("kernels", kernels))]
    file.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def _lines(table: dict[str, Any]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {text_of(table[name])}" for name in sorted(table)) + "\n}"


def kernel_of(name: str) -> Kernel | None:
    """Return the kernel of a name, or None if the source has none of that name."""
    module, _, last = name.rpartition(".")
    try:
        kernel = getattr(import_module(module), last, None)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "segue":
            raise
        return None
    return kernel if isinstance(kernel, Kernel) else None


def kind_of(value: Any) -> Kind:
    """Return the kind of an argument."""
    if isinstance(value, np.ndarray):
        return array_kind(value.dtype.str, value.ndim, value.flags.num)
    if isinstance(value, Ref):
        return ["r", *json.loads(value.mark)[1:]]
    if isinstance(value, tuple):
        return ["t", name_of(type(value)), list(map(kind_of, value))]
    if value is None:
        return ["n"]
    if isinstance(value, bool | np.bool_):
        return ["b"]
    return ["i" if isinstance(value, int | np.integer) else "f"]


def recording(kernel: Kernel, caller: Callable[..., Any], folder: str) -> Callable[..., Any]:
    """Return a function that calls a kernel, and records the types of the arguments if a module of Segue calls.

    folder: a file of this process is written there when the process ends.
    """
    if not _recorded:
        atexit.register(_write_record, Path(folder))
    seen = _recorded.setdefault(f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}", set())

    def call(*args: Any) -> Any:
        if str(sys._getframe(2).f_globals.get("__name__", "")).startswith("segue."):  # tests may call with any types
            seen.add(text_of([kind_of(value) for value in args]))
        return caller(*args)

    return call


def _write_record(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    record = {name: sorted(seen) for name, seen in _recorded.items() if seen}
    (folder / f"{os.getpid()}.json").write_text(json.dumps(record), encoding="utf-8")


def collected(folder: Path, before: Iterable[tuple[str, list[list[Kind]]]] = ()) -> Signatures:
    """Return what all processes have recorded in a folder, and what was declared before."""
    found = {name: {text_of(kinds) for kinds in lists} for name, lists in before}
    for file in folder.glob("*.json"):
        for name, texts in json.loads(file.read_text(encoding="utf-8")).items():
            found.setdefault(name, set()).update(texts)
    return {name: [json.loads(text) for text in sorted(texts)] for name, texts in found.items() if kernel_of(name)}


if __name__ == "__main__":
    recorded = collected(Path(sys.argv[1]))
    if not recorded:
        sys.exit(f"nothing was recorded in {sys.argv[1]}: the declared signatures stay as they are")
    declare(recorded)
    print(f"{sum(map(len, recorded.values()))} signatures of {len(recorded)} kernels are declared")
