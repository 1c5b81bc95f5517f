"""The grammar: what binds tighter, what each form becomes, and what is said of text that is none of them."""

from __future__ import annotations

import pytest

from segue.language import LanguageError, LimitError, Limits, parse
from segue.language.errors import Source
from segue.language.parser import is_unfinished
from segue.language.tree import (
    Argument,
    Assignment,
    Binary,
    Call,
    Comprehension,
    Conditional,
    Definition,
    Evaluation,
    Expression,
    ListOf,
    Member,
    Name,
    Negative,
    Number,
    Range,
    Text,
    Use,
    children,
    walk,
)

HERE = Source("").end


def expression(text: str) -> Expression:
    (statement,) = parse(text).statements
    assert isinstance(statement, Evaluation)
    return statement.expression


def written(node: Expression) -> str:
    """Return an expression with every bracket it could have."""
    match node:
        case Binary():
            return f"({written(node.left)} {node.operator} {written(node.right)})"
        case Negative():
            return f"(-{written(node.operand)})"
        case Name():
            return node.name
        case Number():
            return f"{node.value:g}"
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a + b & c", "(a + (b & c))"),
        ("a & b + c", "((a & b) + c)"),
        ("a - b & c - d", "((a - (b & c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("a - b + c", "((a - b) + c)"),
        ("a & b & c", "((a & b) & c)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("8 / 4 / 2", "((8 / 4) / 2)"),
        ("-1 - -2", "((-1) - (-2))"),
        ("-a * b", "((-a) * b)"),
        ("a + 1 < b * 2", "((a + 1) < (b * 2))"),
    ],
)
def test_operators_bind_as_people_expect(text: str, meaning: str) -> None:
    assert written(expression(text)) == meaning


def test_every_form_has_its_node() -> None:
    number = [Number(HERE, float(k)) for k in range(4)]
    name = Name(HERE, "x")
    expected = {
        "1.5e1": Number(HERE, 15.0),
        ".5": Number(HERE, 0.5),
        '"it\'s"': Text(HERE, "it's"),
        "'say \"hi\"'": Text(HERE, 'say "hi"'),
        "clips.walk": Member(HERE, "clips", "walk"),
        "[1, 2, 3,]": ListOf(HERE, tuple(number[1:])),
        "[]": ListOf(HERE, ()),
        "1..3": Range(HERE, number[1], number[3]),
        "[x for x in 1..3]": Comprehension(HERE, name, "x", Range(HERE, number[1], number[3])),
        "f()": Call(HERE, "f", ()),
        "f(x, by=1,)": Call(HERE, "f", (Argument(HERE, name), Argument(HERE, number[1], "by"))),
        "f(x for x in y, gap=1)": Call(
            HERE,
            "f",
            (Argument(HERE, Comprehension(HERE, name, "x", Name(HERE, "y"))), Argument(HERE, number[1], "gap")),
        ),
        "if 1 < 2 then x else 3": Conditional(HERE, Binary(HERE, "<", number[1], number[2]), name, number[3]),
    }
    for text, node in expected.items():
        assert expression(text) == node, text


def test_statements_end_with_lines_or_semicolons_but_not_inside_brackets() -> None:
    script = parse("a = 1; b = 2  # not here; c = 3\r\n\n def f(x,\n  y) = (x\n + # why not\n y)\n;;f(a,\n\n b)")
    assert [type(statement) for statement in script.statements] == [Assignment, Assignment, Definition, Evaluation]
    assert [statement.place.line for statement in script.statements] == [1, 1, 3, 7]


def test_use_is_a_statement() -> None:
    (statement,) = parse('use library("a", x)').statements
    assert statement == Use(HERE, "library", (Argument(HERE, Text(HERE, "a")), Argument(HERE, Name(HERE, "x"))))
    assert parse("use library()").statements == (Use(HERE, "library", ()),)


def test_an_empty_script_has_no_statements() -> None:
    for text in ("", "\n\n", "# nothing", " ; ; "):
        assert parse(text).statements == ()


def test_the_tree_can_be_walked_without_knowing_its_classes() -> None:
    script = parse("retime(wave, 1.3) + (walk - wave)")
    found = [(type(node).__name__, depth) for node, depth in walk(script)]
    assert found[:4] == [("Script", 0), ("Evaluation", 1), ("Binary", 2), ("Call", 3)]
    assert [node.name for node, _ in walk(script) if isinstance(node, Name)] == ["wave", "walk", "wave"]
    assert [type(child) for child in children(expression("a + 1"))] == [Name, Number]


