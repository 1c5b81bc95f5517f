"""Dancers' and environments' files for pages: settings with ranges, vocabularies, and who dances in an evening."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from segue.dance.behaviour import Dancer, Environment, read_dancer, read_environment
from segue.dance.behaviour.dancer import Build, Character, Habits, Proficiency, dancer_text, unknown_patterns
from segue.dance.behaviour.environment import Ground, environment_text
from segue.dance.notation.model import folded
from segue.dance.patterns import DanceLibrary
from segue.dance.patterns.folders import Entry, file_stem
from segue.errors import ArgumentError, SegueError
from segue.language.memory import stamp
from segue.serve.document import utf16
from segue.serve.outlines import (
    DancerOutline,
    EnvironmentOutline,
    FloorDancer,
    KnownDance,
    KnownPattern,
)
from segue.serve.shapes import Diagnostic
from segue.serve.text_kinds import ReadText, TextKind, line_span
from segue.serve.toml_texts import of_error, setting_table, toml_of
from segue.toml_spans import TomlSpans

_DANCER_KEYS = frozenset({"leader", "follower", "habits", "character", "vocabulary"})
_ENVIRONMENT_KEYS = frozenset({"dance", "couples", "minutes", "floor", "dancers", "tempo"})
_LISTED = {"dancer": "Dancers", "environment": "Environments"}


def library_beside(path: Path) -> DanceLibrary:
    """Return the dance library for a file: patterns beside it, else the user's own, and those of Segue."""
    beside = path.parent
    return DanceLibrary(beside if any(beside.glob("*/*.dance")) else None)


def read_dancer_text(text: str, path: Path) -> ReadText:
    """Return the outline of a dancer's file, and what is wrong with it."""
    table, wrong = toml_of(text, path)
    if table is None:
        return ReadText(None, wrong)
    library = library_beside(path)
    try:
        dancer = read_dancer(path, text)
    except SegueError as error:
        wrong = (of_error(error, text),)
    else:
        wrong = tuple(_unknown(dancer, library, text))
    defaults = Dancer()
    tables = (
        setting_table(Dancer, table),
        *(
            setting_table(kind, table.get(name), name, defaults=getattr(defaults, name))
            for name, kind in (("leader", Build), ("follower", Build), ("habits", Habits), ("character", Character))
        ),
    )
    name = str(table.get("name", defaults.name))
    return ReadText(DancerOutline("dancer", name, tables, tuple(_dances(table.get("vocabulary"), library))), wrong)


def described_dancer(text: str, path: Path) -> tuple[str, str, str] | None:
    """Return a dancer's name and dances; None for another file."""
    table, _ = toml_of(text, path)
    if table is None or not _DANCER_KEYS & set(table) or not set(table) <= {"name", *_DANCER_KEYS}:
        return None
    known = table.get("vocabulary")
    return str(table.get("name", path.stem)), _LISTED["dancer"], ", ".join(known) if isinstance(known, dict) else ""


def new_dancer(name: str) -> tuple[str, str]:
    """Return the path and the text of a dancer of a name who knows all patterns."""
    library = DanceLibrary()
    vocabulary: dict[str, dict[str, Proficiency]] = {}
    for entry in library.entries():
        vocabulary.setdefault(entry.dance, {})[entry.name] = Proficiency()
    return f"{_stem(name)}.toml", dancer_text(Dancer(name, vocabulary=vocabulary))


DANCER = TextKind(".toml", read_dancer_text, described_dancer, new_dancer)
"""Dancers: bodies, character, habits and vocabulary of a couple."""


def read_environment_text(text: str, path: Path) -> ReadText:
    """Return the outline of an environment's file, and what is wrong with it."""
    table, wrong = toml_of(text, path)
    if table is None:
        return ReadText(None, wrong)
    library = library_beside(path)
    dance = str(table.get("dance", Environment().dance))
    listed = table.get("dancers", [])
    names = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    dancers = tuple(_on_floor(path.parent / name, name, dance) for name in names)
    try:
        read_environment(path, text)
        library.entries(dance)
    except SegueError as error:
        wrong = (of_error(error, text),)
    else:
        problems = [each.problem for each in dancers if each.problem]
        wrong = tuple(Diagnostic(each, *_span(text, ("dancers",))) for each in problems)
    others = tuple(
        _on_floor(other, other.name, dance)
        for other in sorted(path.parent.glob("*.toml"))
        if other.name not in names and _is_dancer(other)
    )
    tables = (
        setting_table(Environment, table, choices={"dance": tuple(library.dances())}),
        setting_table(Ground, table.get("floor"), "floor"),
    )
    return ReadText(EnvironmentOutline("environment", tables, dancers, others, _places(table.get("places"))), wrong)


