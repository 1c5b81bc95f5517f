"""Groups of options: a dataclass stands for options of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from segue.cli.source import grouped


@dataclass(frozen=True)
class Paint:
    """Options that commands share."""

    colour: Annotated[str, typer.Option("--colour", help="Which one.")]
    coats: Annotated[int, typer.Option(help="How many.")] = 1


def test_a_group_is_taken_apart_for_the_command_line_and_put_together_for_the_command() -> None:
    called: list[tuple[str, Paint, bool]] = []

    @grouped
    def paint(wall: Annotated[str, typer.Argument()], *, dry: bool = False, how: Paint) -> None:
        """Paint a wall."""
        called.append((wall, how, dry))

    app = typer.Typer(rich_markup_mode=None)
    app.command()(paint)
    runner = CliRunner()
    assert runner.invoke(app, ["north", "--colour", "red", "--coats", "2", "--dry"]).exit_code == 0
    assert runner.invoke(app, ["south", "--colour", "blue"]).exit_code == 0
    assert called == [("north", Paint("red", 2), True), ("south", Paint("blue"), False)]
    missing = runner.invoke(app, ["north"])
    assert missing.exit_code == 2
    assert "--colour" in missing.output
    told = runner.invoke(app, ["--help"]).output
    assert "Paint a wall." in told
    assert told.index("--dry") < told.index("--colour") < told.index("--coats")
    assert paint.__name__ == "paint"
