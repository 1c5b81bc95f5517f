"""Files of dancers and environments: what is written reads the same, and what is wrong is told with its line."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.dance.behaviour.dancer import (
    Build,
    Character,
    Dancer,
    Habits,
    Proficiency,
    dancer_text,
    read_dancer,
    write_dancer,
)
from segue.dance.behaviour.environment import (
    Environment,
    Ground,
    environment_text,
    read_environment,
    write_environment,
)
from segue.dance.notation.model import Foot, FootPosition, Pattern, Step
from segue.errors import ArgumentError, FileFormatError

SHARES = st.floats(0, 1)
NAMES = st.text(min_size=1, max_size=10).filter(lambda text: text.isprintable() and text.strip() == text)
VOCABULARIES = st.dictionaries(
    NAMES, st.dictionaries(NAMES, st.builds(Proficiency, SHARES, SHARES), max_size=3), max_size=3
)
BUILDS = st.builds(Build, st.floats(1, 2.3), st.none() | st.floats(20, 250), st.sampled_from(["male", "female"]))
DANCERS = st.builds(
    Dancer,
    NAMES,
    BUILDS,
    BUILDS,
    st.builds(Character, SHARES, SHARES, SHARES, SHARES, SHARES),
    st.builds(Habits, st.floats(0.5, 1.3), st.floats(-10, 10), st.floats(0, 2), st.floats(0, 60)),
    VOCABULARIES,
)
GROUNDS = st.builds(Ground, st.floats(1, 100), st.floats(1, 100), st.floats(0.05, 2), st.floats(0.01, 0.2))
ENVIRONMENTS = st.builds(
    Environment,
    NAMES,
    st.none() | st.floats(5, 120),
    st.floats(0.05, 120),
    st.integers(3, 60),
    st.integers(0, 2**32 - 1),
    GROUNDS,
    st.lists(NAMES, max_size=3).map(tuple),
    st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), max_size=3).map(tuple),
)


@given(DANCERS)
def test_a_dancer_reads_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, dancer: Dancer) -> None:
    path = tmp_path_factory.mktemp("dancer") / "dancer.toml"
    write_dancer(dancer, path)
    assert read_dancer(path) == dancer
    assert path.read_text(encoding="utf-8") == dancer_text(read_dancer(path))


@given(ENVIRONMENTS)
def test_an_environment_reads_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, environment: Environment
) -> None:
    path = tmp_path_factory.mktemp("environment") / "hall.toml"
    write_environment(environment, path)
    assert read_environment(path) == environment
    assert path.read_text(encoding="utf-8") == environment_text(read_environment(path))


def test_empty_files_are_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text("", encoding="utf-8")
    assert read_dancer(path) == Dancer()
    assert read_environment(path) == Environment()


def test_whole_numbers_may_stand_for_others(tmp_path: Path) -> None:
    path = tmp_path / "hall.toml"
    path.write_text("tempo = 30\n[floor]\nwidth = 8\n", encoding="utf-8")
    found = read_environment(path)
    assert (found.tempo, found.floor.width) == (30.0, 8.0)
    assert isinstance(found.tempo, float)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("couples = 0", "hall.toml:1: 'couples' is 0: a whole number from 1 to 60 is needed"),
        ("\ncouples = 2.5", ":2: 'couples' is 2.5"),
        ("couples = true", "'couples' is True"),
        ("tempo = nan", "'tempo' is nan: a number from 5 to 120"),
        ("minutes = inf", "'minutes' is inf"),
        ("minutes = '3'", "'minutes' is '3'"),
        ("dance = 3", "'dance' is 3: a text"),
        ("coupels = 3", "hall.toml:1: this file has no 'coupels': did you mean 'couples'?"),
        ("[floor]\nwidth = 8\nlenght = 3", r"hall.toml:3: \[floor\] has no 'lenght': did you mean 'length'?"),
        ("[floor]\nwidth = -8", "hall.toml:2: 'width' is -8: a number from 1 to 100"),
        ("floor = 3", "'floor' must be a table"),
        ("[[floor]]\nwidth = 3", "'floor' must be a table"),
        ("dancers = 'ada.toml'", "'dancers' is 'ada.toml': a list"),
        ("couples = 1\ndancers = ['a', 'b']", ":2: there are 2 dancers' files for 1 couples"),
        ("couples = 1\nplaces = [[1, 2], [3, 4]]", ":2: there are 2 places for 1 couples"),
        ("\nplaces = [[1, 2], [3]]", r":2: 'places' is \[3\]: a list of 2 numbers is needed"),
        ("places = 3", "'places' is 3: a list of lists of 2 numbers"),
        ("seed = " + "9" * 30, "'seed' is"),
        ("couples = ", "not TOML"),
        ("a = " + "[" * 5000, "not TOML"),
    ],
)
def test_what_is_wrong_in_an_environment_is_told(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=words):
        read_environment(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nam = 'Ada'", "this file has no 'nam': did you mean 'name'?"),
        ("name = ''", "'name' is ''"),
        ("[character]\nboldness = 1.5", "ada.toml:2: 'boldness' is 1.5: a number from 0 to 1 is needed"),
        ("[habits]\nstep_size = 0", "'step_size' is 0: a number from 0.5 to 1.3"),
        ("[leader]\nsex = 'x'", "'sex' is 'x': it must be one of female, male, average"),
        ("vocabulary = 3", "must be a table: write"),
        ("[vocabulary]\nwaltz = 3", "must be a table: write"),
        ("[vocabulary.waltz]\nbox = 'well'", "ada.toml:2: the pattern 'box' has 'well': how well"),
        ("[vocabulary.waltz]\n'a box' = { skil = 1 }", "ada.toml:2: the pattern 'a box' has"),
        ("[vocabulary.'cha cha']\nbasic = nan", "the pattern 'basic' has nan"),
    ],
)
def test_what_is_wrong_in_a_dancers_file_is_told(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "ada.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileFormatError, match=words):
        read_dancer(path)


def test_values_given_in_python_are_checked_too() -> None:
    with pytest.raises(ArgumentError, match="the character's drive is nan"):
        Character(drive=math.nan)
    with pytest.raises(ArgumentError, match="the floor's width is 0"):
        Ground(width=0)
    with pytest.raises(ArgumentError, match="3 dancers' files for 2 couples"):
        replace(Environment(couples=2), dancers=("a", "b", "c"))


def test_dancers_by_lot_differ_and_can_be_drawn_again() -> None:
    patterns = [Pattern("waltz", name, (Step(Foot.LEFT, FootPosition.FORWARD, 1),)) for name in ("box", "turn")]
    first, again = (Dancer.random("a", patterns, np.random.default_rng(3)) for _ in range(2))
    assert first == again
    assert first != Dancer.random("a", patterns, np.random.default_rng(4))
    assert set(first.knows("waltz")) == {"box", "turn"}
    with pytest.raises(ArgumentError, match="a cannot dance the tango: the dances in the vocabulary are: waltz"):
        first.knows("tango")


def test_the_bold_keep_less_room() -> None:
    assert Character(boldness=1).room < Character(boldness=0).room
