"""`segue dance floor`, `dancer` and `environment`: files made and checked, and evenings in pictures and numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from segue.dance.behaviour import read_dancer, read_environment

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def hall(command: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEGUE_DANCES", str(tmp_path / "none"))
    path = tmp_path / "hall.toml"
    made = ("--dance", "waltz", "--couples", 2, "--minutes", 0.1, "--width", 6, "--length", 7)
    assert command("dance", "environment", "new", path, *made)[0] == 0
    return path


def test_environments_are_made_and_checked(command: Run, hall: Path) -> None:
    found = read_environment(hall)
    assert (found.dance, found.couples, found.floor.length, found.tempo) == ("waltz", 2, 7.0, None)
    code, out, _ = command("dance", "environment", "check", hall)
    assert code == 0
    assert "waltz, 2 couples on 6 by 7 m, 0.1 min, no fault found" in out


def test_dancers_are_made_and_checked(command: Run, hall: Path) -> None:
    path = hall.with_name("ada.toml")
    code, out, _ = command("dance", "dancer", "new", path, "--dance", "waltz", "--name", "Ada and Ben", "--seed", 3)
    assert code == 0
    assert "Ada and Ben" in out
    first = path.read_text(encoding="utf-8")
    assert set(read_dancer(path).vocabulary) == {"waltz"}
    assert "no fault found" in command("dance", "dancer", "check", path)[1]
    again = hall.with_name("again.toml")
    command("dance", "dancer", "new", again, "--dance", "waltz", "--name", "Ada and Ben", "--seed", 3)
    assert again.read_text(encoding="utf-8") == first
    plain = hall.with_name("plain.toml")
    assert command("dance", "dancer", "new", plain)[0] == 0
    assert len(read_dancer(plain).vocabulary) > 3


def test_what_is_wrong_in_files_is_told_in_one_sentence(command: Run, hall: Path) -> None:
    ada = hall.with_name("ada.toml")
    ada.write_text("[vocabulary.waltz]\n'box stop' = 0.5\n", encoding="utf-8")
    code, _, err = command("dance", "dancer", "check", ada)
    assert code == 2
    assert "ada.toml" in err
    assert "did you mean" in err
    ada.write_text("name = 'Ada'\n", encoding="utf-8")
    assert "knows no pattern" in command("dance", "dancer", "check", ada)[2]
    hall.write_text("dance = 'waltz'\ndancers = ['ada.toml']\n", encoding="utf-8")
    assert "Ada cannot dance the waltz" in command("dance", "environment", "check", hall)[2]
    hall.write_text("dance = 'waltzer'\n", encoding="utf-8")
    assert "there is no dance 'waltzer'" in command("dance", "environment", "check", hall)[2]
    hall.write_text("\ncouples = 'six'\n", encoding="utf-8")
    assert "hall.toml:2: 'couples' is 'six': a whole number from 1 to 60" in command("dance", "floor", hall)[2]


def test_files_that_exist_are_not_overwritten(command: Run, hall: Path) -> None:
    code, _, err = command("dance", "environment", "new", hall)
    assert code == 2
    assert "exists already" in err
    assert "suffix '.txt'" in command("dance", "environment", "new", hall.with_suffix(".txt"))[2]
    assert "there is no dance" in command("dance", "environment", "new", hall.with_name("b.toml"), "--dance", "x")[2]
    assert "--seed is -1" in command("dance", "dancer", "new", hall.with_name("b.toml"), "--seed", -1)[2]
    assert not hall.with_name("b.toml").exists()


def test_an_evening_as_picture_page_film_and_numbers(command: Run, hall: Path) -> None:
    names = ("floor.png", "floor.html", "floor.json", "floor.gif")
    outs = [word for name in names for word in ("-o", hall.with_name(name))]
    code, out, err = command(
        "dance", "floor", hall, *outs, "--report", hall.with_name("r.json"), "--log", "--fps", 4, "--speed", 2
    )
    assert code == 0, err
    assert "laps" in out
    assert "couple 1: " in out
    for name in names:
        assert f"{hall.with_name(name)}: waltz, 2 couples" in out.replace("\n", "")
    table = json.loads(hall.with_name("floor.json").read_text(encoding="utf-8"))
    assert [each["name"] for each in table["couples"]] == ["couple 1", "couple 2"]
    assert len(table["couples"][0]["boxes"]) == table["beats"] * table["boxes_a_beat"]
    report = json.loads(hall.with_name("r.json").read_text(encoding="utf-8"))
    assert report["couples"][0]["decisions"] == table["couples"][0]["decisions"]
    assert "boxes" not in report["couples"][0]
    page = hall.with_name("floor.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http-equiv", "")
    with Image.open(hall.with_name("floor.gif")) as film:
        assert film.n_frames == round(table["seconds"] * 4 / 2)
    with Image.open(hall.with_name("floor.png")) as picture:
        assert picture.size == (1300, 860)


def test_the_same_evening_is_the_same_bytes(command: Run, hall: Path) -> None:
    for name in ("a", "b"):
        outs = [word for suffix in ("json", "png", "html") for word in ("-o", hall.with_name(f"{name}.{suffix}"))]
        assert command("dance", "floor", hall, "--couples", 1, *outs)[0] == 0
    for suffix in ("json", "png", "html"):
        assert hall.with_name(f"a.{suffix}").read_bytes() == hall.with_name(f"b.{suffix}").read_bytes()


def test_dancers_of_files_dance_first(command: Run, hall: Path) -> None:
    ada = hall.with_name("ada.toml")
    command("dance", "dancer", "new", ada, "--dance", "waltz", "--name", "Ada")
    hall.write_text(
        hall.read_text(encoding="utf-8").replace("dancers = []", "dancers = ['ada.toml']"), encoding="utf-8"
    )
    code, out, err = command("dance", "floor", hall)
    assert code == 0, err
    assert "Ada" in out
    assert "couple 2" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--couples", 50), "there are 50 couples on a floor of 6 by 7 m"),
        (("--couples", 0), "on the command line, the environment's couples is 0"),
        (("--minutes", "nan"), "the environment's minutes is nan"),
        (("--dance", "polka"), "there is no dance 'polka'"),
        (("-o", "floor.txt"), "suffix '.txt'"),
        (("-o", "no/floor.png"), "there is no folder"),
        (("--report", "r.csv"), "suffix '.csv'"),
        (("-o", "f.gif", "--fps", 0), "the film's frames a second is 0"),
    ],
)
def test_impossible_wishes_are_told_and_leave_no_file(
    command: Run, hall: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...], words: str
) -> None:
    monkeypatch.chdir(hall.parent)
    code, _, err = command("dance", "floor", hall, *arguments)
    assert code == 2
    assert words in " ".join(err.split())
    assert [path.name for path in hall.parent.iterdir()] == ["hall.toml"]


def test_motions_of_all_dancers(command: Run, hall: Path) -> None:
    folder = hall.with_name("motions")
    code, out, err = command("dance", "floor", hall, "--couples", 1, "--minutes", 0.05, "--performance", folder)
    assert code == 0, err
    assert sorted(path.name for path in folder.iterdir()) == ["couple_1_follower.bvh", "couple_1_leader.bvh"]
    assert "2 motions" in out
