"""Link machine code that numba has cached into one extension module, which needs no numba."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target

from segue.compiled.jit import _SIGNATURE, _symbols
from segue.compiled.kernel import Kernel
from segue.compiled.kinds import Kind, strictness, text_of, words_of
from segue.compiled.machine import PACKAGE, Level, file_digest, open_module, processor
from segue.compiled.numba_kinds import kinds_of, types_of
from segue.compiled.signatures import Signatures, declared, kernel_of
from segue.errors import SegueError

_WORD, _CODE = ir.IntType(64), ir.IntType(32)


def entry_code(context: Any, descriptor: Any, name: str, kinds: list[Kind]) -> str:
    """Return LLVM code of a function of a name that takes arguments from words, and writes the result to words."""
    module = ir.Module(name)
    module.triple = context.codegen().target_data and context.codegen()._llvm_module.triple
    module.data_layout = str(context.codegen().target_data)
    words = _WORD.as_pointer()
    kernel_type = context.call_conv.get_function_type(descriptor.restype, descriptor.argtypes)
    kernel = ir.Function(module, kernel_type, descriptor.llvm_func_name)
    error = kernel_type.args[1]
    entry = ir.Function(module, ir.FunctionType(_CODE, [words, words, error]), name)
    given, wanted, raised = entry.args
    builder = ir.IRBuilder(entry.append_basic_block())
    leaves = kernel_type.args[2:]
    if len(leaves) != sum(map(words_of, kinds[:-1])):
        raise ValueError(f"{descriptor.qualname} takes {len(leaves)} words")
    result = builder.alloca(kernel_type.args[0].pointee)
    builder.store(cgutils.get_null_value(result.type.pointee), result)
    values = [
        builder.load(builder.bitcast(builder.gep(given, [ir.Constant(_WORD, at)]), leaf.as_pointer()))
        for at, leaf in enumerate(leaves)
    ]
    code = builder.call(kernel, [result, raised, *values])
    if descriptor.restype != types.none:
        returned = context.get_returned_value(builder, descriptor.restype, builder.load(result))
        parts = list(context.get_arg_packer([descriptor.restype]).as_arguments(builder, [returned]))
        if len(parts) != words_of(kinds[-1]):
            raise ValueError(f"{descriptor.qualname} returns {len(parts)} words")
        for at, part in enumerate(parts):
            place = builder.gep(wanted, [ir.Constant(_WORD, at)])
            if isinstance(part.type, ir.IntType) and part.type.width < _WORD.width:
                part = builder.zext(part, _WORD)
            builder.store(part, builder.bitcast(place, part.type.as_pointer()))
    builder.ret(code)
    return str(module)


def index_code(names: list[str], table: bytes) -> str:
    """Return LLVM code of the list of entries and of the table."""
    module = ir.Module("index")
    any_entry = ir.FunctionType(_CODE, [_WORD.as_pointer()] * 3)
    entries = ir.ArrayType(any_entry.as_pointer(), len(names))
    text = ir.ArrayType(ir.IntType(8), len(table))
    values = {
        "segue_entries": ir.Constant(entries, [ir.Function(module, any_entry, name) for name in names]),
        "segue_entry_count": ir.Constant(_WORD, len(names)),
        "segue_table": ir.Constant(text, bytearray(table)),
        "segue_table_size": ir.Constant(_WORD, len(table)),
    }
    for name, value in values.items():
        variable = ir.GlobalVariable(module, value.type, name)
        variable.global_constant = True
        variable.initializer = value
    return str(module)


_FLAGS = ["-O2", "-fPIC", "-shared", "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,--strip-all", "-Wl,-z,noexecstack"]
_EXPORTED = "{ global: PyInit__machine; local: *; };\n"


def compiler() -> str | None:
    """Return the C compiler, or None if there is none or if Python's headers are missing."""
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return (shutil.which("cc") or shutil.which("gcc")) if header.is_file() else None


