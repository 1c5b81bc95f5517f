"""Functions of the language as pages need them: forms, completion and help are made from these shapes."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import get_args, get_type_hints

from segue.dance.simulation.assistance import Mode
from segue.language.signature import JOINTS, MOTION, MOTIONS, REQUIRED, Function, Kind, Parameter
from segue.language.table import BUILT_IN, FUNCTIONS
from segue.language.values import describe
from segue.serve.shapes import Accepted, FunctionShape, ParameterShape
from segue.serve.simulation_messages import Simulate

_EXAMPLES: tuple[tuple[Accepted, float | bool | tuple[float, ...]], ...] = (
    ("number", 0.5),
    ("truth", True),
    ("place", (0.0, 1.0)),
)
# a text that no list of words contains, so that only parameters that take any text accept it
_ANY_TEXT = "\N{SYMBOL FOR NULL}"


def function_shapes() -> tuple[FunctionShape, ...]:
    """Return all functions, extensions included, in the order in which help lists them."""
    return tuple(_function(function) for function in FUNCTIONS.values())


def simulation_shapes() -> tuple[ParameterShape, ...]:
    """Return the settings of `simulate`: those of the function `dance`, of the body, and of the floor."""
    (dance,) = (each for each in function_shapes() if each.name == "dance")
    given = {each.name: each for each in dance.parameters}
    defaults = {each.name: each.default for each in fields(Simulate) if each.name not in given}
    parts = tuple(get_args(get_type_hints(Simulate)["part"]))
    numbers = [
        ParameterShape(name, meaning, f"{defaults[name]:g}", False, (), unit, ("number",), usual)
        for name, meaning, unit, usual in _NUMBERS
    ]
    return (
        *(replace(each, choices=parts) if each.name == "part" else each for each in given.values()),
        ParameterShape("mode", "the motor control", '"torque"', False, tuple(Mode), "", ("text",)),
        *numbers,
    )


_NUMBERS: tuple[tuple[str, str, str, tuple[float, float]], ...] = (
    ("mass", "kg, 0 for the usual mass", "kg", (0.0, 120.0)),
    ("friction", "coefficient of friction between sole and floor", "", (0.05, 1.0)),
    ("gravity", "m/s^2: 9.81 on earth, 3.71 on Mars, 1.62 on the moon", "", (1.62, 9.81)),
)


def _function(function: Function) -> FunctionShape:
    return FunctionShape(
        function.name,
        function.signature,
        tuple(_parameter(each) for each in function.parameters),
        function.help,
        function.example,
        extension=function.name not in BUILT_IN,
    )


def _parameter(parameter: Parameter) -> ParameterShape:
    default = parameter.default
    return ParameterShape(
        parameter.name,
        parameter.kind.words,
        None if default is REQUIRED else "none" if default is None else describe(default),
        parameter.many,
        parameter.texts,
        parameter.unit,
        accepted(parameter.kind),
        parameter.usual,
    )


def accepted(kind: Kind) -> tuple[Accepted, ...]:
    """Return what a kind of argument accepts; nothing for values that only calls give, such as keyframes."""
    if kind is JOINTS:
        return ("joints",)
    if kind in (MOTION, MOTIONS):
        return ("motion",)
    found = [name for name, value in _EXAMPLES if kind.accepts(value)]
    return (*found, *(("text",) if kind.accepts(_ANY_TEXT) else ()))
