"""Mutations of bytes, of tokens, of lines and of trees; the same random generator makes the same mutation."""

from __future__ import annotations

import copy
import json
import re
import struct
import tomllib
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

__all__ = [
    "Mutator",
    "in_bytes",
    "in_floats",
    "in_glb",
    "in_json",
    "in_lines",
    "in_numbers",
    "in_tokens",
    "in_toml",
    "mutated",
]

Mutator = Callable[[Random, bytes], bytes]
"""Takes a random generator and an input, returns another one."""

# fmt: off
NUMBERS = (
    "0", "-0", "1", "-1", "2", "0.5", "-0.5", "3", "1e-9", "1e-320", "1e5", "1e9", "1e10", "1e20", "1e38",
    "1e150", "1e308", "-1e308", "1e400", "nan", "inf", "-inf", "255", "65536", "2147483648", "4294967295",
    "9007199254740993", "9223372036854775807", "0x1F", "1_000", "1979-05-27", "true", "1e-7", "1e-8",
    "1000000",
    "9" * 400, "9" * 5000, "0." + "0" * 400 + "1",
)
# fmt: on
TEXTS = (
    "",
    " ",
    "a",
    "\x1b]0;title\x1b\\\x1b[2J",
    "\x9b2J",
    "\u202e",
    "\x00",
    "\n",
    "a" * 5000,
    "9" * 5000,
    "../x",
    "[/]",
    ":smile:",
    "%s{0}",
    "e\u0301",
    "\U0001f57a",
    "\ufeff",
    "nan",
    "Hips",
    "left_knee_flexion",
)
_TOKEN = re.compile(r"\s+|[A-Za-z_][\w-]*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|.", re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WORD = re.compile(r"[A-Za-z_][\w-]*")


def mutated(draw: Random, data: bytes, mutators: tuple[Mutator, ...]) -> bytes:
    """Return an input after one to four mutations; a kind that does not apply to it changes nothing."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        with suppress(RecursionError):  # deep trees that are made deeper
            data = draw.choice(mutators)(draw, data)
    return data


def in_bytes(draw: Random, data: bytes) -> bytes:
    """Change, drop, double or cut off bytes."""
    at, to = sorted(draw.randint(0, len(data)) for _ in range(2))
    to = min(to, at + draw.choice((1, 4, 40, 400)))
    noise = bytes(draw.choice((0, 10, 27, 34, 46, 61, 91, 123, 128, 255, draw.randrange(256))) for _ in range(to - at))
    return draw.choice(
        (
            data[:at] + noise + data[to:],
            data[:at] + noise + data[at:],
            data[:at] + data[to:],
            data[:to] + data[at:],
            data[:at],
            data[at:],
        )
    )


def in_tokens(draw: Random, data: bytes) -> bytes:
    """Replace numbers and words by strange ones, or drop, double and swap tokens."""
    tokens = _TOKEN.findall(data.decode("utf-8", "surrogateescape"))
    if not tokens:
        return data
    kind = draw.choice((_NUMBER, _NUMBER, _WORD, _TOKEN))
    places = [k for k, token in enumerate(tokens) if kind.fullmatch(token)] or list(range(len(tokens)))
    at, other = draw.choice(places), draw.choice(places)
    change = draw.choice(("number", "number", "text", "other", "drop", "double", "swap", "many"))
    if change == "swap":
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif change == "many":
        tokens[at] *= draw.choice((2, 200, 3000))
    else:
        new = {
            "number": draw.choice(NUMBERS),
            "text": draw.choice(TEXTS),
            "other": tokens[other],
            "drop": "",
            "double": tokens[at] * 2,
        }
        tokens[at] = new[change]
    return "".join(tokens).encode("utf-8", "surrogateescape")


def in_numbers(draw: Random, data: bytes) -> bytes:
    """Replace one number by a strange or a scaled one, and leave the rest as it is."""
    text = data.decode("utf-8", "surrogateescape")
    places = list(_NUMBER.finditer(text))
    if not places:
        return data
    chosen = draw.choice(places)
    new = draw.choice(
        (draw.choice(NUMBERS), draw.choice(NUMBERS), f"{float(chosen[0]) * draw.choice((-1, 0, 1e-3, 1e3)):g}")
    )
    return (text[: chosen.start()] + new + text[chosen.end() :]).encode("utf-8", "surrogateescape")


def in_lines(draw: Random, data: bytes) -> bytes:
    """Drop, double, swap or move lines."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, to = sorted(draw.randrange(len(lines)) for _ in range(2))
    to = min(to, at + draw.choice((0, 1, 5, 50)))
    return b"".join(
        draw.choice(
            (
                lines[:at] + lines[to + 1 :],
                lines[: to + 1] + lines[at:],
                lines[:at] + lines[to : to + 1] + lines[at:to] + lines[to + 1 :],
                lines[: to + 1],
                [*lines[:at], lines[at].rstrip(b"\r\n") + b" ", *lines[at + 1 :]],
                [b"\xef\xbb\xbf", *lines],
                [line.rstrip(b"\r\n") + b"\r\n" for line in lines],
            )
        )
    )


def in_json(draw: Random, data: bytes) -> bytes:
    """Change the tree of a JSON text, or of one line of it where each line is one."""
    lines = [data] if b"\n" not in data.strip() else data.splitlines(keepends=True)
    at = draw.randrange(len(lines)) if lines else 0
    for part in (data, lines[at] if lines else b""):
        try:
            tree = json.loads(part)
        except (ValueError, RecursionError):
            continue
        new = json.dumps(_tree(draw, tree)).encode()
        return new if part is data else b"".join([*lines[:at], new + b"\n", *lines[at + 1 :]])
    return data


def in_toml(draw: Random, data: bytes) -> bytes:
    """Change the tree of a TOML text, which is written again with inline tables."""
    try:
        tree = _tree(draw, tomllib.loads(data.decode()))
    except (ValueError, RecursionError):
        return data
    if not isinstance(tree, dict):
        return data
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in tree.items()).encode()


