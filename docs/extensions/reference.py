"""Reference pages that the program writes itself: every command with its options, every function of the language.

The directive `commands` lists the commands of `segue`, and the directive `functions` the functions of the language, in
Markdown made from the same descriptions that `--help` and `help` print.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from segue.cli import app as command_line
from segue.language import table
from segue.language.signature import Function


def _plain(text: str | None) -> str:
    """Return help text on one line, with what Markdown would take for markup escaped."""
    words = " ".join((text or "").split())
    return words.replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("_", "\\_")


def _rows(command: Any) -> Iterator[tuple[str, str]]:
    """Yield the arguments and options of a command, with their help. Typer has classes of its own, so none is named."""
    for parameter in command.params:
        record = parameter.get_help_record(typer.Context(command))
        if record is not None:
            yield record


def command_page(command: Any, name: str, depth: int = 2) -> Iterator[str]:
    """Yield lines of Markdown that describe a command and its sub-commands."""
    yield f"{'#' * depth} `{name}`"
    yield ""
    yield _plain((command.help or "").split("\f")[0])
    yield ""
    context = typer.Context(command)
    if hasattr(command, "list_commands"):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if not found.hidden:
                yield from command_page(found, f"{name} {each}", min(depth + 1, 4))
        return
    usage = " ".join(command.collect_usage_pieces(context))
    yield from ("```text", f"{name} {usage}", "```", "")
    rows = [(names, text) for names, text in _rows(command) if names != "--help"]
    if rows:
        yield from ("| option | meaning |", "|---|---|")
        yield from (f"| `{names.replace('|', '/')}` | {_plain(text)} |" for names, text in rows)
        yield ""


def function_page(function: Function, synonyms: list[str]) -> Iterator[str]:
    """Yield lines of Markdown that describe a function of the language."""
    yield from (f"## `{function.name}`", "", "```text", function.signature, "```", "", _plain(function.help), "")
    if synonyms:
        yield from (f"The paper calls this function {' or '.join(f'`{name}`' for name in synonyms)}.", "")
    if function.example:
        yield from ("```segue", function.example, "```", "")


def _commands() -> Iterator[str]:
    """Yield every command with every option, in the order of the help."""
    group: Any = typer.main.get_command(command_line)
    context = typer.Context(group)
    for name in group.list_commands(context):
        yield from command_page(group.get_command(context, name), f"segue {name}")


def _functions() -> Iterator[str]:
    """Yield every function of the language, by name."""
    for function in sorted(table.FUNCTIONS.values(), key=lambda each: each.name):
        yield from function_page(function, [old for old, new in table.ALIASES.items() if new == function.name])


def _directive(text: str) -> type[SphinxDirective]:
    class Generated(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(text, allow_section_headings=True)

    return Generated


def setup(app: Sphinx) -> dict[str, Any]:
    """Make both directives known. The text is made here, before `signatures` changes annotations that Typer reads."""
    app.add_directive("commands", _directive("\n".join(_commands())))
    app.add_directive("functions", _directive("\n".join(_functions())))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