MALFORMED = {
    "a +": (1, 4, "the script ends where a value was expected"),
    "a = \nb": (1, 5, "the line ends where a value was expected"),
    "x = f(1, 2": (1, 6, "the '(' that opens here is never closed"),
    "x = [f(1), 2": (1, 5, "the '[' that opens here is never closed"),
    "f(1)\n\n g(]": (3, 4, "']' cannot stand here: a value or ')' was expected"),
    "retime(wave 1)": (1, 13, "'1' cannot stand here: an operator, ',', 'for' or ')' was expected"),
    'load("walk.bvh)': (1, 6, "the text that begins here has no closing quote on its line"),
    "a $ b": (1, 3, "'$' is no part of the language"),
    "if a < b then c": (1, 16, "the script ends where 'else' was expected"),
    "def 3(x) = x": (1, 5, "'3' cannot stand here: a name was expected"),
    "def f(x) x": (1, 10, "'x' cannot stand here: '=' was expected"),
    "3 = a": (1, 3, "'=' cannot stand here: an operator or the end of the line was expected"),
    "a b": (1, 3, "'b' cannot stand here: an operator or the end of the line was expected"),
    "[i for in 1..3]": (1, 8, "'in' cannot stand here: a name was expected"),
    "in = 3": (1, 1, "'in' cannot stand here: a value was expected"),
    "clips.": (1, 7, "the script ends where a name was expected"),
    "1 < 2 < 3": (1, 7, "'<' cannot stand here"),
    "a \x1b[31m": (1, 3, "'\\x1b' is no part of the language"),
}


@pytest.mark.parametrize(("text", "said"), MALFORMED.items())
def test_malformed_text_is_told_where_and_what_was_expected(text: str, said: tuple[int, int, str]) -> None:
    with pytest.raises(LanguageError) as caught:
        parse(text, "dance.segue")
    line, column, message = said
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.message.startswith(message)
    assert str(caught.value) == f"dance.segue:{line}:{column}: {caught.value.message}"
    assert "\n" not in str(caught.value)


def test_the_caret_stands_under_what_is_meant() -> None:
    with pytest.raises(LanguageError) as caught:
        parse("a = 1\n\tb = a bcd e")
    assert caught.value.pointer == "     b = a bcd e\n           ^^^"


def test_a_call_without_brackets_is_told_how_to_write_it() -> None:
    with pytest.raises(LanguageError, match=r"'x' cannot stand here: .*; to call show, write show\(x\)$"):
        parse("x = 1\nshow x")


def test_the_caret_counts_cells_of_the_terminal_not_characters() -> None:
    with pytest.raises(LanguageError) as caught:
        parse('a = ["日本", "e\u0301"] b')
    assert caught.value.column == 18
    assert caught.value.pointer.split("\n")[1] == "    " + " " * 18 + "^"
    with pytest.raises(LanguageError) as caught:
        parse("\ta =\tb c\r\n")
    assert caught.value.pointer == "     a = b c\n           ^"


def test_of_a_long_line_the_part_around_the_caret_is_shown_without_what_could_upset_a_terminal() -> None:
    with pytest.raises(LanguageError) as caught:
        parse(f"x = {'1 + ' * 100} 2 2 # \x1b[2J{'y' * 500}")
    shown, caret = caught.value.pointer.split("\n")
    assert len(shown) <= 104
    assert shown[caret.index("^")] == "2"
    assert "\x1b" not in shown


def test_too_deep_or_too_long_a_script_is_refused() -> None:
    deep = {
        "brackets around calls": "f(" * 10_000 + "1" + ")" * 10_000,
        "lists": "[" * 2_000 + "]" * 2_000,
        "signs": "-" * 10_000 + "1",
        "sums": "1" + "+1" * 2_000,
        "conditions": "if 1 < 2 then 1 else " * 500 + "1",
    }
    for text in deep.values():
        with pytest.raises(LimitError, match="more than 200 brackets or operators lie inside one another"):
            parse(text)
    with pytest.raises(LimitError, match="at most 100,000 are allowed"):
        parse("1;" * 50_001)
    with pytest.raises(LimitError, match="more than 3"):
        parse("[[[[1]]]]", limits=Limits(nesting=3))


def test_brackets_alone_cost_nothing() -> None:
    assert expression("(" * 10_000 + "1" + ")" * 10_000) == Number(HERE, 1.0)
    with pytest.raises(LanguageError, match="is never closed"):
        parse("(" * 10_000)


def test_more_is_to_come_while_a_bracket_is_open() -> None:
    for text in ("f(", "[1,\n2", "f(x) + (1 # )", "f(']'"):
        assert is_unfinished(text), text
    for text in ("", "f(x)", "f(x))", "'(", "[1]", "# ("):
        assert not is_unfinished(text), text
