"""Tables in text files: what they say, and one sentence where they say nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from segue.body.roles import load_map
from segue.errors import ArgumentError, FileFormatError
from segue.settings import bind, check_settings, setting, table_text
from segue.tables import Table, json_table, read_table, read_text, toml_table


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


TOML = '''fps = 60
name = "hall"
sizes = [
  [1],
  [2]
]
note = """
[box]
size = 3
"""
[[box]]
size = [1, 2, 3]
set = { "left knee" = 20 }
[[box]]
size = [1, 2]
[box.inner]
deep = true
[clips."walk.bvh"]
'a b'.c = 1
'''
JSON = """{"fps": 60, "name": "hall", "sizes": [[1],
[2]],
"box": [{"size": [1, 2, 3],
"set": {"left knee": 20}}, {
"size": [1, 2], "inner": {
"deep": true}}],
"clips": {"walk.bvh": {
"a b": {"c": 1}}}}
"""


@pytest.fixture(params=["file.toml", "file.json"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    path = tmp_path / request.param
    path.write_text(TOML if path.suffix == ".toml" else JSON, encoding="utf-8")
    return read_table(path, "file of boxes")


def test_values_come_back_as_their_types(table: Table) -> None:
    assert table.number("fps") == table.integer("fps") == 60
    assert table.number("speed", 1.5) == 1.5
    assert table.text("name") == table.choice("name", ["hall", "room"]) == "hall"
    boxes = table.tables("box")
    assert boxes[0].numbers("size", 3) == (1.0, 2.0, 3.0)
    assert boxes[1].table("inner").flag("deep") is True
    assert boxes[1].table("outer").values == {}
    assert table.tables("nothing") == []
    assert list(table.table("clips").table("walk.bvh")) == ["a b"]


@pytest.mark.parametrize(
    ("mistake", "lines", "sentence"),
    [
        (lambda t: t.text("fps"), (1, 1), "'fps' is 60: a text in quotes is needed"),
        (lambda t: t.number("name"), (2, 1), "'name' is 'hall': a number is needed"),
        (lambda t: t.number("fps", most=50), (1, 1), "'fps' is 60: a number of 50 or less is needed"),
        (lambda t: t.integer("fps", least=1, most=9), (1, 1), "'fps' is 60: a whole number from 1 to 9 is needed"),
        (lambda t: t.number("mass"), (None, None), "this file has no 'mass': a number is needed"),
        (lambda t: t.choice("name", ["hal", "room"]), (2, 1), "'name' is 'hall': did you mean 'hal'?"),
        (lambda t: t.texts("sizes"), (3, 1), "'sizes' is [[1], [2]]: a list of texts in quotes is needed"),
        (lambda t: t.flag("name"), (2, 1), "'name' is 'hall': true or false is needed"),
        (lambda t: t.table("name"), (2, 1), "'name' must be a table: write [name] before its values"),
        (lambda t: t.tables("fps"), (1, 1), "'fps' must be a list of tables: write [[fps]] before each"),
        (lambda t: t.check_keys(["fp"]), (1, 1), "this file has no 'fps': did you mean 'fp'?"),
        (lambda t: t.tables("box")[0].check_keys(["size"]), (13, 4), "[box] has no 'set': there are size"),
        (lambda t: t.tables("box")[1].numbers("size", 3), (15, 5), "'size' is [1, 2]: a list of 3 numbers is needed"),
        (lambda t: t.tables("box")[1].number("mass"), (14, 4), "[box] has no 'mass': a number is needed"),
        (lambda t: t.tables("box")[0].table("set").flag("left knee"), (13, 4), "'left knee' is 20: true or false"),
        (lambda t: t.tables("box")[1].table("inner").number("deep"), (17, 6), "'deep' is True: a number is needed"),
        (
            lambda t: t.table("clips").table("walk.bvh").table("a b").text("c"),
            (19, 8),
            "'c' is 1: a text in quotes is needed",
        ),
    ],
    ids=range(17),
)
def test_mistakes_have_their_line(
    table: Table, mistake: Callable[[Table], object], lines: tuple[int | None, int | None], sentence: str
) -> None:
    with pytest.raises(FileFormatError) as raised:
        mistake(table)
    assert sentence in str(raised.value)
    assert raised.value.path == table.source.path
    assert raised.value.line == lines[table.source.is_json]


def test_errors_inside_get_the_line_once(table: Table) -> None:
    with pytest.raises(FileFormatError, match=r"file\.\w+:\d+: too slow") as raised, table.at("fps"):
        raise ArgumentError("too slow")
    with pytest.raises(FileFormatError) as again, table.at("box", 1):
        raise raised.value
    assert again.value is raised.value


def test_a_file_must_hold_a_table(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"this scene file is \[1, 2\]: an object in braces is needed"):
        read_table(tmp_path / "file.json", "scene file")


@dataclass(frozen=True)
class Inner:
    width: float = setting(8.0, "m", least=1, most=100)


@dataclass(frozen=True)
class Outer:
    couples: int = setting(6, "on the floor", least=1, most=60)
    sex: str = setting("average", "whose masses", choices=("average", "male"))
    tempo: float | None = setting(30.0, "bars a minute", least=5, most=120, optional=True)
    inner: Inner = Inner()
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_settings(self, "the evening")


def test_tables_bind_to_dataclasses(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text("couples = 3\n[inner]\nwidth = 9\n", encoding="utf-8")
    assert bind(read_table(path, "file"), Outer, files=("a",)) == Outer(3, inner=Inner(9.0), files=("a",))
    path.write_text(table_text(Outer(4)) + table_text(Inner(2.0), "inner"), encoding="utf-8")
    assert bind(read_table(path, "file"), Outer) == Outer(4, inner=Inner(2.0))
    for text, sentence in (
        ("couples = 2.5", ":1: 'couples' is 2.5: a whole number from 1 to 60 is needed"),
        ("\ncoupels = 2", ":2: this file has no 'coupels': did you mean 'couples'?"),
        ("[inner]\nwidth = 0", ":2: 'width' is 0: a number from 1 to 100 is needed"),
        ("inner = 3", "'inner' must be a table: write [inner] before its values"),
        ("sex = 'mal'", "'sex' is 'mal': did you mean 'male'?"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileFormatError) as raised:
            bind(read_table(path, "file"), Outer)
        assert sentence in str(raised.value)
    with pytest.raises(ArgumentError, match="the evening's couples is 0: a whole number from 1 to 60 is needed"):
        Outer(couples=0)
