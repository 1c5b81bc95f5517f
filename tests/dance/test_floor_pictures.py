"""Dance floors from above: pictures, films and pages."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from segue.dance.behaviour import PROCESSES
from segue.dance.behaviour.report import positions_over_time
from segue.errors import ArgumentError
from segue.view.dance_floor import couple_colour, couple_outlines, dance_floor, floor_page, process_colours
from segue.view.dance_floor_film import floor_film
from tests.dance.floors import evening
from tests.view.chromium import chromium, needs_axe, needs_chromium, picture, violations

SHORT = ("waltz", 2, 0.1, 1, 6.0, 7.0)


def test_every_behaviour_has_a_colour_of_its_own() -> None:
    colours = process_colours()
    assert list(colours) == [process.name for process in PROCESSES]
    apart = [
        max(abs(a - b) for a, b in zip(one, two, strict=True)) for one in colours.values() for two in colours.values()
    ]
    assert sorted(apart)[len(colours)] > 0.05


def test_couples_are_drawn_where_they_are() -> None:
    danced = evening(*SHORT)
    _, placed = positions_over_time(danced, 4.0)
    (leader, follower), feet = couple_outlines(placed[0], danced.couples[0].planner.shape, 7)
    for body, place in zip((leader, follower), placed[0].bodies[7], strict=True):
        assert np.abs(body.mean(axis=0) - place[1::-1]).max() < 0.1
    assert feet.shape == (4, 4, 2)
    for sole, place in zip(feet, placed[0].feet[7], strict=True):
        assert np.hypot(*(sole.mean(axis=0) - place[1::-1])) < 0.12


def test_the_picture_shows_ways_snapshots_and_decisions() -> None:
    danced = evening(*SHORT)
    picture = dance_floor(danced, times=[1.0, 3.0])
    titles = {axes.get_title() for axes in picture.canvas.axes}
    assert {"1 s", "3 s"} <= titles
    labels = [text.get_text() for text in picture.canvas.axes[-1].get_yticklabels()]
    assert labels == ["couple 1", "couple 2"]
    blue = np.array(couple_colour(0)) * 255
    assert (np.abs(picture.pixels() - blue).max(axis=-1) < 12).sum() > 200
    for times in ([], [-1.0], [1e9], [float("nan")]):
        with pytest.raises(ArgumentError, match=r"the times must lie between 0 and [\d.]+ s"):
            dance_floor(danced, times=times)


def test_a_floor_without_a_line_of_dance_is_drawn_too() -> None:
    danced = evening("rumba", 2, 0.1, 1, 6.0, 7.0)
    assert dance_floor(danced).pixels().shape == (860, 1300, 3)
    assert floor_film(danced, width=200, fps=2).frame(3).shape[1] == 200
    assert '"lane":[]' in floor_page(danced).text


def test_films_move(tmp_path: Path) -> None:
    film = floor_film(evening(*SHORT), fps=5.0, speed=2.0, start=2.0, stop=6.0, width=240)
    assert len(film) == 10
    width, height = film.size
    assert (width, height % 2) == (240, 0)
    frames = list(film.frames())
    assert all(frame.shape == (height, width, 3) for frame in frames)
    assert (frames[0] != frames[-1]).any()
    film.save(tmp_path / "floor.webp")
    assert (tmp_path / "floor.webp").stat().st_size > 500


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fps": 0.0}, "frames a second is 0"),
        ({"fps": float("nan")}, "frames a second is nan"),
        ({"speed": 1000.0}, "speed is 1000"),
        ({"width": 10}, "width in pixels is 10"),
        ({"start": 3.0, "stop": 2.0}, "from 3 to 2 s"),
        ({"stop": 1e6}, "between 0 and"),
    ],
)
def test_films_that_cannot_be_are_told(options: dict[str, float], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        floor_film(evening(*SHORT), **options)


def test_the_page_holds_the_evening() -> None:
    danced = evening(*SHORT)
    page = floor_page(danced)
    found = re.search(r'id="evening">(.*?)</script>', page.text, re.DOTALL)
    assert found
    contents = json.loads(found[1])
    assert len(contents["couples"]) == 2
    first = contents["couples"][0]
    assert len(first["rows"]) % 18 == 0
    assert [each[1] for each in first["decisions"]] == [each.verb.name for each in danced.couples[0].decisions]


def test_the_page_allows_its_own_script_and_style_and_nothing_else() -> None:
    text = floor_page(evening(*SHORT)).text
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for name in ("script", "style"):
        content = re.search(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy


def test_names_cannot_break_out_of_the_page() -> None:
    danced = evening(*SHORT)
    sly = replace(danced.couples[0], dancer=replace(danced.couples[0].dancer, name="</script><b>"))
    page = floor_page(replace(danced, couples=(sly, danced.couples[1])))
    assert "</script><b>" not in page.text


@needs_axe
@needs_chromium
def test_the_page_plays_in_a_browser(tmp_path: Path) -> None:
    path = tmp_path / "floor.html"
    floor_page(evening(*SHORT)).save(path)
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 900, "height": 700})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text))
        page.goto(path.as_uri())
        page.click("#play")
        page.fill("#time", "0")
        first = picture(page)
        page.fill("#time", "900")
        page.locator("li").first.click()
        page.wait_for_function("document.querySelector('li').className === 'chosen'")
        later = picture(page)
        said = page.locator("li").first.inner_text()
        assert violations(page) == {}
    assert not faults
    assert (first != later).any()
    assert evening(*SHORT).couples[0].decisions[-1].verb.name in said
