"""Reference pages that the program writes itself: every command with its options, every function of the language.

The directive `commands` lists the commands of `segue`, and the directive `functions` the functions of the language, in
Markdown made from the same descriptions that `--help` and `help` print. The directive `settings` lists the settings of
a dataclass, and the directive `report` the keys of a JSON file that a command writes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
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


def settings_table(name: str) -> Iterator[str]:
    """Yield a table of the settings of a dataclass, given as `module.Class`."""
    module, _, kind = name.rpartition(".")
    yield from ("| key | default | range | meaning |", "|---|---|---|---|")
    for each in fields(getattr(import_module(module), kind)):
        found = each.metadata.get("setting")
        if found is not None:
            span = f"{found.least:g} to {found.most:g}" if found.most - found.least < float("inf") else ""
            span = ", ".join(found.choices) or span
            usual = "" if each.default is None else f"`{each.default}`"
            yield f"| `{each.name}` | {usual} | {span} | {_plain(found.about)} |"


def report_table(command: str) -> Iterator[str]:
    """Yield a table of the keys in the file REPORT that a command writes, with the values of that run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        words = command.replace("REPORT", str(path)).replace("OUT", str(path.with_suffix(".bvh"))).split()
        # in a process of its own: `signatures` has changed annotations that Typer reads
        subprocess.run([sys.executable, "-m", "segue", *words], capture_output=True)
        found = json.loads(path.read_text(encoding="utf-8"))
    yield from ("| key | kind | in this run |", "|---|---|---|")
    for key, value in _flat(found, ""):
        shown = json.dumps(value)
        yield f"| `{key}` | {_KINDS[type(value)]} | `{shown if len(shown) < 60 else shown[:56] + ' ...'}` |"


_KINDS = {
    str: "text",
    float: "number",
    int: "number",
    bool: "true or false",
    type(None): "null",
    list: "list",
    dict: "table",
}


def _flat(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the leaves of a JSON value with dotted names; of a list of tables the first one."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield from _flat(value[0], f"{name}[]")
    else:
        yield name, value


class _Table(SphinxDirective):
    """A table that a function makes of the directive's argument."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the parsed table."""
        make = settings_table if self.name == "settings" else report_table
        return self.parse_text_to_nodes("\n".join(make(self.arguments[0])))


def _directive(text: str) -> type[SphinxDirective]:
    class Generated(SphinxDirective):
        def run(self) -> list[nodes.Node]:
            return self.parse_text_to_nodes(text, allow_section_headings=True)

    return Generated


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known. The text is made here, before `signatures` changes annotations that Typer reads."""
    app.add_directive("commands", _directive("\n".join(_commands())))
    app.add_directive("functions", _directive("\n".join(_functions())))
    app.add_directive("settings", _Table)
    app.add_directive("report", _Table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