def described_environment(text: str, path: Path) -> tuple[str, str, str] | None:
    """Return the dance of an environment and the number of its couples; None for another file."""
    table, _ = toml_of(text, path)
    if table is None or not _ENVIRONMENT_KEYS & set(table) or not set(table) <= {"seed", "places", *_ENVIRONMENT_KEYS}:
        return None
    usual = Environment()
    couples, dance = table.get("couples", usual.couples), table.get("dance", usual.dance)
    return path.stem.replace("_", " "), _LISTED["environment"], f"{dance}, {couples} couples"


def new_environment(name: str) -> tuple[str, str]:
    """Return the path and the text of an environment with default settings."""
    return f"{_stem(name)}.toml", environment_text(Environment())


ENVIRONMENT = TextKind(".toml", read_environment_text, described_environment, new_environment)
"""Environments: the floor, the music, and who dances."""


def _stem(name: str) -> str:
    stem = file_stem(name)
    if not stem:
        raise ArgumentError("a name with letters is needed")
    return stem


def _unknown(dancer: Dancer, library: DanceLibrary, text: str) -> Iterator[Diagnostic]:
    for dance, pattern, sentence in unknown_patterns(dancer, library):
        yield Diagnostic(sentence, *_span(text, ("vocabulary", dance, pattern)))
    if not any(dancer.vocabulary.values()):
        yield Diagnostic("this dancer knows no pattern yet", 0, 0, "warning")


def _span(text: str, place: tuple[str, ...]) -> tuple[int, int]:
    spans = TomlSpans(text)
    if place in spans.values:
        found = spans.values[place]
        return utf16(text, found.key), utf16(text, found.stop)
    return line_span(text, spans.lines[place], None) if place in spans.keys else (0, 0)


def _dances(vocabulary: object, library: DanceLibrary) -> Iterator[KnownDance]:
    """Yield the dances of a vocabulary, and then those of the library, with all patterns."""
    given = vocabulary if isinstance(vocabulary, dict) else {}
    entries: dict[str, list[Entry]] = {}
    for entry in library.entries():
        entries.setdefault(folded(entry.dance), []).append(entry)
    names = {folded(dance): dance for dance in [*reversed(library.dances()), *reversed(given)]}
    for key, dance in sorted(names.items(), key=lambda each: (each[1] not in given, each[0])):
        known = given.get(dance)
        yield KnownDance(dance, tuple(_patterns(dance, known if isinstance(known, dict) else {}, entries.get(key, []))))


def _patterns(dance: str, known: Mapping[str, Any], entries: list[Entry]) -> Iterator[KnownPattern]:
    found = {folded(entry.name): entry for entry in entries}
    for name, said in known.items():
        entry = found.pop(folded(name), None)
        row = said if isinstance(said, dict) else {"skill": said}
        usual = Proficiency()
        skill, liking = (
            float(value) if isinstance(value := row.get(each), int | float) else getattr(usual, each)
            for each in ("skill", "liking")
        )
        difficulty = None if entry is None else _difficulty(entry)
        place = ("vocabulary", dance, name)
        yield KnownPattern(name, place, difficulty, True, not isinstance(said, dict), skill, liking)
    for entry in found.values():
        place = ("vocabulary", dance, entry.name)
        yield KnownPattern(entry.name, place, _difficulty(entry), False, False, 0.8, 0.5)


def _difficulty(entry: Entry) -> float | None:
    """Return how difficult a pattern is; None for one with errors."""
    path = next(iter(entry.files.values()))
    return _difficulty_of(entry, path, stamp(path))


@lru_cache(maxsize=1024)
def _difficulty_of(entry: Entry, path: Path, _: object) -> float | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(DanceLibrary(path.parent.parent).read(entry).difficulty)
        except SegueError:
            return None


def _is_dancer(path: Path) -> bool:
    try:
        return described_dancer(path.read_text(encoding="utf-8"), path) is not None
    except (OSError, UnicodeDecodeError):
        return False


def _on_floor(path: Path, name: str, dance: str) -> FloorDancer:
    """Return a dancer of an evening, with the reason why it cannot dance there."""
    try:
        dancer = read_dancer(path)
        dancer.knows(dance)
    except SegueError as error:
        return FloorDancer(name, name, str(error))
    return FloorDancer(name, dancer.name, "")


def _places(said: object) -> tuple[tuple[float, float], ...]:
    if not isinstance(said, list):
        return ()
    pairs = [each for each in said if isinstance(each, list) and len(each) == 2]
    return tuple((float(x), float(z)) for x, z in pairs if isinstance(x, int | float) and isinstance(z, int | float))
