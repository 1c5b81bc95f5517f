"""`segue repl`: the prompt."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.console import say
from segue.language import Limits, Session


def start_prompt(
    seconds: Annotated[
        float, typer.Option(metavar="SECONDS", help="Stop a computation after so much time; Ctrl-C stops it at once.")
    ] = 3600.0,
) -> None:
    """Type motion expressions and see what they give.

    Files are read and written below the current folder. Ctrl-C stops a computation, Ctrl-D leaves.

    Example: segue repl
    """
    from segue.language.repl import Repl  # the prompt's library is slow to import, and no other command needs it

    Repl(Session(limits=Limits(seconds=seconds), say=say), say=say).run()
