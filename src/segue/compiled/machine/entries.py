"""Entries of kernels: functions with plain words as arguments, which call.c can call whatever the kernel takes."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from segue.compiled.kinds import Kind, words_of

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
