"""The function `dance`: patterns of the dance library as motions."""

from __future__ import annotations

from segue.body.figure import Figure
from segue.dance.patterns import SHIPPED, SUFFIX, DanceLibrary
from segue.dance.performance.solo import FPS, preview
from segue.dance.planning.planner import plan as make_plan
from segue.errors import ArgumentError
from segue.language.signature import NUMBER, TEXT, Context, Function, Kind, Parameter
from segue.language.values import Value
from segue.motion.motion import Motion


def _dance(
    context: Context,
    pattern: str | tuple[str, ...],
    tempo: float | str | None,
    repeat: float,
    part: str,
    stature: float,
) -> Motion:
    names = pattern if isinstance(pattern, tuple) else (pattern,)
    listed = [context.workspace.to_open(name) if name.lower().endswith(SUFFIX) else name for name in names]
    if repeat != int(repeat):
        raise ArgumentError(f"repeat is {repeat:g}: it must be a whole number, 1 or more")
    plan = make_plan(
        listed,
        part=part,
        tempo=tempo,
        repeat=int(repeat),
        figure=Figure.standard(stature),
        # scripts can read their own folder and Segue's own files only
        library=DanceLibrary(SHIPPED),
    )
    context.budget.writing(plan.stop * FPS, context.place)
    return preview(plan)


def _titles() -> list[str]:
    return [entry.title for entry in DanceLibrary(SHIPPED).entries()]


def _are_texts(value: Value) -> bool:
    return isinstance(value, str) or (
        isinstance(value, tuple) and len(value) > 0 and all(isinstance(item, str) for item in value)
    )


_PATTERN = Kind("a pattern's name in quotes, or a list of them", _are_texts)
_TEMPO = Kind('bars a minute, or a text such as "120bpm"', lambda value: isinstance(value, float | str))

DANCING = (
    Function(
        "dance",
        (
            Parameter("pattern", _PATTERN, choices=_titles),
            Parameter("tempo", _TEMPO, None, usual=(20, 60)),
            Parameter("repeat", NUMBER, 1.0, usual=(1, 8)),
            Parameter("part", TEXT, "leader", choices=("leader", "follower")),
            Parameter("stature", NUMBER, 1.75, unit="m", usual=(1.4, 2.1)),
        ),
        _dance,
        "A ballroom pattern, or a list of them, danced on the beat: names, or files that end in .dance. tempo: bars a "
        'minute, or as "120bpm"; part: leader or follower.',
        'dance("foxtrot/forward basic")',
    ),
)
"""The function `dance`."""
