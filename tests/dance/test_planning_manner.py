"""Manners of dances: what their file says, and what is wrong with bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.dance.notation.manner import load_manners, manner_of
from segue.dance.notation.model import Footwork
from segue.errors import FileFormatError

DEFAULT = """[default]
stride = 1.0
side = 1.0
rise = 0.02
lowering = 0.01
linger = 0.3
forward = "H"
heel_leads = true
hold = "closed"
travels = true
"""


def test_dances_are_found_by_forgiving_names() -> None:
    assert manner_of("Cha-Cha") == manner_of("cha cha") == manner_of("CHA_CHA")
    assert manner_of("a dance of my own") == manner_of("default")


def test_latin_dances_take_smaller_steps_on_the_ball_of_the_foot() -> None:
    assert manner_of("rumba").stride < manner_of("foxtrot").stride
    assert manner_of("rumba").forward is Footwork.TOE_HEEL
    assert manner_of("foxtrot").forward is Footwork.HEEL


def test_hold_travel_and_heel_leads_are_known_by_dance() -> None:
    assert [manner_of(dance).hold for dance in ("waltz", "salsa", "jive")] == ["closed", "closed", "two hands"]
    assert [manner_of(dance).travels for dance in ("waltz", "salsa", "jive")] == [True, False, False]
    assert [manner_of(dance).heel_leads for dance in ("slow foxtrot", "rumba", "polka")] == [True, False, False]


def test_what_a_dance_leaves_out_is_the_default(tmp_path: Path) -> None:
    path = tmp_path / "manners.toml"
    path.write_text(DEFAULT + "[polka]\nstride = 0.7\n")
    polka, usual = (load_manners(path)[name] for name in ("polka", "default"))
    assert polka.stride == 0.7
    assert (polka.rise, polka.linger) == (usual.rise, usual.linger)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "[default] has no 'stride': a number is needed"),
        (DEFAULT + "x = 3\n", "[default] has no 'x': there are stride, side"),
        (DEFAULT + "[polka]\nbounce = 3\n", "[polka] has no 'bounce': there are stride"),
        (DEFAULT + "[polka]\nstride = 9\n", "manners.toml:12: 'stride' is 9: a number from 0.2 to 1.6 is needed"),
        (DEFAULT + "[polka]\nstride = nan\n", "manners.toml:12: 'stride' is nan: a number"),
        (DEFAULT + f"[polka]\nstride = {400 * '9'}\n", "'stride' is a whole number of more than 64 bits"),
        (DEFAULT + "[polka]\nrise = true\n", "manners.toml:12: 'rise' is True: a number"),
        (DEFAULT + '[polka]\nforward = "X"\n', "manners.toml:12: 'forward' is 'X': it must be one of H, T, H-T, T-H"),
        (
            DEFAULT + '[polka]\nhold = "open"\n',
            "manners.toml:12: 'hold' is 'open': it must be one of closed, two hands",
        ),
        (DEFAULT + "[polka]\ntravels = 1\n", "manners.toml:12: 'travels' is 1: true or false is needed"),
        ("polka = 1\n" + DEFAULT, "manners.toml:1: 'polka' must be a table"),
    ],
)
def test_bad_files_are_told_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "manners.toml"
    path.write_text(text)
    with pytest.raises(FileFormatError) as complaint:
        load_manners(path)
    assert sentence in str(complaint.value)
