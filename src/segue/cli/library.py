"""`segue library`: an index of one's own clips, to fill gaps from."""

from __future__ import annotations

import typer

__all__ = ["library"]

library = typer.Typer(
    name="library",
    help="An index of your own clips, to fill gaps from.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
