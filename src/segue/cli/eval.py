"""`segue eval`: the value of one expression."""

from __future__ import annotations

from typing import Annotated

import typer

from segue.cli.run import Out, TimeLimit, carry_out


def evaluate(
    expression: Annotated[str, typer.Argument(metavar="EXPR", help="A motion expression, in quotes.")],
    out: Out = None,
    seconds: TimeLimit = 120.0,
) -> None:
    """Print, or save, what a motion expression gives.

    Example: segue eval 'concat(clips.walk, clips.wave)' -o out.bvh
    """
    carry_out(expression, "expression", out, seconds)
