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
