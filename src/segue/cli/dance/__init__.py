"""`segue dance`: ballroom dance from notation."""

from __future__ import annotations

import typer

__all__ = ["dance"]

dance = typer.Typer(
    name="dance",
    help="Ballroom dance from notation: patterns, plans and previews.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
