"""Patterns are read as they are typed, and what is wrong is told with its step, row and symbol."""

from __future__ import annotations

import pytest

from segue.dance.notation import (
    SYMBOLS,
    Alignment,
    NotationError,
    Part,
    Pattern,
    Row,
    Step,
    Symbol,
    Turn,
    parse,
    read_sheet,
)
from segue.dance.notation.model import Body, Foot, FootPosition, Footwork, Head, Modifier
from segue.dance.notation.symbols import Side
from segue.errors import FileFormatError, SegueWarning

HEADER = "dance: foxtrot\npattern: forward basic\ntime: 4/4\ntempo: 30\n"


def grid(foot: str = "LF FWD | RF 1ST", beats: str = "2 | 2", **rows: str) -> str:
    """Return a text with two steps, or what is given."""
    more = "".join(f"{name.replace('_', ' ')} | {cells} |\n" for name, cells in rows.items())
    return f"{HEADER}\nFoot Position | {foot} |\nBeats | {beats} |\n{more}"


def only_step(foot: str, **rows: str) -> Step:
    (step,) = parse(grid(foot, "2", **rows)).steps
    return step


def error_of(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        parse(text, "basic.dance")
    assert "\n" not in str(caught.value)
    return caught.value


def test_figure_5_2_reads_as_the_thesis_tells_it() -> None:
    pattern = parse(
        """# as it is printed there, without the rows that nothing dances
dance: foxtrot
pattern: Forward Basic
commence: facing line of dance
time: 4/4
tempo: 120 beats a minute

Step Number   | 1      | 2      | 3      | 4
Foot Positions| LF FWD | RF FWD | LF SWD | RF CL/LF
Footwork      | H      | H-T    | T      | T-H
Amt. of Turn  | NT     | ----   | ----   | ----
Timing        | S      | S      | Q      | Q
CBM & Sway    | SCBM   | SCBM   | SWR    | SWR
Head Position | NP     | ----   | ----   | ----
"""
    )
    slight, sway = frozenset({Body.SLIGHT_CONTRA_BODY_MOVEMENT}), frozenset({Body.SWAY_RIGHT})
    assert pattern == Pattern(
        dance="foxtrot",
        name="Forward Basic",
        steps=(
            Step(Foot.LEFT, FootPosition.FORWARD, 2, footwork=Footwork.HEEL, head=Head.NORMAL, body=slight),
            Step(Foot.RIGHT, FootPosition.FORWARD, 2, footwork=Footwork.HEEL_TOE, body=slight),
            Step(Foot.LEFT, FootPosition.SECOND, 1, footwork=Footwork.TOE, body=sway),
            Step(Foot.RIGHT, FootPosition.FIRST, 1, footwork=Footwork.TOE_HEEL, body=sway),
        ),
        part=Part.LEADER,
        commence=Alignment.FACING_LINE,
        tempo=30.0,
    )


def test_every_symbol_of_the_thesis_is_there() -> None:
    thesis = {
        Row.FOOT: "LF RF HOLD 1ST 2ND 3RD FWD BWD 5TH SIP XIF XIB UNX CBMP DIAG LWD RWD NW SS TO PAUSE",
        Row.HEAD: "LL NP LR",
        Row.FOOTWORK: "H T H-T T-H",
        Row.TURN: "1/8 1/4 3/8 1/2 5/8 3/4 L R",
        Row.BEATS: "1 2 3 4",
        Row.BODY: "CBM SCBM SWL SWR",
    }
    for row, texts in thesis.items():
        assert set(texts.split()) <= {symbol.text for symbol in SYMBOLS if symbol.row is row}
    # and the model knows no more than the notation can say
    said = {symbol.stands_for for symbol in SYMBOLS}
    for meanings in (Foot, FootPosition, Modifier, Head, Footwork, Body, Side):
        assert set(meanings) <= said


@pytest.mark.parametrize("symbol", [each for each in SYMBOLS if each.kind == "position"], ids=lambda each: each.text)
def test_positions(symbol: Symbol) -> None:
    foot = "RF" if symbol.text != "CL/RF" else "LF"
    assert only_step(f"{foot} {symbol.text}").position is symbol.stands_for


@pytest.mark.parametrize("modifier", Modifier)
def test_modifiers_in_any_order_and_case(modifier: Modifier) -> None:
    for written in (f"LF FWD {modifier}", f"{modifier} LF FWD".lower(), f"FWD {modifier} lf"):
        assert only_step(written) == Step(Foot.LEFT, FootPosition.FORWARD, 2, modifiers=frozenset({modifier}))


@pytest.mark.parametrize("footwork", Footwork)
def test_footwork(footwork: Footwork) -> None:
    assert only_step("LF FWD", Footwork=footwork.lower()).footwork is footwork


@pytest.mark.parametrize("head", Head)
def test_head(head: Head) -> None:
    assert only_step("LF FWD", Head_Position=head).head is head


@pytest.mark.parametrize("body", Body)
def test_body(body: Body) -> None:
    assert only_step("LF FWD", CBM=body).body == {body}


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        ("1/8 L", Turn(1, True)),
        ("1/4R", Turn(2, False)),
        ("l 3/8", Turn(3, True)),
        ("1/2 r", Turn(4, False)),
        ("5/8 L", Turn(5, True)),
        ("3/4 R", Turn(6, False)),
        ("NT", None),
        ("-", None),
        ("——", None),
        ("", None),
    ],
)
def test_turns(written: str, turn: Turn | None) -> None:
    assert only_step("LF FWD", Amount_of_Turn=written).turn == turn


