"""Functions as forms need them: everything in a signature is in the shape, and what a shape accepts runs."""

from __future__ import annotations

from segue.language.parser import parse
from segue.language.table import FUNCTIONS
from segue.language.tree import Evaluation, Name
from segue.serve.functions import function_shapes


def test_every_function_has_a_shape_with_its_parameters() -> None:
    shapes = {shape.name: shape for shape in function_shapes()}
    assert list(shapes) == list(FUNCTIONS)
    for name, function in FUNCTIONS.items():
        assert [each.name for each in shapes[name].parameters] == [each.name for each in function.parameters]
        assert not shapes[name].extension


def test_defaults_are_expressions_of_the_language() -> None:
    for shape in function_shapes():
        for parameter in shape.parameters:
            if parameter.default is not None:
                (statement,) = parse(parameter.default).statements
                assert isinstance(statement, Evaluation)
                # `none` is no value of the language: to set it, a form removes the argument
                assert not isinstance(statement.expression, Name) or parameter.default in ("none", "true", "false")


def test_choices_are_accepted_and_defaults_are_among_them() -> None:
    for function in FUNCTIONS.values():
        for parameter in function.parameters:
            assert all(parameter.kind.accepts(text) for text in parameter.texts), (function.name, parameter.name)
            if isinstance(parameter.default, str) and parameter.texts:
                assert parameter.default in parameter.texts
            if parameter.usual is not None:
                assert parameter.usual[0] < parameter.usual[1]
                assert parameter.kind.accepts(float(parameter.usual[0]))


def test_what_controls_a_form_offers() -> None:
    shapes = {(shape.name, each.name): each for shape in function_shapes() for each in shape.parameters}
    assert shapes["transition", "leave"].accepts == ("number", "place")
    assert shapes["transition", "leave"].choices == ("auto", "end")
    assert "torque_change" in shapes["fill", "objective"].choices
    assert shapes["fill", "joints"].accepts == ("joints",)
    assert shapes["trim", "keep_time"].accepts == ("truth",)
    assert "waltz/box" in " ".join(shapes["dance", "pattern"].choices)
