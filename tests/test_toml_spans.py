"""Changes of TOML by place: the table is that with one other value, and every other byte stays."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.dance.gestures import SHIPPED
from segue.errors import ArgumentError
from segue.toml_spans import REMOVED, Place, TomlSpans, edited, quoted, toml_value, with_table, without_table

Table = dict[str, Any]

NAMES = st.sampled_from(["a", "b-1", "c c", 'd"', "é.", "1", "stop"])
PLAIN = st.one_of(
    st.integers(-999, 999),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.text(st.characters(codec="utf-8"), max_size=8),
)
NESTED = st.recursive(
    PLAIN,
    lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(NAMES, inside, max_size=3)),
    max_leaves=6,
)
COMMENTS = st.sampled_from(["", "  # how = [well]", '# \' """ {'])


@st.composite
def values(draw: st.DrawFn, value: Any) -> str:
    """Write a value in one of the forms that TOML has for it."""
    if isinstance(value, str) and draw(st.booleans()):
        if value.isprintable() and "'" not in value:
            return draw(st.sampled_from([f"'{value}'", f"'''{value}'''", f"'''\n{value}'''"]))
        return f'""{quoted(value)}""' if not value.endswith('"') else quoted(value)
    if isinstance(value, list) and draw(st.booleans()):
        items = [f"{draw(values(each))}{draw(COMMENTS) if k + 1 == len(value) else ''}" for k, each in enumerate(value)]
        return "[\n  # each\n  " + ",\n  ".join(items) + "\n]"
    if isinstance(value, dict) and draw(st.booleans()):
        return "{" + ",".join(f"{quoted(key)}={draw(values(each))}" for key, each in value.items()) + "}"
    return toml_value(value)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Write a table of tables, entries, dotted keys and lists of tables, with comments."""
    lines: list[str] = draw(st.sampled_from([[], ["# at the top", ""]]))

    def entries(used: set[str]) -> None:
        for name in draw(st.lists(NAMES, max_size=3, unique=True)):
            if name in used:
                continue
            used.add(name)
            value = draw(NESTED)
            if isinstance(value, dict) and value and draw(st.booleans()):
                lines.extend(
                    f"{quoted(name)} . {quoted(key)} = {draw(values(each))}{draw(COMMENTS)}"
                    for key, each in value.items()
                )
            else:
                lines.append(f"{quoted(name)} = {draw(values(value))}{draw(COMMENTS)}")

    used: set[str] = set()
    entries(used)
    for name in draw(st.lists(NAMES, max_size=3, unique=True)):
        if name in used:
            continue
        if draw(st.booleans()):
            lines += ["", "# a table", f"[{quoted(name)}.inner]{draw(COMMENTS)}"]
            entries(set())
        else:
            for _ in range(draw(st.integers(1, 3))):
                lines += ["", f"[[ {quoted(name)} ]]{draw(COMMENTS)}"]
                entries(set())
    ended = draw(st.sampled_from(["\n", "", "\n\n# the end\n"]))
    text = "\n".join(lines) + ended
    return text if "'''" in text or '"""' in text else text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def leaves(value: Any, place: Place = ()) -> list[Place]:
    """Return the places of all values of a parsed text, tables too."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for key, each in inside for found in leaves(each, (*place, key)))]


def replaced(value: Any, place: Place, new: Any) -> Any:
    """Return a parsed text with another value at a place."""
    if not place:
        return new
    made = value.copy() if isinstance(value, list | dict) else {}
    key: Any = place[0]
    if place[1:] or new is not REMOVED:
        made[key] = replaced(made[key] if isinstance(made, list) else made.get(key, {}), place[1:], new)
    else:
        del made[key]
    return made


def same(one: Any, other: Any) -> bool:
    return repr(one) == repr(other)


def ordered(value: Any) -> Any:
    """Return a parsed text with sorted keys: a removed and a new key may stand elsewhere."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    return [ordered(each) for each in value] if isinstance(value, list) else value


@given(texts(), st.data(), NESTED)
def test_a_value_is_replaced_and_every_other_byte_stays(text: str, data: st.DataObject, new: Any) -> None:
    table, spans = tomllib.loads(text), TomlSpans(text)
    found = sorted(spans.values, key=str)
    assert set(found) <= set(leaves(table))
    assert {place for place in leaves(table) if place and place not in spans.values} <= set(spans.keys)
    if not found:
        return
    place = data.draw(st.sampled_from(found))
    changed = edited(text, {place: new})
    _, start, stop = spans.values[place]
    assert changed == text[:start] + toml_value(new) + text[stop:]
    assert same(tomllib.loads(changed), replaced(table, place, new))
    assert edited(changed, {place: tomllib.loads(f"a = {text[start:stop]}")["a"]}).startswith(text[:start])


@given(texts(), st.data(), NESTED, st.lists(NAMES, min_size=1, max_size=2))
def test_a_new_value_is_added_and_every_byte_stays(text: str, data: st.DataObject, new: Any, keys: list[str]) -> None:
    table = tomllib.loads(text)
    tables = [place for place in leaves(table) if isinstance(at(table, place), dict)]
    around = data.draw(st.sampled_from(tables))
    place = (*around, *keys)
    if keys[0] in at(table, around):
        return
    changed = edited(text, {place: new})
    assert same(ordered(tomllib.loads(changed)), ordered(replaced(table, place, new)))
    rest = iter(changed)
    assert all(sign in rest for sign in text), "nothing is taken away"


@given(texts(), st.data())
def test_a_value_is_removed_with_its_line_alone(text: str, data: st.DataObject) -> None:
    table, spans = tomllib.loads(text), TomlSpans(text)
    if not spans.values:
        return
    place = data.draw(st.sampled_from(sorted(spans.values, key=str)))
    changed = edited(text, {place: REMOVED})
    now, wanted = tomllib.loads(changed), replaced(table, place, REMOVED)
    assert same(pruned(now), pruned(wanted))
    braces = spans.braces_around(place)
    if braces is None:
        begin = text.rfind("\n", 0, spans.values[place].key) + 1
    else:  # the comma before the last item goes, too
        before = [each.stop for each in spans.entries_of(braces) if each.stop <= spans.values[place].key]
        begin = max(before, default=spans.values[braces].start)
    assert changed.startswith(text[:begin])


def at(table: Any, place: Place) -> Any:
    for key in place:
        table = table[key]
    return table


def pruned(value: Any) -> Any:
    """Return a parsed text with sorted keys, and without the empty tables that the last removed key leaves behind."""
    if isinstance(value, list):
        return [pruned(each) for each in value]
    if not isinstance(value, dict):
        return value
    inside = {key: pruned(each) for key, each in sorted(value.items())}
    return {key: each for key, each in inside.items() if each != {}}


def test_a_setting_without_a_value_is_filled_in_and_made_a_comment_again() -> None:
    text = 'dance = "waltz"\n# tempo =          # bars a minute\nminutes = 3.0     # how long\n\n[floor]\nwidth = 8.0\n'
    set_ = edited(text, {("tempo",): 30.0})
    assert set_ == text.replace("# tempo =  ", "tempo = 30.0  ")
    assert edited(set_, {("tempo",): REMOVED}) == text


def test_a_comment_within_a_text_is_no_setting() -> None:
    text = 'a = """\n# b =\n"""\n'
    assert tomllib.loads(edited(text, {("b",): 1})) == {"a": "# b =\n", "b": 1}


def test_new_entries_stand_where_a_person_would_write_them() -> None:
    text = "[[FWD.goals]]\nleft_hip = { flexion = 22 }  # swing\n\n# next\n[[BWD.goals]]\nleft_hip = {}\n"
    hip = ("FWD", "goals", 0, "left_hip", "abduction")
    assert edited(text, {hip: 3}) == text.replace("flexion = 22 }", "flexion = 22, abduction = 3 }")
    knee = ("FWD", "goals", 0, "left_knee", "flexion")
    assert edited(text, {knee: 3}) == text.replace("# swing\n", "# swing\nleft_knee = { flexion = 3 }\n")
    assert edited(text, {("SWL", "sway"): 5}) == text + "\n[SWL]\nsway = 5\n"


def test_a_table_of_a_list_is_added_and_taken_away() -> None:
    text = "[[FWD.goals]]\na = 1  # one\n\n# other\n[[BWD.goals]]\na = 2\n"
    more = with_table(text, ("FWD", "goals"), {"a": {"b": 3}})
    assert more == text.replace("# one\n", "# one\n\n[[FWD.goals]]\na = { b = 3 }\n")
    assert without_table(more, ("FWD", "goals", 1)) == text.replace("# one\n\n", "# one\n\n")
    assert tomllib.loads(with_table(text, ("SIP", "goals"), {"a": 4}))["SIP"] == {"goals": [{"a": 4}]}
    with pytest.raises(ArgumentError, match="there is no table"):
        without_table(text, ("FWD", "goals", 1))


@pytest.mark.parametrize("place", [("FWD",), ("FWD", "goals", 1, "a"), ("FWD", "goals", "a"), ("list", "a")])
def test_what_is_no_place_is_refused(place: Place) -> None:
    with pytest.raises(ArgumentError):
        edited("list = [1]\n[[FWD.goals]]\na = 1\n", {place: 1})


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.name)
def test_every_number_of_the_shipped_gestures_has_its_span(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    table, spans = tomllib.loads(text), TomlSpans(text)
    for place in leaves(table):
        if not isinstance(at(table, place), dict | list):
            _, start, stop = spans.values[place]
            assert tomllib.loads(f"a = {text[start:stop]}")["a"] == at(table, place)
