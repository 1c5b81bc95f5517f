"""`segue dance analyse` and `segue dance symbols`: draw patterns and symbols as sheets of figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue import dance
from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.patterns import Folder, PartName, PatternName
from segue.cli.source import check_picture
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary

_Out = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The sheet: .png, .svg or .pdf.")]
_Stature = Annotated[float, typer.Option(metavar="M", help="The dancer's height.")]


def draw_steps(
    pattern: PatternName,
    out: _Out,
    part: PartName = Part.LEADER,
    tempo: Annotated[
        str | None, typer.Option(metavar="TEMPO", help="Bars a minute, as 30, or beats, as 120bpm; the pattern's own.")
    ] = None,
    stature: _Stature = 1.75,
    folder: Folder = None,
) -> None:
    """Draw the step sheet of a pattern, and the figure at the end of every step from six viewpoints.

    Example: segue dance analyse "foxtrot/forward basic" -o sheet.png
    """
    check_picture(out)
    library = DanceLibrary(folder)
    plan = dance.plan(pattern, part=part, tempo=tempo, figure=Figure.standard(stature), library=library)
    from segue.view.dance_analyser import analysed  # pictures need a library that is slow to import

    with progress_bar("Drawing"):
        analysed(plan, dance.preview(plan)).save(out)
    say(f"{out}: {len(plan.steps)} steps of {plan.steps[0].pattern.title}")


def draw_symbols(out: _Out, stature: _Stature = 1.75) -> None:
    """Draw every symbol of the notation with its pose.

    Example: segue dance symbols -o symbols.png
    """
    check_picture(out)
    from segue.view.dance_symbols import posed_symbols, symbol_sheet  # as above

    with progress_bar("Drawing") as advance:
        symbol_sheet(Figure.standard(stature), progress=advance).save(out)
    say(f"{out}: {sum(len(each) for each in posed_symbols().values())} symbols")
