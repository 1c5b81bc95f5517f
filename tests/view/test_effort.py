"""Torques, energies and comparisons: the numbers they are drawn from, units, and versions beside each other."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue import view
from segue.plausibility import observe

WALK = sg.clips.walk


@pytest.fixture(scope="module")
def versions() -> dict[str, sg.Motion]:
    arm = sg.trim(sg.only(sg.clips.wave, "right_arm"), 1, 2)
    gap = sg.retime(arm, 1.3) + (WALK - sg.retime(arm, 1.0, 1.5))
    return {"interpolation": sg.fill_gaps(gap, iterations=0), "solved": sg.fill_gaps(gap)}


def test_torques_of_a_motion_have_left_and_right_in_one_panel() -> None:
    panels = view.plot_torques(WALK, ["left_knee", "right_knee"]).canvas.axes
    assert [panel.get_ylabel() for panel in panels] == ["knee\n(N m)", "all joints, squared\n(1000 N² m²)"]
    left, right = panels[0].get_lines()
    seen = observe(WALK)
    assert left.get_ydata() == pytest.approx(WALK.figure.mass * seen.torques["left_knee"], nan_ok=True)
    assert right.get_linestyle() != left.get_linestyle()
    (squares,) = panels[1].get_lines()
    everything = sum((WALK.figure.mass * size) ** 2 for size in seen.torques.values())
    assert squares.get_ydata() == pytest.approx(1e-3 * everything, nan_ok=True)


def test_versions_differ_where_the_gaps_were(versions: dict[str, sg.Motion]) -> None:
    panels = view.plot_torques(versions, start=0.9, stop=2.6).canvas.axes
    assert len(panels) == 5
    assert panels[-1].get_xlim() == pytest.approx((0.9, 2.6), abs=0.02)
    for panel in panels[:-1]:
        before, after = panel.get_lines()
        times = before.get_xdata()
        gap = ((times > 1.0) & (times < 1.3)) | ((times > 2.3) & (times < 2.5))
        apart = np.abs(before.get_ydata() - after.get_ydata())
        assert np.nanmax(apart[gap]) > 10.0
        assert np.nanmax(apart[(times > 1.5) & (times < 2.1)]) < 1.0
    labels = [text.get_text() for text in panels[-1].get_legend().get_texts()]
    assert [label.split(":")[0] for label in labels] == ["interpolation", "solved"]
    assert all(label.endswith("N² m² s") for label in labels)


def test_energies_are_parts_of_the_interpolation(versions: dict[str, sg.Motion]) -> None:
    fills = versions["solved"].fills
    axes = view.plot_energies(fills).canvas.axes[0]
    lengths = [bar.get_width() for bar in axes.patches if bar.get_width() > 0]
    assert lengths[::2] == [100.0, 100.0]
    assert lengths[1::2] == pytest.approx([100 * fill.energy / fill.start_energy for fill in fills])
    assert "right arm" in axes.get_yticklabels()[0].get_text()
    with pytest.raises(sg.ArgumentError, match="no gap was filled"):
        view.plot_energies([])


def test_motions_are_compared_in_pictures_and_curves(versions: dict[str, sg.Motion]) -> None:
    fills = {name: motion.fills for name, motion in versions.items()}
    small = view.plot_comparison(versions, fills=fills, times=[1.0, 1.15, 1.3], spacing=0.0, height=80)
    few = view.plot_comparison(
        versions, fills=fills, times=[1.0, 1.15, 1.3], names=["right_wrist_flexion"], spacing=0.0, height=80
    )
    assert small.pixels().shape[0] > few.pixels().shape[0]
    pixels = few.pixels().astype(int)
    assert (np.ptp(pixels, axis=2) > 60).sum() > 200
    wide = view.plot_comparison({"walk": WALK, "run": sg.clips.run}, times=4, names=["left_knee_flexion"], height=240)
    assert wide.pixels().shape[0] > 2 * 240


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: view.plot_torques({}), "nothing to draw"),
        (lambda: view.plot_torques(WALK, ["tail"]), "no joint 'tail' with a torque"),
        (lambda: view.plot_torques(WALK, []), "at least one joint"),
        (lambda: view.plot_torques(WALK, start=9.0), "no frame lies between"),
        (lambda: view.plot_torques(WALK, start=1.0, stop=1.0), "one frame has no course"),
        (lambda: view.plot_torques(sg.only(WALK, "trunk")), "only a whole body"),
        (lambda: view.plot_comparison({"walk": WALK}), "at least two motions"),
        (lambda: view.plot_comparison({"a": WALK, "b": sg.retime(WALK, 9.0)}), "no time in common"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, message: str) -> None:
    with pytest.raises(sg.ArgumentError, match=message):
        call()
