"""The picture of a cycle's seam."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

import segue as sg
from segue.cycle import make_loop
from segue.errors import ArgumentError
from segue.view.distances import plot_seam
from segue.view.picture import colour

RUN = make_loop(sg.clips.run)


def test_a_seam_shows_the_cycle_over_three_periods_and_the_map() -> None:
    picture = plot_seam(sg.clips.run, RUN, ["left_knee_flexion", "root_y"])
    panels = [axes for part in picture.canvas.subfigs for axes in part.axes]
    knee = panels[0]
    assert knee.get_xlim()[1] == pytest.approx(3 * RUN.duration)
    fitted = [line for line in knee.get_lines() if np.allclose(to_rgb(line.get_color()), colour("blue"))]
    assert len(fitted) == 3
    assert fitted[0].get_ydata()[-1] == pytest.approx(fitted[1].get_ydata()[0])
    names = {axes.get_ylabel() for axes in panels}
    assert {"stop of the cycle (s)", "left knee flexion\n(degrees)", "root y\n(m)"} <= names
    pixels = picture.pixels()
    assert np.ptp(pixels.astype(int), axis=2).max() > 100


def test_names_must_be_degrees_of_freedom() -> None:
    with pytest.raises(ArgumentError, match="no degree of freedom 'knee'"):
        plot_seam(sg.clips.run, RUN, ["knee"])
    with pytest.raises(ArgumentError, match="nothing to draw"):
        plot_seam(sg.clips.run, RUN, [])