def in_glb(draw: Random, data: bytes) -> bytes:
    """Change the JSON chunk of a .glb, or the numbers in its binary chunk, with lengths that fit."""
    try:
        (length,) = struct.unpack_from("<I", data, 12)
        text, rest = data[20 : 20 + length], data[20 + length :]
    except struct.error:
        return data
    if draw.random() < 0.3:
        rest = rest[:8] + in_floats(draw, rest[8:])
    else:
        text = in_json(draw, text)
    text += b" " * (-len(text) % 4)
    whole = struct.pack("<II", len(text), 0x4E4F534A) + text + rest
    return struct.pack("<4sII", b"glTF", 2, len(whole) + 12) + whole


def in_floats(draw: Random, data: bytes) -> bytes:
    """Replace a number of single precision by a strange one."""
    if len(data) < 4:
        return data
    at = 4 * draw.randrange(len(data) // 4)
    value = draw.choice((0.0, -1.0, 1e-30, 1e5, 1e10, 1e20, 3e38, float("nan"), float("inf")))
    return data[:at] + struct.pack("<f", value) + data[at + 4 :]


def _tree(draw: Random, tree: Any) -> Any:
    """Return a copy of a tree with one node changed."""
    root = [copy.deepcopy(tree)]
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], dict | list):
                waiting.append(node[key])
    node, key = draw.choice(places[1:] or places)
    match draw.choice(("value", "value", "value", "drop", "rename", "double", "deepen", "swap")):
        case "drop" if node is not root:
            del node[key]
        case "rename" if isinstance(node, dict):
            node[draw.choice((*TEXTS, *map(str, node)))] = node.pop(key)
        case "double" if isinstance(node, list) and node is not root:
            node[key:key] = [copy.deepcopy(node[key])] * draw.choice((1, 3, 100))
        case "deepen":
            for _ in range(draw.choice((1, 3, 300))):
                node[key] = draw.choice(([node[key]], {"a": node[key]}))
        case "swap":
            other, there = draw.choice(places)
            node[key] = copy.deepcopy(other[there]) if there in other or isinstance(other, list) else None
        case _:
            node[key] = _leaf(draw, node[key])
    return root[0]


def _leaf(draw: Random, old: Any) -> Any:
    text = draw.choice(NUMBERS)
    numbers: list[Any] = [0, 1, -1, 2**31, 2**53, 10**400, 0.5, 1e-9, 1e10, 1e20, 1e308, -1e308]
    if isinstance(old, int | float) and not isinstance(old, bool):
        numbers += [-old, old * 1000, old + 1, old // 3]
    choices: list[Any] = [*numbers, *numbers, *TEXTS, text, None, True, [], {}, [old], [old] * 3, {"a": old}]
    return draw.choice(choices)


def _inline(value: Any) -> str:
    """Return a value as TOML, on one line; what TOML does not have, such as null, stays wrong."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, float | int | str | bool | None):
        text = json.dumps(value)
        return {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.get(text, text)
    return str(value)
