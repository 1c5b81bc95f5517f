"""Describe environments: floor, music and number of couples [Lake1990, section 5.1], and their files.

dance = "waltz"
couples = 6
[floor]
width = 8.0
length = 12.0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from segue.body.anthropometry import STANDARD_GRAVITY
from segue.errors import ArgumentError
from segue.filesystem import atomic_write
from segue.settings import bind, check_settings, setting, table_text
from segue.tables import read_table
from segue.toml_spans import toml_value


@dataclass(frozen=True)
class Ground:
    """Floor: its size, and its physical properties for simulations."""

    width: float = setting(8.0, "m, wall to wall across", least=1, most=100)
    length: float = setting(12.0, "m, wall to wall along", least=1, most=100)
    friction: float = setting(0.6, "coefficient between sole and floor; below 0.35 it is slippery", least=0.05, most=2)
    yielding: float = setting(
        0.01, "s in which the floor pushes out what sinks in: less is stiffer", least=0.004, most=0.2
    )
    damping: float = setting(1.0, "of that, 1 is critical; less is a trampoline", least=0.05, most=3)
    gravity: float = setting(STANDARD_GRAVITY, "m/s^2", least=0.5, most=30)

    def __post_init__(self) -> None:
        check_settings(self, "the floor")


@dataclass(frozen=True)
class Environment:
    """Floor, music and couples.

    dancers: dancer files beside this one; further couples are random. places: where the first couples begin, x across
    and z along in m from the middle of the floor; further couples begin as far from them as they can.
    """

    dance: str = setting("waltz", "a dance of the library")
    tempo: float | None = setting(
        30.0, "bars a minute; the dance's usual if left out", least=5, most=120, optional=True
    )
    minutes: float = setting(3.0, "how long is danced", least=0.05, most=120)
    couples: int = setting(6, "on the floor", least=1, most=60)
    seed: int = setting(1, "the same seed gives the same evening", least=0, most=2**32 - 1)
    floor: Ground = Ground()
    dancers: tuple[str, ...] = field(default=())
    places: tuple[tuple[float, float], ...] = field(default=())

    def __post_init__(self) -> None:
        check_settings(self, "the environment")
        if len(self.places) > self.couples:
            raise ArgumentError(
                f"there are {len(self.places)} places for {self.couples} couples: leave some out, or raise 'couples'"
            )
        if len(self.dancers) > self.couples:
            raise ArgumentError(
                f"there are {len(self.dancers)} dancers' files for {self.couples} couples: leave some out, or raise "
                "'couples'"
            )


def read_environment(path: str | Path, text: str | None = None) -> Environment:
    """Return the environment of a file, or of its text, with defaults for what the file leaves out."""
    table = read_table(path, "environment's file", text=text)
    dancers = table.texts("dancers", (), "file names")
    places = tuple((x, z) for x, z in table.rows("places", 2))
    with table.at("places" if len(places) > len(dancers) else "dancers"):
        return bind(table, Environment, dancers=dancers, places=places)


def environment_text(environment: Environment) -> str:
    """Return an environment as the text of a file, with every setting explained."""
    dancers = f"dancers = {toml_value(environment.dancers)}  # files of dancers, beside this one; others by lot\n"
    if environment.places:
        dancers += (
            f"places = {toml_value(environment.places)}  # m across and along from the middle, where they begin\n"
        )
    return "\n".join([table_text(environment) + dancers, table_text(environment.floor, "floor")])


def write_environment(environment: Environment, path: str | Path) -> None:
    """Write an environment's file."""
    text = environment_text(environment)
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")
