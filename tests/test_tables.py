"""Tables in text files: what they say, and one sentence where they say nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.body.rolemap import load_map
from segue.errors import FileFormatError
from segue.tables import json_table, read_text, toml_table


@pytest.mark.parametrize(
    ("parse", "text", "line", "said"),
    [
        (toml_table, "a = 1\nb = ", 2, "not TOML (Invalid value)"),
        (toml_table, "a = " + "[" * 5000, None, "not TOML (its lists are too deep)"),
        (toml_table, "a = " + "9" * 5000, None, "not TOML (Exceeds the limit"),
        (json_table, '{\n"a": }', 2, "not JSON (Expecting value)"),
        (json_table, "[" * 100_000, None, "not JSON (its lists are too deep)"),
        (json_table, "9" * 5000, None, "not JSON (Exceeds the limit"),
    ],
    ids=range(6),
)
def test_what_cannot_be_read_is_told(parse: Callable[[str, str], Any], text: str, line: int | None, said: str) -> None:
    with pytest.raises(FileFormatError) as told:
        parse(text, "file")
    assert said in str(told.value)
    assert "\n" not in str(told.value)
    assert told.value.line == line


def test_a_mark_of_byte_order_is_no_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_bytes(b'\xef\xbb\xbfpelvis = "Hips"\r\n')
    assert load_map(tmp_path / "map.toml") == {"pelvis": ("Hips",)}
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileFormatError, match="this map file is not text: TOML in UTF-8 is needed"):
        read_text(tmp_path / "bytes.toml", "map file", "TOML")


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 20_000 + " = 1",
        "[a" + ".a" * 101 + "]",
        "x = 1\n" + '"a" . ' * 101 + "a = 2",
        "x = {a" + ".b" * 101 + "=1}",
    ],
)
def test_a_key_with_very_many_dots_is_refused_before_it_is_read(text: str) -> None:
    with pytest.raises(FileFormatError, match="a key has more than 100 dots") as told:
        toml_table(text, "file")
    assert told.value.line == text.count("\n") + 1


def test_dots_that_are_none_of_a_key_are_not_counted() -> None:
    dots = "." * 1000
    text = f'''# {dots}
a = "{dots}\\"{dots}"  # {dots}
b = '{dots}'
c = """{dots}
\\"""{dots}"""
d = \'\'\'{dots}\'\'\'
e = [{"1.5, " * 200}]
f = {{ {", ".join(f"k{k}.l = 1.5" for k in range(200))} }}
'''
    table = toml_table(text, "file")
    assert table["a"] == f'{dots}"{dots}'
    assert len(table["e"]) == len(table["f"]) == 200


@pytest.mark.parametrize("number", ["9" * 400, "9223372036854775808", "-9223372036854775809", "0x" + "f" * 5000])
def test_whole_numbers_have_64_bits(number: str) -> None:
    with pytest.raises(FileFormatError, match="'b' is a whole number of more than 64 bits"):
        toml_table(f"a = [{{ b = [1, {number}] }}]", "file")
    assert toml_table("a = 9223372036854775807", "file") == {"a": 2**63 - 1}


def test_large_numbers_of_json_are_like_any_others() -> None:
    assert json_table("[9223372036854775807, 18446744073709551616]", "file") == [2**63 - 1, 2.0**64]
    assert json_table("9" * 400, "file") == float("inf")
