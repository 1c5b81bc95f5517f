"""Describe dancers: their bodies, character, habits and vocabulary, read from files and written to them.

The character level of [Lake1990, section 4.1] makes dancers who know the same patterns dance differently: it shifts
the triggers and priorities of the behaviours (`segue.dance.behaviour.processes`), and the size and timing of steps.

    name = "Ada and Ben"
    [leader]
    stature = 1.8
    [character]
    boldness = 0.8
    [vocabulary.waltz]
    "left box turn" = 0.9                            # how well it is danced, 0 to 1
    "hesitation" = { skill = 0.6, liking = 0.2 }     # and how gladly
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import numpy as np

from segue.body.anthropometry import SEXES
from segue.body.figure import Figure
from segue.checks import shown
from segue.dance.notation.model import Pattern, folded
from segue.dance.patterns import DanceLibrary
from segue.dance.planning.model import Style
from segue.errors import ArgumentError, SegueError
from segue.filesystem import atomic_write
from segue.settings import bind, check_settings, setting, table_text
from segue.tables import Table, read_table
from segue.toml_spans import quoted

Vocabulary = Mapping[str, Mapping[str, "Proficiency"]]
_NEAREST, _FARTHEST = 0.06, 0.3  # m of free floor around the boldest and the shyest couples


@dataclass(frozen=True)
class Character:
    """Long-term goals and temper, each from 0 to 1."""

    drive: float = setting(0.7, "how keen to travel along the line of dance", least=0, most=1)
    boldness: float = setting(0.5, "how near to others: the shy give way early and keep far", least=0, most=1)
    ambition: float = setting(0.5, "how difficult patterns may be", least=0, most=1)
    variety: float = setting(0.5, "how soon a pattern is dull", least=0, most=1)
    musicality: float = setting(0.6, "how much it matters that patterns begin with bars", least=0, most=1)

    def __post_init__(self) -> None:
        check_settings(self, "the character")

    @property
    def room(self) -> float:
        """Free floor that the dancer keeps around the couple, in m."""
        return _FARTHEST + (_NEAREST - _FARTHEST) * self.boldness

    @classmethod
    def random(cls, chance: np.random.Generator) -> Character:
        """Return a random character without extremes."""
        return cls(*(round(each, 2) for each in chance.uniform(0.25, 0.95, 5).tolist()))


@dataclass(frozen=True)
class Habits:
    """Habits of movement, for the planner."""

    step_size: float = setting(1.0, "length of steps, times the usual", least=0.5, most=1.3)
    lean: float = setting(0.0, "posture: degrees that the trunk leans forward", least=-10, most=10)
    rise: float = setting(1.0, "rise and fall, times the usual", least=0, most=2)
    timing: float = setting(0.0, "ms that steps are off the beat, at most", least=0, most=60)

    def __post_init__(self) -> None:
        check_settings(self, "the dancer")

    def style(self, seed: int = 0) -> Style:
        """Return the habits as a style of the planner; seed: of the timing."""
        return Style(self.step_size, math.radians(self.lean), 1e-3 * self.timing, self.rise, seed)

    @classmethod
    def random(cls, chance: np.random.Generator) -> Habits:
        """Return random habits."""
        step_size, lean, rise, timing = chance.uniform((0.85, -2.0, 0.7, 0.0), (1.05, 3.0, 1.2, 15.0)).tolist()
        return cls(round(step_size, 3), round(lean, 1), round(rise, 2), round(timing, 1))


@dataclass(frozen=True)
class Build:
    """Size of a body."""

    stature: float = setting(1.75, "m", least=1.0, most=2.3)
    mass: float | None = setting(70.0, "kg; usual for the stature if left out", least=20, most=250, optional=True)
    sex: str = setting("average", f"{', '.join(SEXES)}: whose proportions of mass", choices=tuple(SEXES))

    def __post_init__(self) -> None:
        check_settings(self, "the build")

    @property
    def figure(self) -> Figure:
        """The figure of this size."""
        return Figure.standard(self.stature, self.mass, self.sex)


@dataclass(frozen=True)
class Proficiency:
    """Skill and liking of a dancer for a pattern."""

    skill: float = setting(0.8, "how well", least=0, most=1)
    liking: float = setting(0.5, "how gladly", least=0, most=1)

    def __post_init__(self) -> None:
        check_settings(self, "a pattern")


@dataclass(frozen=True)
class Dancer:
    """A couple of a leader and a follower.

    vocabulary: known patterns, by dance and by name.
    """

    name: str = setting("couple", "who they are")
    leader: Build = Build()
    follower: Build = Build(1.66)
    character: Character = field(default_factory=Character)
    habits: Habits = field(default_factory=Habits)
    vocabulary: Vocabulary = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_settings(self, "the dancer")
        frozen = {dance: MappingProxyType(dict(known)) for dance, known in self.vocabulary.items()}
        object.__setattr__(self, "vocabulary", MappingProxyType(frozen))

    def knows(self, dance: str) -> Mapping[str, Proficiency]:
        """Return the known patterns of a dance, or raise ArgumentError with the known dances."""
        for name, patterns in self.vocabulary.items():
            if folded(name) == folded(dance) and patterns:
                return patterns
        known = ", ".join(self.vocabulary) or "none"
        raise ArgumentError(f"{self.name} cannot dance the {dance}: the dances in the vocabulary are: {known}")

    @classmethod
    def random(cls, name: str, patterns: Iterable[Pattern], chance: np.random.Generator) -> Dancer:
        """Return a random dancer who knows the given patterns, with more skill in easier ones."""
        leader, follower = Build(round(chance.uniform(1.70, 1.88), 2)), Build(round(chance.uniform(1.58, 1.74), 2))
        vocabulary: dict[str, dict[str, Proficiency]] = {}
        character, habits = Character.random(chance), Habits.random(chance)
        for pattern in patterns:
            skill = np.clip(1.05 - 0.1 * pattern.difficulty + chance.uniform(-0.1, 0.1), 0.0, 1.0)
            known = vocabulary.setdefault(pattern.dance, {})
            known[pattern.name] = Proficiency(round(float(skill), 2), round(chance.uniform(0.2, 0.9), 2))
        return cls(name, leader, follower, character, habits, vocabulary)


def unknown_patterns(dancer: Dancer, library: DanceLibrary) -> Iterator[tuple[str, str, str]]:
    """Yield dance, name and a sentence for each pattern of a dancer's vocabulary that a library has not."""
    for dance, known in dancer.vocabulary.items():
        for pattern in known:
            try:
                library.find(f"{dance}/{pattern}")
            except ArgumentError as error:
                yield dance, pattern, str(error)


