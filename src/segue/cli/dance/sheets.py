"""`segue dance plan`, `analyse` and `symbols`: draw footprints, patterns and symbols."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from segue import dance
from segue.body.figure import Figure
from segue.cli.console import progress_bar, say
from segue.cli.dance.patterns import Folder, PartName, PatternName
from segue.cli.source import check_picture
from segue.dance.course.couple import CoupleCourse
from segue.dance.course.course import Course
from segue.dance.course.hold import hold_of_dance
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary
from segue.dance.performance.couple import hold_distance
from segue.dance.planning import Plan, Style, plan_couple, read_tempo
from segue.dance.planning import plan as make_plan
from segue.errors import ArgumentError
from segue.filesystem import writable_target

_MOST_REPEATS = 64


def draw_plan(
    patterns: Annotated[
        list[str],
        typer.Argument(metavar="PATTERN...", help="Such as 'foxtrot/forward basic'; several are danced in order."),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The picture: .png, .svg or .pdf.")],
    repeat: Annotated[int, typer.Option(metavar="N", help="How often the whole is danced.")] = 1,
    part: PartName = Part.LEADER,
    couple: Annotated[bool, typer.Option("--couple", help="Both parts in the hold of the dance.")] = False,
    tempo: Annotated[
        str | None, typer.Option(metavar="TEMPO", help="Bars a minute, as 30, or beats, as 120bpm; the pattern's own.")
    ] = None,
    stature: Annotated[float, typer.Option(metavar="M", help="The dancer's height; of a couple the leader's.")] = 1.75,
    partner: Annotated[float, typer.Option(metavar="M", help="The follower's height, of a couple.")] = 1.66,
    step_size: Annotated[float, typer.Option(metavar="FACTOR", help="Factor on the length of steps.")] = 1.0,
    mirror: Annotated[bool, typer.Option("--mirror", help="Mirror patterns whose first foot is not free.")] = False,
    folder: Folder = None,
) -> None:
    """Draw a floor plan: footprints with step numbers, beats and turns, the path of the body, the line of dance.

    Segue warns where joints would go beyond their range, or legs of partners would overlap.

    Example: segue dance plan "waltz/left turning box" --couple -o box.png
    """
    from segue.view.picture import check_suffix  # pictures need a library that is slow to import

    check_suffix(out)
    writable_target(out)
    if not 1 <= repeat <= _MOST_REPEATS:
        raise ArgumentError(f"--repeat is {repeat}: it must be from 1 to {_MOST_REPEATS}")
    if couple and mirror:
        raise ArgumentError("--mirror is for one dancer: leave it out, or --couple")
    library = DanceLibrary(folder)
    style = Style(step_size=step_size)
    chosen = [library.pattern(name, Part.LEADER if couple else part) for name in patterns] * repeat
    speed = None if tempo is None else read_tempo(tempo, chosen[0].beats_per_bar)
    figure = Figure.standard(stature)
    if couple:
        follows = [library.pattern(name, Part.FOLLOWER) for name in patterns] * repeat
        other, holding = Figure.standard(partner), hold_of_dance(chosen[0].dance)
        hold = hold_distance(figure, other, holding)
        both = plan_couple(chosen, follows, figure, other, tempo=speed, styles=(style, style), hold=hold)
        plans = [both.leader, both.follower]
        CoupleCourse.of(both.leader, both.follower, holding)  # warns of what the couple cannot do
    else:
        plans = [make_plan(chosen, figure, tempo=speed, style=style, mirror=mirror)]
        Course.of(plans[0])  # warns of what the body cannot do

    from segue.view.floor_plans import plot_floor_plan

    plot_floor_plan(plans).save(out)
    say(f"{out}: {_summary(plans[0], repeat)}")


def _summary(made: Plan, repeat: int) -> str:
    seconds = made.steps[-1].stop - made.lead_in
    times = "" if repeat == 1 else f", danced {repeat} times"
    return f"{len(made.steps)} steps in {seconds:.1f} s at {made.tempo.bars:g} bars a minute{times}"


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
