"""Thresholds of `segue check`, and the file segue-check.toml with a project's own thresholds and exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatch
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, cast

from segue.errors import ArgumentError
from segue.tables import Table, read_table

FILE_NAME = "segue-check.toml"
_TABLES = ("thresholds", "baseline", "clips")

Size = float | tuple[float, float]
"""A threshold as it is given: where faults begin, or a pair (suspicious, fault)."""


class Threshold(NamedTuple):
    """A value above `suspicious` is worth a look, and a value above `fault` is a fault; infinity: anything goes."""

    suspicious: float
    fault: float


@dataclass(frozen=True)
class Thresholds:
    """The thresholds of all measures, each a pair (suspicious, fault), or a number from which on there is a fault.

    The defaults were found on captured motion (docs/check.md).

    slide_cm: slide of a planted foot together with the body. drag_cm: slide of a foot alone. sink_cm: sudden shift up
    or down of the whole body with its foot. penetration_cm: depth of points under the feet. limit_deg: joints beyond
    their limits. bend_deg: the same of knees and elbows. twist_deg: the same of forearms, wrists, ankles and toes,
    which are least sure. pop_cm, pop_deg: a joint's place and rotation off its curve in one frame. root_pop_cm: the
    same of the root's place. linear_s: how long all joints turn at constant rates. jerk: m/s^3 of hands, feet, head
    and hips. fall: m/s^2 by which a flight's fall differs from gravity. float_s: how long a body hardly falls while
    nothing carries it; no fault by default, since obstacles are seldom in the file. torque: as a multiple of human
    strength. push: N/kg over half a second that the feet in contact cannot give; props and partners push too. rate: how
    many times too fast the clip probably plays; no fault by default, since it is a guess. speed_percent: by how much a
    motion plays faster or slower than its source, only against a baseline.
    """

    slide_cm: Size = (2.5, 3.7)
    drag_cm: Size = (5.0, 12.0)
    sink_cm: Size = (1.5, 2.25)
    penetration_cm: Size = (4.0, 8.0)
    limit_deg: Size = (30.0, 45.0)
    bend_deg: Size = (10.0, 20.0)
    twist_deg: Size = (35.0, 90.0)
    pop_cm: Size = (0.8, 1.2)
    pop_deg: Size = (4.0, 5.2)
    root_pop_cm: Size = (2.1, 2.4)
    linear_s: Size = (0.1, 0.2)
    jerk: Size = (4000.0, 7000.0)
    fall: Size = (2.5, 3.75)
    float_s: Size = (0.1, inf)
    torque: Size = (3.0, 4.5)
    push: Size = (4.0, 15.0)
    rate: Size = (1.5, inf)
    speed_percent: Size = (2.5, 5.0)

    def __post_init__(self) -> None:
        for each in fields(self):
            usual = Threshold(*cast(tuple[float, float], each.default))
            object.__setattr__(self, each.name, _pair(each.name, getattr(self, each.name), usual))

    def of(self, name: str) -> Threshold:
        """Return a threshold by its name."""
        found: Threshold = getattr(self, name)
        return found

    def changed(self, values: Mapping[str, object]) -> Thresholds:
        """Return these thresholds with some replaced, by name; a number is where faults begin."""
        known = [each.name for each in fields(self)]
        for name in values:
            if name not in known:
                raise ArgumentError(f"no threshold is named '{name}': the names are {', '.join(known)}")
        return replace(self, **{name: _pair(name, value, self.of(name)) for name, value in values.items()})


def _pair(name: str, value: object, usual: Threshold) -> Threshold:
    """Return a number or a list of two as a threshold."""
    given = value if isinstance(value, list | tuple) else [value]
    if not given or len(given) > 2 or not all(_is_size(each) for each in given):
        raise ArgumentError(
            f"the threshold {name} is {value}: it must be a number, 0 or more, or a pair (suspicious, fault)"
        )
    fault = float(cast(float, given[-1]))
    suspicious = float(cast(float, given[0])) if len(given) == 2 else min(usual.suspicious, fault)
    if suspicious > fault:
        raise ArgumentError(
            f"the threshold {name} is {value}: what is a fault must be suspicious, so the first number "
            "must not be larger than the second"
        )
    return Threshold(suspicious, fault)


def _is_size(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and value >= 0


BASELINE = Thresholds(
    slide_cm=(1.0, 2.0),
    drag_cm=(2.0, 4.0),
    sink_cm=(1.0, 2.0),
    penetration_cm=(1.0, 2.0),
    limit_deg=(5.0, 10.0),
    bend_deg=(5.0, 10.0),
    twist_deg=(10.0, 30.0),
    pop_cm=(1.0, 1.5),
    pop_deg=(4.0, 6.0),
    root_pop_cm=(1.0, 1.5),
    linear_s=(0.1, 0.2),
    jerk=(2500.0, 5000.0),
    fall=(1.0, 2.0),
    float_s=(0.1, inf),
    torque=(1.0, 2.0),
    push=(2.0, 5.0),
    rate=(inf, inf),
    speed_percent=(2.5, 5.0),
)
"""Thresholds of what a motion adds to its source."""


@dataclass(frozen=True)
class CheckConfig:
    """Thresholds of a project, those against a baseline, and exceptions for clips whose names match a pattern."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    added: Thresholds = BASELINE
    exceptions: tuple[tuple[str, dict[str, Any]], ...] = ()

    def skips(self, name: str) -> bool:
        """Return whether the clip is not to be checked."""
        return any(values.get("skip", False) for pattern, values in self.exceptions if _matches(name, pattern))

    def thresholds_of(self, name: str) -> Thresholds:
        """Return the thresholds for a clip by its path or name: those of all patterns that match, the last one wins."""
        found = self.thresholds
        for pattern, values in self.exceptions:
            if _matches(name, pattern):
                found = found.changed({key: value for key, value in values.items() if key != "skip"})
        return found


def find_config(clip: str | Path) -> Path | None:
    """Return the nearest segue-check.toml beside a clip, or in a folder above it."""
    start = Path(clip).absolute()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    return None


def read_config(path: str | Path) -> CheckConfig:
    """Read thresholds and exceptions from a TOML file; raise FileFormatError with the line of what is wrong."""
    file = read_table(path, "file of thresholds")
    for name in file:
        if name not in _TABLES:
            tables = 'the tables are [thresholds], [baseline] and [clips."NAME"]'
            raise file.error(f"no table is named '{name}': {tables}", name)
    thresholds = _changed(Thresholds(), file.table("thresholds"))
    added = _changed(BASELINE, file.table("baseline"))
    clips = file.table("clips")
    exceptions = []
    for pattern in clips:
        values = clips.table(pattern)
        values.flag("skip", False)
        _changed(thresholds, values)
        exceptions.append((pattern, values.values))
    return CheckConfig(thresholds, added, tuple(exceptions))


def _changed(usual: Thresholds, table: Table) -> Thresholds:
    """Return thresholds with those of a table, changed one by one, so that what is wrong has a line."""
    for key, value in table.values.items():
        if key != "skip" or table.place[0] != "clips":
            with table.at(key):
                usual = usual.changed({key: value})
    return usual


def _matches(name: str, pattern: str) -> bool:
    path = Path(name)
    return any(fnmatch(each, pattern) for each in (path.name, path.stem, path.as_posix()))