_TABLES = ("leader", "follower", "habits", "character")


def read_dancer(path: str | Path, text: str | None = None) -> Dancer:
    """Return the dancer of a file, or of its text, with defaults for what the file leaves out."""
    table = read_table(path, "dancer's file", text=text)
    known = table.table("vocabulary")
    return bind(table, Dancer, vocabulary={dance: _commands(known.table(dance)) for dance in known})


def _commands(patterns: Table) -> dict[str, Proficiency]:
    """Return the patterns of a dance; a number alone is a skill."""
    found = {}
    for name, given in patterns.values.items():
        try:
            row = given if isinstance(given, dict) else {"skill": given}
            found[name] = bind(Table(patterns.source, row, (*patterns.place, name)), Proficiency)
        except SegueError as error:
            needed = "how well it is danced, from 0 to 1, is needed, or { skill = 0.8, liking = 0.5 }"
            raise patterns.error(f"the pattern '{name}' has {shown(given)}: {needed}", name) from error
    return found


def _header(dance: str) -> str:
    bare = re.fullmatch(r"[A-Za-z0-9_-]+", dance)
    return f"vocabulary.{dance if bare else quoted(dance)}"


def dancer_text(dancer: Dancer) -> str:
    """Return a dancer as the text of a file, with every setting explained."""
    parts = [table_text(dancer), *(table_text(getattr(dancer, name), name) for name in _TABLES)]
    for dance, known in dancer.vocabulary.items():
        rows = [
            f"{quoted(name)} = {{ skill = {command.skill!r}, liking = {command.liking!r} }}\n"
            for name, command in known.items()
        ]
        parts.append("".join([f"[{_header(dance)}]\n", *rows]))
    return "\n".join(parts)


def write_dancer(dancer: Dancer, path: str | Path) -> None:
    """Write a dancer's file."""
    text = dancer_text(dancer)
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