@pytest.mark.parametrize(("written", "beats"), [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("S", 2), ("q", 1)])
def test_beats(written: str, beats: int) -> None:
    assert parse(grid("LF FWD", written)).steps[0].beats == beats


def test_hold() -> None:
    assert only_step("HOLD", Turn="1/4 L") == Step(Foot.HOLD, None, 2, turn=Turn(2, True))


def test_ditto_repeats_the_cell_before() -> None:
    steps = parse(grid("LF FWD | RF FWD | LF 1ST", '2 | " | "', Footwork='H | " | T')).steps
    assert [step.beats for step in steps] == [2, 2, 2]
    assert [step.footwork for step in steps] == [Footwork.HEEL, Footwork.HEEL, Footwork.TOE]


def test_errors_point_at_blank_cells_and_dittos() -> None:
    blank = error_of(grid("LF FWD | | RF 1ST", "1 | 1 | 2"))
    assert (blank.step, blank.line, blank.column) == (2, 6, 25)
    ditto = error_of(grid('LF FWD | "', "2 | x"))
    assert (ditto.step, ditto.row) == (2, Row.BEATS)
    again = error_of(grid('HOLD | "', "2 | 2", Footwork="- | T"))
    assert (again.step, again.row) == (2, Row.FOOTWORK)
    repeated = error_of(grid("LF FWD | HOLD", "2 | 2", Footwork='H | "'))
    assert (repeated.step, repeated.column) == (2, 16)


def test_headers() -> None:
    text = """# a comment
dance:   Cha Cha
pattern: New York   # of our own
Part: Follower
Commence: F DC
finish: facing diagonally to center
time signature: 8/8
tempo: 28.5 bars/min
difficulty: 4
note: small # steps
note:   and   light
| Foot Position | LF FWD |
| Beats         | 2      |
"""
    pattern = parse(text.replace("\n", "\r\n"))
    assert (pattern.dance, pattern.name, pattern.part) == ("Cha Cha", "New York", Part.FOLLOWER)
    assert pattern.commence is Alignment.DIAGONAL_CENTRE
    assert (pattern.beats_per_bar, pattern.beat_unit, pattern.tempo, pattern.difficulty) == (8, 8, 28.5, 4)
    assert pattern.notes == ("small # steps", "and light")


def test_rows_that_nothing_dances_are_passed_over_with_a_warning() -> None:
    with pytest.warns(SegueWarning, match="Rise and Fall"):
        pattern = parse(grid(Rise_and_Fall="up | down"))
    assert pattern == parse(grid())


def test_errors_in_the_header_point_at_what_is_wrong() -> None:
    error = error_of("  part :   both\n" + grid())
    assert (error.line, error.column) == (1, 12)
    error = error_of("  parts :   leader\n" + grid())
    assert (error.line, error.column) == (1, 3)