def link(
    target: Path,
    level: Level | None = None,
    progress: Callable[[int, int], None] | None = None,
    signatures: Signatures | None = None,
) -> int:
    """Write an extension module with all declared kernels; return how many functions Python can call.

    level: what numba compiles for in this process, by default this processor with all that it has.
    signatures: by default all that are declared.
    """
    found = compiler()
    if found is None:
        raise SegueError("a C compiler and Python's headers are needed to link kernels")
    context, codes = cpu_target.target_context, list(_codes(declared() if signatures is None else signatures))
    machine_target = _position_independent(context.codegen())
    table = _Table(sorted(level.requires if level is not None else processor()))
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        objects = []
        for at, (kernel, data, called) in enumerate(codes):
            if progress is not None:
                progress(at, len(codes))
            (_, _, (_, bitcode)), descriptor, _, signature, *_ = data
            module = llvm.parse_bitcode(bitcode)
            # other kernels call it by name, though nothing in its own module may
            module.get_function(descriptor.llvm_func_name).linkage = "weak_odr"
            if called:
                kinds = kinds_of(signature)
                if kinds is None:
                    raise SegueError(
                        f"Python cannot take what {kernel.py_func.__name__} returns: {signature.return_type}"
                    )
                name = table.add(kernel, kinds)
                module.link_in(llvm.parse_assembly(entry_code(context, descriptor, name, kinds)))
            objects.append(_emitted(module, machine_target, Path(folder) / f"{at}.o"))
        index = llvm.parse_assembly(index_code(table.entries, table.text()))
        objects.append(_emitted(index, machine_target, Path(folder) / "index.o"))
        (Path(folder) / "exported").write_text(_EXPORTED)
        linked = Path(folder) / target.name
        sources = [str(Path(__file__).with_name(name)) for name in ("call.c", "memory.c")]
        headers = [f"-I{sysconfig.get_path('include')}", f"-I{np.get_include()}"]
        script = f"-Wl,--version-script={Path(folder) / 'exported'}"
        command = [
            found,
            *_FLAGS,
            "-ffunction-sections",
            script,
            *headers,
            *sources,
            *objects,
            "-lm",
            "-o",
            str(linked),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SegueError(f"kernels could not be linked: {done.stderr[-500:]}")
        if open_module(linked) is None:
            raise SegueError("the module of linked kernels cannot be opened")
        os.replace(linked, target)
    return len(table.entries)


def _codes(signatures: Signatures) -> Iterator[tuple[Kernel, Any, bool]]:
    """Return each compilation that is needed: kernel, what numba has cached of it, and whether Python calls it."""
    called: dict[str, set[Any]] = {}
    for name, lists in signatures.items():
        kernel = kernel_of(name)
        if kernel is not None:
            called[name] = {types_of(kernel.py_func, kinds) for kinds in lists}
            for types in called[name]:
                kernel.standalone.dispatcher.compile(types)  # loads what it calls, too
    needed = {name: set(lists) for name, lists in called.items()}
    for module, name, types in _symbols.values():
        needed.setdefault(f"{module}.{name}", set()).add(types)
    for name in sorted(needed):
        kernel = kernel_of(name)
        assert kernel is not None
        for data in kernel.standalone.dispatcher._cache._cache_file.stored():
            types = data[_SIGNATURE].args
            if types in needed[name]:
                yield kernel, data, types in called.get(name, ())


def _position_independent(codegen: Any) -> Any:
    """Return a target for the processor that numba compiles for, with code that may lie at any address."""
    options: dict[str, Any] = {"opt": 3}
    codegen._customize_tm_options(options)
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=options["cpu"], features=options["features"], opt=3, reloc="pic", codemodel="default"
    )


def _emitted(module: Any, target: Any, path: Path) -> str:
    """Write a module's machine code, without the functions by which numba calls it from Python; return the file."""
    for function in module.functions:
        if not function.is_declaration and function.name.startswith("_ZN7cpython"):
            function.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))
    path.write_bytes(target.emit_object(module))
    return str(path)


class _Table:
    """The description of all entries, which the module carries; see `segue.compiled.machine.Machine`."""

    def __init__(self, requires: list[str]) -> None:
        self.entries: list[str] = []
        self._requires = requires
        self._kinds: dict[str, int] = {}
        self._files: dict[str, int] = {}
        self._modules: dict[str, list[int]] = {}
        self._kernels: dict[str, list[tuple[int, list[Kind]]]] = {}

    def add(self, kernel: Kernel, kinds: list[Kind]) -> str:
        """Add a function and return the name of its entry."""
        module, name = kernel.py_func.__module__, kernel.py_func.__qualname__
        if module not in self._modules:
            self._modules[module] = [self._files.setdefault(path, len(self._files)) for path in sources_of(module)]
        self.entries.append(f"segue_entry_{len(self.entries)}")
        self._kernels.setdefault(f"{module}.{name}", []).append((len(self.entries) - 1, kinds))
        return self.entries[-1]

    def text(self) -> bytes:
        """Return the table as JSON."""
        kernels = {}
        for name, overloads in self._kernels.items():
            # those that accept fewer values come first, and so are found by the values that they were compiled for
            ordered = sorted(overloads, key=lambda overload: sum(map(strictness, overload[1])))
            kernels[name] = [(entry, [self._index(kind) for kind in kinds]) for entry, kinds in ordered]
        table = {
            "requires": self._requires,
            "kinds": [json.loads(text) for text in self._kinds],
            "files": [(path, file_digest(path)) for path in self._files],
            "modules": self._modules,
            "kernels": kernels,
        }
        return json.dumps(table, separators=(",", ":")).encode()

    def _index(self, kind: Kind) -> int:
        return self._kinds.setdefault(text_of(kind), len(self._kinds))


def sources_of(module: str) -> list[str]:
    """Return the files of Segue that a module imports, directly or not, and the compilers themselves."""
    found: dict[str, None] = {}
    waiting = [module, "segue.compiled.jit", "segue.compiled.ref_type"]
    while waiting:
        path = _path_of(waiting.pop())
        if path is None or (relative := path.relative_to(PACKAGE).as_posix()) in found:
            continue
        found[relative] = None
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
    return sorted(found)


def _path_of(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != "segue":
        return None
    base = PACKAGE.joinpath(*parts[1:])
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
