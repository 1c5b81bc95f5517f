"""`segue dance`: ballroom dance from notation."""

from __future__ import annotations

import typer

from segue.cli.dance.analyse import analyse, symbols
from segue.cli.dance.dancer import dancer
from segue.cli.dance.environment import environment
from segue.cli.dance.floor import floor
from segue.cli.dance.patterns import check, copy, delete, list_patterns, new, show
from segue.cli.dance.planning import plan
from segue.cli.dance.preview import preview
from segue.cli.dance.simulate import simulate

__all__ = ["dance"]

dance = typer.Typer(
    name="dance",
    help="Ballroom dance from notation: patterns, plans, previews, and simulated dances.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
dance.command("list")(list_patterns)
for command in (show, new, copy, check, delete):
    dance.command(no_args_is_help=True)(command)
dance.command("plan", no_args_is_help=True)(plan)
dance.command(no_args_is_help=True)(preview)
dance.command(no_args_is_help=True)(simulate)
for sheet in (analyse, symbols):
    dance.command(no_args_is_help=True)(sheet)
dance.command(no_args_is_help=True)(floor)
dance.add_typer(dancer)
dance.add_typer(environment)