def test_where_everything_stands_is_known() -> None:
    sheet = read_sheet(grid(), "basic.dance")
    assert sheet.place(1, Row.FOOT) == (6, 17)
    assert sheet.place(2, Row.FOOT) == (6, 26)
    assert sheet.place(2, Row.HEAD) == (None, None)
    assert [header.name for header in sheet.headers] == ["dance", "pattern", "time", "tempo"]


@pytest.mark.parametrize(
    ("foot", "step", "symbol", "says"),
    [
        ("LF FWD | RF FWT", 2, "FWT", "did you mean FWD"),
        ("LF FWD BWD | RF FWD", 1, "BWD", "FWD and BWD exclude each other: write one position"),
        ("LF RF FWD | RF FWD", 1, "RF", "LF and RF exclude each other: write one foot"),
        ("LF FWD | RF FWD SS SS", 2, "SS", "SS is written twice"),
        ("LF FWD LWD RWD | RF FWD", 1, "RWD", "LWD and RWD exclude each other"),
        ("LF FWD | HOLD 1ST", 2, "1ST", "HOLD keeps both feet where they are: 1ST"),
        ("LF FWD | HOLD PAUSE", 2, "PAUSE", "PAUSE cannot stand with it"),
        ("LF FWD | PAUSE", 2, "PAUSE", "PAUSE needs a foot"),
        ("LF FWD | HOLD CL/RF", 2, "HOLD", "HOLD keeps"),
        ("LF FWD | RF SIP NW", 2, "NW", "SIP and NW exclude each other"),
        ("LF FWD | RF SIP SS", 2, "SS", "does not travel"),
        ("LF XIF | RF UNX DIAG", 2, "DIAG", "does not travel"),
        ("LF XIF DIAG | RF FWD", 1, "DIAG", "DIAG is for steps forward or backward"),
        ("LF 2ND RWD | RF FWD", 1, "RWD", "outwards"),
        ("LF FWD | RF", 2, "RF", "has no position"),
        ("FWD | RF FWD", 1, "FWD", "needs a foot before it"),
        ("LF FWD | ----", 2, None, "nothing is written"),
        ("LF FWD | RF ---- FWD", 2, "----", "leaves the cell empty"),
        ("LF FWD | RF CL/RF", 2, "CL/RF", "cannot close to itself: write CL/LF"),
        ("LF 4TH | RF FWD", 1, "4TH", "fourth position is written FWD or BWD"),
        ("LF FWD | RF FWD LL", 2, "LL", "it belongs to the row Head Position"),
        ('" | RF FWD', 1, '"', "this is the first"),
        ('LF FWD | RF "', 2, '"', "stands alone"),
        ("LF FWD | RF \x1b[31m", 2, "\x1b[31m", "no symbol of this row"),
        ("LF FWD | RF " + "X" * 500, 2, "X" * 500, "no symbol of this row"),
    ],
)
def test_errors_name_step_row_and_symbol(foot: str, step: int, symbol: str | None, says: str) -> None:
    error = error_of(grid(foot))
    assert says in str(error)
    assert str(error).startswith(f"basic.dance:6:{error.column}: step {step}, Foot Position: ")
    assert (error.step, error.row, error.line) == (step, Row.FOOT, 6)
    assert len(str(error)) < 400
    assert str(error).isprintable()
    if symbol is not None:
        assert error.symbol == symbol
        assert grid(foot).split("\n")[5][(error.column or 0) - 1 :].startswith(symbol)


