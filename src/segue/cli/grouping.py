"""Options that several commands share: a command takes a group of options as one parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints


class Group:
    """Marks a parameter that a function or a dataclass makes from options: `Annotated[ClipOptions, Group(make)]`.

    The parameters of `make` are annotated as Typer's options are. without: parameters of `make` that the command
    does not offer.
    """

    def __init__(self, make: Callable[..., Any], *without: str) -> None:
        self.make = make
        hints = get_type_hints(make, include_extras=True)
        self.options = [
            option.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            for name, option in inspect.signature(make).parameters.items()
            if name not in without
        ]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command as Typer takes it: a parameter with a `Group`, or of a dataclass, becomes its options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Group] = {name: group for name, hint in hints.items() if (group := _group(hint)) is not None}
    options: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in groups:
            options += groups[name].options
        else:
            options.append(parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group.make(**{option.name: given.pop(option.name) for option in group.options})
        command(**given)

    # Typer looks at both
    run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _group(hint: Any) -> Group | None:
    if isinstance(hint, type) and is_dataclass(hint):
        return Group(hint)
    found = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((each for each in found if isinstance(each, Group)), None)
