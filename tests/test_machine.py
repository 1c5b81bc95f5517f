"""Kernels linked into one module give what numba's own calls give, without numba."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from segue.compiled.kinds import Mismatch, array_kind, converted, text_of, words_of
from segue.compiled.machine import file_name, open_module
from segue.compiled.machine.link import compiler, sources_of

CALLS = """
import sys
{before}
import numpy as np
from segue.curves.quaternion_kernels import dot, cross
from segue.body.forward_kernels import forward_pose
a, b = np.array([1.0, 2.0, 3.0]), np.array([-0.5, 4.0, 0.25])
print(dot(a, b).hex(), [x.hex() for x in cross(a, b)])
{after}
"""
PACK = """
from typing import NamedTuple
from segue.compiled import kinds
class Inner(NamedTuple):
    rows: object
    on: bool
class Outer(NamedTuple):
    inner: Inner
    count: int
    size: float
    other: object
value = Outer(Inner(np.arange(12.0)[::-2], True), -7, 0.25, np.ones((3, 4), dtype=np.int32, order="F"))
words = []
kinds._append(value, words)
assert np.frombuffer(kinds.pack[0](value)[0], np.uint64).tolist() == words
assert kinds.pack[0](Inner("text", True)) is None
frozen = np.arange(3.0)
frozen.flags.writeable = False
values = [value, value._replace(count=3), value._replace(other=frozen), value.inner]
packed = [kinds.Ref(each).mark for each in values]
kinds.pack.clear()
assert [kinds.Ref(each).mark for each in values] == packed
assert packed[0] is packed[1] and len(set(packed)) == 3
"""
LINK = """
from segue.compiled.machine import cached_file
from segue.compiled.machine.link import link
vector = ["a", "<f8", 1, "C", 0]
kernels = [f"segue.curves.quaternion_kernels.{name}" for name in ("dot", "cross")]
print(link(cached_file(), signatures={kernel: [[vector, vector]] for kernel in kernels}))
"""


def run(folder: Path, code: str, **settings: str) -> str:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)} | settings
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(compiler() is None, reason="no C compiler")
def test_linked_kernels_need_no_numba_and_give_the_same_bits(tmp_path: Path) -> None:
    expected = run(tmp_path, CALLS.format(before="", after=""), SEGUE_MACHINE_CODE="0")
    assert int(run(tmp_path, LINK, SEGUE_MACHINE_CODE="0")) == 2
    without = "sys.modules['numba'] = sys.modules['llvmlite'] = None"
    assert run(tmp_path, CALLS.format(before=without, after="")) == expected
    convert = "print(dot(np.arange(6)[::2], b), dot(a, b[::-1]))"  # other types and orders than were compiled
    assert run(tmp_path, CALLS.format(before=without, after=convert)) == f"{expected}9.0 6.75\n"
    assert run(tmp_path, CALLS.format(before=without, after=PACK)) == expected
    refused = "from segue.errors import SegueError\ntry:\n    dot('a', b)\nexcept SegueError as e:\n    print(e)"
    said = run(tmp_path, CALLS.format(before=without, after=refused))
    assert "segue.curves.quaternion_kernels.dot was not compiled for these arguments: install numba" in said
    machine = open_module(tmp_path / file_name())
    assert machine is not None
    assert sorted(machine.names()) == [f"segue.curves.quaternion_kernels.{name}" for name in ("cross", "dot")]
    machine._table["files"] = [(path, "changed") for path, _ in machine._table["files"]]
    assert machine.function("segue.curves.quaternion_kernels", "dot", print) is None


def test_a_file_that_is_no_module_is_left_aside(tmp_path: Path) -> None:
    (tmp_path / file_name()).write_bytes(b"not a module")
    assert open_module(tmp_path / file_name()) is None
    assert open_module(tmp_path / "missing") is None


def test_the_files_of_a_kernel_are_those_that_its_module_imports() -> None:
    files = sources_of("segue.body.forward_kernels")
    assert {"body/forward_kernels.py", "curves/quaternion_kernels.py", "compiled/jit.py"} <= set(files)


def test_arrays_are_converted_only_where_nothing_is_lost() -> None:
    kind = array_kind("<f8", 1, np.zeros(1).flags.num)
    copies: list[tuple[object, object]] = []
    assert converted(kind, np.arange(4)[::2], copies).tolist() == [0.0, 2.0]
    assert len(copies) == 1
    with pytest.raises(Mismatch):
        converted(["i"], 1.5, copies)
    with pytest.raises(Mismatch):
        converted(array_kind("<i8", 1, np.zeros(1).flags.num), np.zeros(2), copies)
    assert (text_of(kind), words_of(kind)) == ('["a","<f8",1,"C",0]', 7)
