"""Signatures of functions: parameters, their kinds, and the binding of arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from segue.language.errors import LanguageError, Place, suggestion
from segue.language.limits import Budget
from segue.language.tree import Argument
from segue.language.values import Value, describe, kind_of_value
from segue.language.workspace import Workspace
from segue.library.frame_index import FrameIndex
from segue.motion.motion import Motion


@dataclass(frozen=True)
class Kind:
    """A kind of argument: in words, and a test for it."""

    words: str
    accepts: Callable[[Value], bool]


def _all_are(kind: type) -> Callable[[Value], bool]:
    def accepts(value: Value) -> bool:
        return isinstance(value, kind) or (isinstance(value, tuple) and all(isinstance(item, kind) for item in value))

    return accepts


NUMBER = Kind("a number", lambda value: isinstance(value, float))
"""A number, which is a float."""

TEXT = Kind("a text in quotes", lambda value: isinstance(value, str))
"""A text."""

TRUTH = Kind("true or false", lambda value: isinstance(value, bool))
"""A bool."""

MOTION = Kind("a motion", lambda value: isinstance(value, Motion))
"""A motion."""

MOTIONS = Kind("a motion or a list of motions", _all_are(Motion))
"""A motion, or a tuple of motions."""

JOINTS = Kind("a joint or a group of joints such as left_arm", _all_are(str))
"""The name of a joint or group, or a tuple of such names."""

POINT = Kind(
    "a list of two numbers, [x, z]",
    lambda value: isinstance(value, tuple) and len(value) == 2 and all(isinstance(item, float) for item in value),
)
"""A place on the floor: a tuple of two floats."""

ANY = Kind("a value", lambda value: True)
"""Any value."""

REQUIRED = object()
"""The default of a parameter that must be given."""


@dataclass(frozen=True)
class Parameter:
    """One parameter; `many` takes all arguments that are given without a name from here on.

    choices: texts that it accepts, for forms and completion, or a function that lists them. unit: "s", "m", "rad", or
    "" for a number without one. usual: the range of a slider; a number outside is accepted.
    """

    name: str
    kind: Kind = ANY
    default: Any = REQUIRED
    many: bool = False
    choices: Collection[str] | Callable[[], Iterable[str]] = field(default=(), kw_only=True)
    unit: str = field(default="", kw_only=True)
    usual: tuple[float, float] | None = field(default=None, kw_only=True)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that the parameter accepts, if these are few."""
        return tuple(self.choices() if callable(self.choices) else self.choices)

    def __str__(self) -> str:
        if self.many:
            return f"{self.name}, ..."
        if self.default is REQUIRED:
            return self.name
        return f"{self.name}=none" if self.default is None else f"{self.name}={describe(self.default)}"


@dataclass(frozen=True)
class Context:
    """Values that a function may use in addition to its arguments: folder, limits, output, place of the call.

    library: what gaps are filled from; None where no library is in use.
    """

    workspace: Workspace
    budget: Budget
    say: Callable[[str], None]
    place: Place
    library: FrameIndex | None = None


@dataclass(frozen=True)
class Function:
    """A built-in function: signature, description, and an example."""

    name: str
    parameters: tuple[Parameter, ...]
    apply: Callable[..., Value]
    """Called with the context, then every parameter by its name."""
    help: str
    example: str
    effect: bool = False
    """Whether it is called for what it writes or prints, so that previews leave it out."""

    @property
    def signature(self) -> str:
        """The call as text: `retime(motion, start, stretch=1, duration=none)`."""
        return f"{self.name}({', '.join(map(str, self.parameters))})"


def bind(
    name: str, parameters: Sequence[Parameter], given: Sequence[tuple[Argument, Value]], place: Place
) -> Mapping[str, Any]:
    """Return the value of every parameter by name; raise if an argument does not fit."""
    found: dict[str, Any] = {}
    positions = iter(parameters)
    known = {parameter.name: parameter for parameter in parameters}
    gathering: Parameter | None = None
    for argument, value in given:
        if argument.name is None:
            parameter = gathering or next(positions, None)
            if parameter is None:
                raise LanguageError(f"{name} takes at most {_counted(parameters)}", argument.place)
            gathering = parameter if parameter.many else None
        elif argument.name in known:
            parameter = known[argument.name]
        else:
            hint = suggestion(argument.name, known) or f": it has {', '.join(known) or 'none'}"
            raise LanguageError(f"{name} has no parameter '{argument.name}'{hint}", argument.place)
        if parameter.name in found and not (parameter.many and argument.name is None):
            raise LanguageError(f"{name} is given '{parameter.name}' twice", argument.place)
        if not parameter.kind.accepts(value) and not (value is None and parameter.default is None):
            raise LanguageError(
                f"{name} needs {parameter.kind.words} as '{parameter.name}', not {kind_of_value(value)}", argument.place
            )
        found[parameter.name] = (*found.get(parameter.name, ()), value) if parameter.many else value
    for parameter in parameters:
        if parameter.name not in found:
            if parameter.default is REQUIRED:
                raise LanguageError(f"{name} needs '{parameter.name}', {parameter.kind.words}", place)
            found[parameter.name] = parameter.default
    return found


def _counted(parameters: Sequence[Parameter]) -> str:
    return f"{len(parameters)} argument{'' if len(parameters) == 1 else 's'}"
