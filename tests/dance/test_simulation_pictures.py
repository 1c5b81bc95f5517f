"""Pictures of simulated dances: what is drawn is what was danced, and no text lies on another."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from segue.dance.course.hold import Holding
from segue.dance.planning.couple import Couple, Hold
from segue.dance.planning.model import Tempo
from segue.dance.simulation import Fall, SimulatedDance, energetics, simulate
from segue.dance.simulation.assistance import Help
from segue.dance.simulation.couple import HoldRecord, Lead, SimulatedCouple
from segue.errors import ArgumentError, FileFormatError
from segue.view.dance_simulation import (
    couple_page,
    dance_page,
    figures_of,
    floor_forces,
    simulated_couple,
    simulated_dance,
)
from segue.view.dance_simulation_charts import (
    GENTLE,
    beat_numbers,
    couple_hold,
    dance_energy,
    dance_forces,
    effort_colours,
    foot_forces,
    friction_used,
)
from segue.view.dance_simulation_film import dance_film, shown_beats
from segue.view.dance_simulation_floor import capture_points, landed_print, magnification
from segue.view.picture import Picture, colour
from segue.view.web import Page, page
from segue.view.web.contents import ShownForces
from tests.support.simulated_plans import plan_of, walking
from tests.view.chromium import chromium, needs_chromium, picture

pytest.importorskip("mujoco", reason="the physics engine is an optional extra")


@pytest.fixture(scope="module")
def walk() -> SimulatedDance:
    plan = plan_of(walking(2, 0.8), lead_in=1.4)
    return simulate(replace(plan, tempo=Tempo(25.0, 3)))


@pytest.fixture(scope="module")
def fallen(walk: SimulatedDance) -> SimulatedDance:
    return replace(walk, fall=Fall(2.5, 1, 0.4), landings=walk.landings[:1])


def panels_of(picture: Picture) -> dict[str, Axes]:
    """Return the panels by the first word of what they show."""
    return {
        axes.get_ylabel().split()[0]: axes for part in picture.canvas.subfigs for axes in part.axes if axes.get_ylabel()
    }


def texts_of(picture: Picture) -> list[tuple[str, Bbox]]:
    """Return every text that is seen, and where."""
    agg = FigureCanvasAgg(picture.canvas)
    agg.draw()
    unseen = set()
    for axis in picture.canvas.findobj(Axis):
        low, high = sorted(axis.get_view_interval())
        # a scale keeps labels ready for values beyond its ends
        unseen |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    found = [text for text in picture.canvas.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(agg.get_renderer())) for text in found if text not in unseen]


def check_apart(placed: list[tuple[str, Bbox]]) -> None:
    for (one, here), (other, there) in combinations(placed, 2):
        # a pixel of two boxes that touch holds no ink
        assert not here.padded(-1.0).overlaps(there.padded(-1.0)), f"{one!r} lies on {other!r}"


def test_loads_are_those_of_the_dance(walk: SimulatedDance) -> None:
    lines = {line.get_label(): line for line in panels_of(dance_forces(walk))["load"].get_lines()}
    np.testing.assert_allclose(lines["left foot"].get_ydata(), walk.forces[:, :6, 1].sum(axis=1))
    np.testing.assert_allclose(lines["right foot"].get_ydata(), walk.forces[:, 6:, 1].sum(axis=1))
    np.testing.assert_allclose(lines["both feet"].get_ydata(), walk.forces[..., 1].sum(axis=1))


def test_friction_holds_what_is_drawn(walk: SimulatedDance) -> None:
    used, forces = friction_used(walk), foot_forces(walk)
    for side in ("left", "right"):
        known = np.isfinite(used[side])
        assert np.array_equal(known, forces[side][:, 1] > 20.0)
        assert np.all(used[side][known] <= 1.0 + 1e-6)
        level = np.hypot(forces[side][known, 0], forces[side][known, 2])
        np.testing.assert_allclose(used[side][known] * forces[side][known, 1] * 0.6, level)


def test_efforts_are_in_their_rows(walk: SimulatedDance) -> None:
    (rows,) = [axes for axes in dance_forces(walk).canvas.subfigs[0].axes if axes.images]
    shown = rows.images[0].get_array()
    assert shown is not None
    names = [label.get_text().replace(" ", "_") for label in rows.get_yticklabels()]
    assert names == list(walk.efforts)
    np.testing.assert_allclose(np.asarray(shown).max(axis=1), list(walk.efforts.values()))
    light = effort_colours()(np.linspace(0.0, 1.0, 20))[:, :3] @ np.array([0.2126, 0.7152, 0.0722])
    assert np.all(np.diff(light) < 0), "more is always darker"


def test_energies_are_those_of_the_dance(walk: SimulatedDance) -> None:
    found, panels = energetics(walk), panels_of(dance_energy(walk))
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in panels["energy"].get_lines()}
    np.testing.assert_allclose(lines["kinetic"], found.kinetic)
    np.testing.assert_allclose(lines["work of joints"] - lines["both"], found.lost, atol=1e-9)
    np.testing.assert_allclose(np.diff(lines["kinetic"] + lines["potential"]), np.diff(lines["both"]), atol=1e-9)
    ways = [np.asarray(line.get_ydata()) for line in panels["momentum"].get_lines()[:3]]
    np.testing.assert_allclose(np.stack(ways, axis=1), found.momentum)


def test_prints_are_drawn_where_feet_landed(walk: SimulatedDance) -> None:
    for landing in walk.landings:
        there = landed_print(walk, landing.step)
        assert there is not None
        assert landing.miss is not None
        away = np.hypot(there.x - landing.step.end.x, there.z - landing.step.end.z)
        # the observer looks once, under the middle of the sole; the print is where toes stood most of the time
        assert away == pytest.approx(landing.miss, abs=0.002)
        assert there.heading == pytest.approx(landing.step.end.heading, abs=0.02)


def test_feet_that_never_came_down_have_no_print(fallen: SimulatedDance) -> None:
    assert landed_print(fallen, fallen.plan.footsteps[0]) is not None
    assert landed_print(fallen, fallen.plan.footsteps[-1]) is None


def test_the_capture_point_runs_ahead_of_the_mass(walk: SimulatedDance) -> None:
    ahead = capture_points(walk)[:, 1] - walk.centre[:, 2]
    velocity = np.gradient(walk.centre[:, 2], walk.times)
    assert np.all(np.sign(ahead[np.abs(velocity) > 0.05]) == np.sign(velocity[np.abs(velocity) > 0.05]))
    assert ahead[-1] == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(
    ("miss", "longer"), [(0.0016, 100), (0.0017, 50), (0.004, 20), (0.09, 1), (0.5, 1), (0.0, 100)]
)
def test_misses_are_drawn_as_long_as_there_is_room(miss: float, longer: int) -> None:
    assert magnification(miss) == longer


def test_beats_that_have_no_room_give_way_to_bars(walk: SimulatedDance) -> None:
    plan = walk.plan
    wide, narrow, tiny = (beat_numbers(plan, inches) for inches in (1.0, 0.15, 0.05))
    assert [text for _, text in wide] == ["1", "2", "3", "1"]
    assert [time for time, _ in wide] == plan.beats.tolist()
    assert narrow == [(plan.lead_in, "bar 1")] == tiny


def test_the_film_has_the_dancer_on_every_beat(walk: SimulatedDance) -> None:
    (part,) = dance_film(walk).canvas.subfigs
    stills = [axes for axes in part.axes if axes.images]
    (feet,) = [axes for axes in part.axes if not axes.images]
    beats = walk.plan.beats[:3]
    assert len(stills) == len(beats)
    for axes, beat in zip(stills, beats, strict=True):
        middle = feet.transData.transform((beat, 0.0))[0]
        assert np.mean(axes.get_window_extent().intervalx) == pytest.approx(middle, abs=1.0)
        assert (np.asarray(axes.images[0].get_array()) < 128).any()
    landed = [line.get_xdata()[0] for line in feet.get_lines() if len(line.get_xdata()) == 2 and line.get_zorder() == 4]
    assert sorted(landed) == sorted(landing.step.land + landing.late for landing in walk.landings)


@pytest.fixture(scope="module")
def couple(walk: SimulatedDance, fallen: SimulatedDance) -> SimulatedCouple:
    """A couple of one dance in two colours, a metre apart, and a hold that is made up."""
    aside = np.array([0.0, 0.0, 1.0])
    footsteps = tuple(replace(step, end=step.end._replace(z=step.end.z + 1.0)) for step in walk.plan.footsteps)
    plan = replace(walk.plan, footsteps=footsteps)
    partner = replace(fallen, plan=plan, centre=fallen.centre + aside, points=fallen.points + aside)
    forces = np.random.default_rng(2).normal(scale=5.0, size=(len(walk.times), 3, 3))
    hold = HoldRecord(
        names=("left hand in right hand", "right hand on back", "left hand on upper arm"),
        fps=walk.fps,
        forces=forces,
        points=np.zeros_like(forces),
        gaps=1e-3 * forces[..., 0],
        largest=np.linalg.norm(forces, axis=2).max(axis=0),
        rms=np.zeros(3),
        drift=np.zeros(3),
        bump=0.0,
        touching=0.0,
    )
    return SimulatedCouple(walk, partner, hold, Couple(walk.plan, plan, Hold(1.0)), Holding.CLOSED, Lead())


def test_the_hold_is_drawn_as_it_was(couple: SimulatedCouple) -> None:
    panels = panels_of(couple_hold(couple))
    for c, name in enumerate(couple.hold.names):
        (force,) = [line for line in panels["force"].get_lines() if line.get_label() == name]
        np.testing.assert_allclose(force.get_ydata(), np.linalg.norm(couple.hold.forces[:, c], axis=1))
        np.testing.assert_allclose(panels["gap"].get_lines()[c].get_ydata(), 1e3 * couple.hold.gaps[:, c])
    assert panels["force"].get_ylim()[1] > GENTLE


def test_both_partners_are_on_the_sheet(couple: SimulatedCouple) -> None:
    picture = simulated_couple(couple)
    placed = texts_of(picture)
    said = [text for text, _ in placed]
    assert {"leader:", "follower:", "leader's left", "Forces: leader", "Forces: follower"} <= set(said)
    assert str(couple.follower.fall) in said
    check_apart(placed)


@pytest.mark.parametrize(
    ("bars", "a_bar", "rows", "every"),
    [(1, 3, 1, 1), (3, 4, 1, 1), (5, 4, 2, 1), (12, 3, 3, 1), (8, 8, 3, 2), (20, 4, 2, 4), (60, 3, 3, 6)],
)
def test_films_of_long_dances_show_fewer_beats(
    walk: SimulatedDance, bars: int, a_bar: int, rows: int, every: int
) -> None:
    step = replace(walk.plan.steps[0], step=replace(walk.plan.steps[0].step, beats=a_bar))
    plan = replace(walk.plan, tempo=Tempo(30.0, a_bar), steps=(step,) * bars)
    made, stride = shown_beats(plan, float("inf"))
    assert (len(made), stride) == (rows, every)
    shown = [beat for row in made for beat in row.beats]
    assert shown == list(range(0, shown[-1] + 1, every))
    assert bars * a_bar - every <= shown[-1] <= bars * a_bar
    for row in made:
        assert all(row.start < plan.beats[beat] <= row.stop for beat in row.beats)


def test_who_is_stopped_before_the_first_beat_has_a_sheet_without_film(walk: SimulatedDance) -> None:
    cut = ("positions", "torques", "work", "forces", "points", "centre", "unexplained")
    begun = replace(walk, **{name: getattr(walk, name)[:40] for name in cut}, landings=())
    with pytest.raises(ArgumentError, match=r"ended at 0\.39 s, before its first beat at 1\.40 s"):
        dance_film(begun)
    said = {text for text, _ in texts_of(simulated_dance(begun))}
    assert "Energy and momentum" in said
    assert not any(text.startswith("On every beat") for text in said)


def test_no_text_lies_on_another(fallen: SimulatedDance) -> None:
    picture = simulated_dance(fallen)
    width, height = picture.canvas.get_size_inches() * picture.canvas.dpi
    placed = texts_of(picture)
    for text, box in placed:
        assert box.x0 >= 0, text
        assert box.x1 <= width, text
        assert box.y0 >= 0, text
        assert box.y1 <= height, text
    check_apart(placed)
    said = [text for text, _ in placed]
    assert {text for pair in figures_of(fallen) for text in pair} <= set(said)
    assert str(fallen.fall) in said


def test_figures_say_how_it_went(walk: SimulatedDance) -> None:
    assert figures_of(walk)[0] == ("3 of 3", "landings")
    assert figures_of(walk)[-1] == ("0 N", "force from outside")
    helped = replace(walk, help=Help(12.0, 3.0, 4.0))
    assert figures_of(helped)[-1] == ("12 N m", "help from outside at most")


def test_the_same_dance_gives_the_same_file(walk: SimulatedDance, tmp_path: Path) -> None:
    for name in ("one", "two"):
        dance_film(walk).save(tmp_path / f"{name}.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    with pytest.raises(FileFormatError, match="pictures that can be written"):
        dance_film(walk).save(tmp_path / "film.gif")


def test_who_only_stands_has_a_sheet_without_film(walk: SimulatedDance) -> None:
    still = replace(walk, plan=replace(walk.plan, steps=(), footsteps=()), landings=())
    assert len(simulated_dance(still).canvas.subfigs) == 4
    with pytest.raises(ArgumentError, match="no steps"):
        dance_film(still)


def test_a_moment_cannot_be_drawn(walk: SimulatedDance) -> None:
    with pytest.raises(ArgumentError, match="1 frames: a picture needs at least 2"):
        simulated_dance(replace(walk, positions=walk.positions[:1]))


def motions_of(shown: Page) -> list[dict[str, Any]]:
    """Return the motions that a page is given."""
    found = re.search(r'id="contents">(.*?)</script>', shown.text, re.DOTALL)
    assert found is not None
    motions: list[dict[str, Any]] = json.loads(found[1])["motions"]
    return motions


def test_pages_are_given_the_floors_push(walk: SimulatedDance) -> None:
    shown = floor_forces(walk)
    weight = walk.plan.figure.mass * walk.environment.gravity
    for k, force in enumerate(foot_forces(walk).values()):
        bears = force[:, 1] > 5.0
        np.testing.assert_allclose(shown.lines[bears, k], force[bears] / weight)
        assert not shown.lines[~bears, k].any()
    up = shown.lines[..., 1:2]
    both = (up * shown.points[..., [0, 2]]).sum(axis=1)[5:] / up.sum(axis=1)[5:]
    np.testing.assert_allclose(both, walk.pressure[5:], atol=0.002)
    (motion,) = motions_of(dance_page(walk))
    ends = np.frombuffer(base64.b64decode(motion["forces"]["ends"]), "<f4").reshape(len(walk.times), 2, 2, 3)
    np.testing.assert_allclose(ends[:, :, 0], shown.points, atol=1e-6)
    np.testing.assert_allclose(ends[:, :, 1] - ends[:, :, 0], shown.lines, atol=1e-6)
    assert page(walk.motion).text.count('"forces":null') == 1


def test_forces_that_do_not_fit_are_refused(walk: SimulatedDance) -> None:
    few = ShownForces(np.zeros((3, 2, 3)), np.zeros((3, 2, 3)))
    with pytest.raises(ArgumentError, match="its forces 3 points and 3 lines"):
        page({"walk": walk.motion}, forces={"walk": few})


def test_couples_feel_opposite_hands(couple: SimulatedCouple) -> None:
    lines = []
    for motion in motions_of(couple_page(couple)):
        ends = np.frombuffer(base64.b64decode(motion["forces"]["ends"]), "<f4").reshape(motion["frames"], 5, 2, 3)
        lines.append(ends[:, 2:, 1] - ends[:, 2:, 0])
    np.testing.assert_allclose(lines[0], -lines[1], atol=1e-5)


@needs_chromium
def test_a_browser_draws_forces_and_hides_them(walk: SimulatedDance, tmp_path: Path) -> None:
    dance_page(walk).save(tmp_path / "walk.html")
    green = 255 * colour("green")
    with chromium() as browser:
        shown = browser.new_page(viewport={"width": 500, "height": 400}, reduced_motion="reduce")
        shown.goto((tmp_path / "walk.html").as_uri())

        def comes_to(wanted: Callable[[int], bool]) -> bool:
            """Return whether as many pixels are green as is wanted, as soon as they are."""
            for _ in range(50):
                if wanted(int((np.abs(picture(shown) - green).max(axis=2) < 40).sum())):
                    return True
                shown.wait_for_timeout(100)
            return False

        shown.keyboard.press("End")
        assert comes_to(lambda count: count > 100)
        assert shown.get_attribute("#forces", "aria-pressed") == "true"
        shown.keyboard.press("p")
        assert comes_to(lambda count: count < 10)
