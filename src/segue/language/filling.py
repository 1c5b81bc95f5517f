"""Functions that fill gaps: fill_gaps, fill and transition, and the library that they use."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from segue.errors import ArgumentError, SegueError, SegueWarning
from segue.filling import Options, fill, fill_gaps, transition
from segue.filling.cut_times import AUTO, CutTime, exact_times, is_near
from segue.filling.cutting import DURATIONS as COMPARED
from segue.filling.cutting import MODES, tries
from segue.filling.joining import DURATIONS, END, START
from segue.filling.options import ROOTS
from segue.filling.prior import NAMES as PRIORS
from segue.filling.supports import supports_of
from segue.io.ground import read_ground
from segue.language.errors import LanguageError, suggestion
from segue.language.limits import Budget
from segue.language.signature import JOINTS, MOTION, NUMBER, POINT, TEXT, Context, Function, Kind, Parameter
from segue.language.tree import Argument, Use
from segue.language.values import Value, kind_of_value
from segue.language.workspace import Workspace
from segue.library.frame_index import FrameIndex
from segue.library.library import Library
from segue.library.library_clip import LibraryClip
from segue.library.library_source import LibrarySource
from segue.motion.ground import Ground
from segue.motion.motion import Motion, gaps
from segue.motion.targets import Flight, Footstep, Reach, Target
from segue.spacetime.objectives import OBJECTIVES
from segue.typing import Ints


def ground_of(given: float | str, workspace: Workspace) -> Ground | str:
    """Return the ground of a script: a height in m, "auto", or a file in the workspace."""
    if isinstance(given, float):
        return Ground.flat(given)
    if given == AUTO:
        return given
    path = workspace.to_open(given)
    return read_ground(path, lambda name: workspace.to_open((PurePosixPath(given).parent / name).as_posix()))


def _options(
    context: Context,
    stop: Ints,
    *,
    objective: str,
    coefficients: float | None,
    support: Value,
    ground: float | str,
    prior: str,
    root: str,
    variant: float | None,
) -> Options:
    for name, number in (("coefficients", coefficients), ("variant", variant)):
        if number is not None and not number.is_integer():
            raise ArgumentError(f"{name} is {number:g}: it must be a whole number")
    return Options(
        objective,
        None if coefficients is None else int(coefficients),
        supports_given(() if support is None else support if isinstance(support, tuple) else (support,)),
        ground_of(ground, context.workspace),
        stop=stop,
        variant=None if variant is None else int(variant),
        prior=prior if prior in PRIORS else context.workspace.to_open(prior),
        library=None if context.library is None else LibrarySource(context.library),
        root=root,
    )


def supports_given(given: Iterable[Value]) -> tuple[dict[str, str] | Target, ...]:
    """Return supports of a script, texts among them, as `Options` take them."""
    return tuple(
        supports_of(each) if isinstance(each, str) else each
        for each in given
        if isinstance(each, str | Footstep | Reach | Flight)
    )


def _is_support(value: Value) -> bool:
    items = value if isinstance(value, tuple) else (value,)
    return all(isinstance(item, str | Footstep | Reach | Flight) for item in items)


def _footstep(
    context: Context, foot: str, start: float, stop: float, x: float, z: float, heading: float | None
) -> Footstep:
    return Footstep(foot, start, stop, x, z, heading)


def _reach(context: Context, point: str, at: float, x: float, y: float, z: float) -> Reach:
    return Reach(point, at, x, y, z)


def _flight(context: Context, start: float, stop: float) -> Flight:
    return Flight(start, stop)


def _fill_gaps(context: Context, motion: Motion, mode: str, **given: Any) -> Motion:
    for gap in gaps(motion):
        context.budget.filling(gap.stop - gap.start, context.place)
    with context.budget.until_time_is_up(context.place) as halt:
        return fill_gaps(motion, mode=mode, options=_options(context, halt, **given))


def _fill(
    context: Context,
    motion: Motion,
    start: float,
    stop: float,
    joints: tuple[str | tuple[str, ...], ...] | None,
    **given: Any,
) -> Motion:
    names = [name for each in joints or () for name in (each if isinstance(each, tuple) else (each,))]
    if joints is not None and not names:
        raise ArgumentError("there is no joint in the list: give at least one, or leave it out for the whole body")
    context.budget.filling(stop - start, context.place)
    with context.budget.until_time_is_up(context.place) as halt:
        return fill(motion, [(start, stop)], names or None, options=_options(context, halt, **given))


def _transition(
    context: Context,
    first: Motion,
    second: Motion,
    duration: float | str,
    leave: CutTime,
    enter: CutTime,
    mode: str,
    **given: Any,
) -> Motion:
    sought = exact_times(leave, enter) is None
    if not is_near(leave, enter):
        for motion in (first, second):
            context.budget.comparing(motion, context.place)
        solved = tries(duration)
    elif isinstance(duration, float):
        solved = [duration]
    else:
        solved = [max(COMPARED)] if sought else list(DURATIONS)
    for seconds in solved:
        context.budget.filling(seconds, context.place)
    with context.budget.until_time_is_up(context.place) as halt:
        return transition(
            first, second, duration, leave=leave, enter=enter, mode=mode, options=_options(context, halt, **given)
        )


def _when(edge: str) -> Kind:
    """Return the kind of a cut time; edge: the word that keeps every frame."""
    return Kind(
        f'a time, a list of two times, "{AUTO}" or "{edge}"',
        lambda value: POINT.accepts(value) or _SECONDS.accepts(value) or value == edge,
    )


_SECONDS = Kind('a number of seconds or "auto"', lambda value: isinstance(value, float) or value == AUTO)
GROUND = Kind('a height in metres, "auto" or the name of a file', lambda value: isinstance(value, float | str))
_SUPPORT = Kind('a text such as "left_foot=enforce", a target, or a list of these', _is_support)
_OPTIONS = (
    Parameter("objective", TEXT, "natural", choices=OBJECTIVES),
    Parameter("coefficients", NUMBER, None, usual=(4, 60)),
    Parameter("support", _SUPPORT, None),
    Parameter("ground", GROUND, AUTO, choices=(AUTO,), unit="m", usual=(-1, 1)),
    Parameter("prior", TEXT, "auto", choices=PRIORS),
    Parameter("root", TEXT, "auto", choices=ROOTS),
    Parameter("variant", NUMBER, None, usual=(0, 11)),
)

FILLING = (
    Function(
        "fill_gaps",
        (Parameter("motion", MOTION), Parameter("mode", TEXT, "pinned", choices=MODES), *_OPTIONS),
        _fill_gaps,
        'The motion with every gap filled as a body with mass would move. mode="free" moves what comes after a gap on '
        "the floor to where its beginning leads.",
        "fill_gaps(clips.walk - retime(only(clips.wave, right_arm), 1, duration=0.5))",
    ),
    Function(
        "fill",
        (
            Parameter("motion", MOTION),
            Parameter("start", NUMBER, unit="s"),
            Parameter("stop", NUMBER, unit="s"),
            Parameter("joints", JOINTS, None, many=True),
            *_OPTIONS,
        ),
        _fill,
        "The motion with the time from start to stop erased and filled anew: all of it, or only some joints.",
        "fill(clips.walk, 1.2, 1.6, left_arm, right_arm)",
    ),
    Function(
        "transition",
        (
            Parameter("first", MOTION),
            Parameter("second", MOTION),
            Parameter("duration", _SECONDS, 0.6, choices=(AUTO,), unit="s", usual=(0.1, 1.5)),
            Parameter("leave", _when(END), None, choices=(AUTO, END), unit="s"),
            Parameter("enter", _when(START), None, choices=(AUTO, START), unit="s"),
            Parameter("mode", TEXT, "free", choices=MODES),
            *_OPTIONS,
        ),
        _transition,
        "The first motion until leave, a transition of duration seconds, and the second one from enter on. Without "
        "leave and enter, the last second of the first motion and the first second of the second are searched for cut "
        'points. "auto" searches half of a motion, a list of two times what lies between them; leave="end", '
        'enter="start" leave nothing out. mode="pinned" leaves the second one where it stands on the floor.',
        "transition(clips.walk, clips.kick, 0.5, leave=2.4, enter=[0.2, 1])",
    ),
    Function(
        "footstep",
        (
            Parameter("foot", TEXT),
            *(Parameter(name, NUMBER) for name in ("start", "stop", "x", "z")),
            Parameter("heading", NUMBER, None),
        ),
        _footstep,
        "A support of a gap: a foot stands flat on the ground from start to stop, with the middle of its sole at x, z "
        "in metres. heading: from heel to toe tip in degrees, 0 along +Z, positive towards +X.",
        'fill(clips.walk, 1, 2, support=footstep("right_foot", 1.5, 1.9, -0.15, 2.28))',
    ),
    Function(
        "reach",
        (Parameter("point", TEXT), *(Parameter(name, NUMBER) for name in ("at", "x", "y", "z"))),
        _reach,
        "A support of a gap: a point of the body, as right_hand, left_foot, hips or left_knee, is at x, y, z in metres "
        "at one time.",
        'fill(clips.walk, 1, 2, support=reach("right_hand", 1.6, -0.4, 1.5, 2.3))',
    ),
    Function(
        "flight",
        (Parameter("start", NUMBER), Parameter("stop", NUMBER)),
        _flight,
        "A support of a gap: nothing carries the body from start to stop, and its centre of mass falls freely.",
        "fill(clips.run, 1, 1.5, support=flight(1.1, 1.25))",
    ),
)
"""The functions fill_gaps, fill and transition, and the targets they take."""


USABLE = ("library",)
"""The functions that scripts can use."""


def check_used(statement: Use) -> None:
    """Raise if a script uses anything but a library."""
    if statement.what not in USABLE:
        hint = suggestion(statement.what, USABLE) or f": there is {' and '.join(USABLE)}"
        raise LanguageError(f"'{statement.what}' cannot be used{hint}", statement.place)


def opened(given: Iterable[tuple[Argument, Value]], workspace: Workspace, budget: Budget) -> FrameIndex | None:
    """Return the clips of libraries below the workspace's folder; None without a name, which stops the use of any."""
    named = list(given)
    entries: list[LibraryClip] = []
    for argument, value in named:
        if argument.name is not None:
            raise LanguageError(f"library has no parameter '{argument.name}': it takes names of files", argument.place)
        if not isinstance(value, str):
            raise LanguageError(
                f"library needs the name of a file in quotes, not {kind_of_value(value)}", argument.place
            )
        try:
            file = workspace.to_open(value)
            budget.reading(file.stat().st_size, argument.place)
            entries += Library(file).entries
        except LanguageError:
            raise
        except SegueError as error:
            raise LanguageError(str(error), argument.place) from error
    if named and not entries:
        warnings.warn("the library is empty: gaps are filled by least effort alone", SegueWarning, stacklevel=2)
    return FrameIndex(entries) if named else None