@pytest.mark.parametrize(
    ("rows", "step", "row", "says"),
    [
        ({"beats": "2 | -"}, 2, Row.BEATS, "every step needs its beats"),
        ({"beats": "2 | 5"}, 2, Row.BEATS, "it has 1, 2, 3, 4, S, Q"),
        ({"beats": "2 | 1 2"}, 2, Row.BEATS, "1 and 2 exclude each other"),
        ({"beats": "2 | &"}, 2, Row.BEATS, "8/8"),
        ({"beats": "2"}, 2, Row.BEATS, "1 step too short: it has 1 where Foot Position has 2, write ----"),
        ({"beats": "2 | 2 | 2 | 2"}, 3, Row.BEATS, "2 steps too long: it has 4 where Foot Position has 2"),
        ({"Timing": "S | Q"}, 2, Row.TIMING, "this comes to 1, but the row Beats has 2"),
        ({"Step_Number": "1 | 3"}, 2, Row.NUMBER, "'3' stands where the number 2 belongs"),
        ({"Footwork": "H | X"}, 2, Row.FOOTWORK, "it has H, T, H-T, T-H"),
        ({"Footwork": "H | TH"}, 2, Row.FOOTWORK, "written T-H"),
        ({"foot": "LF FWD | HOLD", "Footwork": "H | T"}, 2, Row.FOOTWORK, "there is no footwork T"),
        ({"foot": "LF FWD | HOLD", "Turn": "NT | 5/8 L"}, 2, Row.TURN, "half a turn at most"),
        ({"Turn": "NT | 1/8"}, 2, Row.TURN, "add L or R"),
        ({"Turn": "NT | L"}, 2, Row.TURN, "the turn has no amount"),
        ({"Turn": "NT | 7/8 L"}, 2, Row.TURN, "no symbol of this row"),
        ({"Turn": "NT | 1/8 L R"}, 2, Row.TURN, "L and R exclude each other"),
        ({"Turn": "NT L | -"}, 1, Row.TURN, "NT is no turn"),
        ({"CBM": "CBM SCBM | -"}, 1, Row.BODY, "exclude each other"),
        ({"CBM": "- | SWL SWR"}, 2, Row.BODY, "exclude each other"),
        ({"Head": "LL LR | -"}, 1, Row.HEAD, "write one head position"),
        ({"foot": "LF FWD", "Head": "- | -"}, 2, Row.FOOT, "1 step too short: it has 1 where Beats has 2"),
        (
            {"foot": " | ".join(["LF FWD", "RF FWD"] * 7), "beats": " | ".join("1" * 14)},
            13,
            Row.FOOT,
            "14 steps are too many",
        ),
    ],
)
def test_errors_in_other_rows(rows: dict[str, str], step: int, row: Row, says: str) -> None:
    error = error_of(grid(**rows))
    assert says in str(error)
    assert (error.step, error.row) == (step, row)
    assert error.line is not None
    assert error.column is not None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no grid"),
        (HEADER, "there is no grid"),
        (grid().replace("Beats", "Beast"), "'Beast' is no row of the grid, did you mean Beats"),
        (grid().replace("Beats | 2 | 2 |", ""), "Beats: the row is missing"),
        (grid() + "Beats | 1 | 1 |\n", "Beats: the row is given twice"),
        (grid().replace("Foot Position |", "Foot Position:"), "followed by a bar, not by a colon"),
        (grid().replace("Foot Position |", "|"), "no row of the grid"),
        (grid().replace("Foot Position |", "||"), "the row has no name"),
        (grid() + "and then they dance\n", "'and then they dance' is neither"),
        (grid().replace("dance: foxtrot\n", ""), "the line 'dance: ...' is missing"),
        (grid().replace("foxtrot", ""), "'dance' is ''"),
        (grid().replace("foxtrot", "../up"), "'dance' is '../up': a name has letters"),
        (grid().replace("foxtrot", "x" * 61), "60 at most"),
        (grid().replace("4/4", "4/5"), "a time signature is needed"),
        (grid().replace("4/4", "0/4"), "a time signature is needed"),
        (grid().replace("30", "quick"), "bars a minute are needed"),
        (grid().replace("30", "nan"), "bars a minute are needed"),
        (grid().replace("30", "3000"), "5 to 120 bars a minute"),
        (grid().replace("30", "9" * 400), "5 to 120 bars a minute"),
        (grid().replace("30", "12 bpm"), "12 beats a minute"),
        ("tempos: 3\n" + grid(), "did you mean tempo"),
        ("tempo: 30\n" + grid(), "'tempo' is given twice"),
        ("part: both\n" + grid(), "it is leader or follower"),
        ("difficulty: 6\n" + grid(), "1 (easy) to 5"),
        ("commence: facing the bar\n" + grid(), "an alignment is needed"),
        ("finish: facing wall\n" + grid(), "the turns lead from facing line of dance to facing line of dance"),
        ("#" * 200_000, "characters are too many"),
    ],
)
def test_errors_outside_cells(text: str, says: str) -> None:
    error = error_of(text)
    assert says in str(error)
    assert str(error).startswith("basic.dance:")
    assert isinstance(error, FileFormatError)
