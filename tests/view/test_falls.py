"""Pictures of how motions fall."""

from __future__ import annotations

import pytest

import segue as sg
from segue import view
from segue.errors import ArgumentError


def test_a_fall_is_drawn_beside_another() -> None:
    walk = sg.clips.walk
    flown = sg.fill(walk, [(1.0, 1.7)], supports=sg.Flight(1.15, 1.45), prior="none")
    pixels = view.plot_compared_falls({"walk": walk, "flown": flown}, 1.0, 1.7).pixels()
    assert pixels.shape[1] > 2 * pixels.shape[0]
    assert pixels.std() > 10.0


def test_bad_arguments_are_one_sentence() -> None:
    with pytest.raises(ArgumentError, match="0 motions"):
        view.plot_compared_falls({}, 1.0, 2.0)
    with pytest.raises(ArgumentError, match="is empty"):
        view.plot_compared_falls({"walk": sg.clips.walk}, 2.0, 1.0)
