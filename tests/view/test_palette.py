"""Colours that stand beside each other are told apart by people with any colour vision."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from segue.view.charts import SIDE_LOOKS
from segue.view.comparison import VERSION_LOOKS
from segue.view.expressions import TINTS
from segue.view.picture import COLOURS, colour, course

# [Machado2009], severity 1, on linear RGB
VISIONS = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TOLD_APART = 0.1
"""Distance in Oklab: five times what is just noticed."""


def seen(rgb: np.ndarray, vision: str) -> np.ndarray:
    """Return the Oklab colour that is seen of red, green and blue from 0 to 1."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(VISIONS[vision] @ linear, 0.0, 1.0)
    cones = np.array(
        [[0.41222147, 0.53633254, 0.05144599], [0.2119035, 0.68069955, 0.10739696], [0.08830246, 0.28171884, 0.6299787]]
    )
    lab = np.array(
        [
            [0.21045426, 0.79361779, -0.00407205],
            [1.9779985, -2.42859221, 0.45059371],
            [0.02590404, 0.78277177, -0.80867577],
        ]
    )
    return lab @ np.cbrt(cones @ linear)


def apart(one: np.ndarray, other: np.ndarray, vision: str) -> float:
    return float(np.linalg.norm(seen(one, vision) - seen(other, vision)))


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(
    "names",
    [TINTS, [tint for tint, _ in SIDE_LOOKS.values()], [tint for tint, _ in VERSION_LOOKS], ("green", "silver")],
    ids=["sources", "sides", "versions", "limbs"],
)
def test_colours_of_one_picture_are_told_apart(names: list[str], vision: str) -> None:
    for one, other in combinations(names, 2):
        assert apart(colour(one), colour(other), vision) > TOLD_APART, f"{one} and {other}"


@pytest.mark.parametrize("vision", VISIONS)
def test_a_transition_stands_out_and_its_ends_differ(vision: str) -> None:
    shades = course("blue to red", 21)
    assert min(apart(shade, colour("silver"), vision) for shade in shades) > TOLD_APART
    assert apart(shades[0], shades[-1], vision) > TOLD_APART
    assert max(apart(a, b, vision) for a, b in pairwise(shades)) < 0.05, "it is even"


def test_the_measure_finds_colours_that_are_confused() -> None:
    assert apart(colour("green"), colour("grey"), "normal") > TOLD_APART
    assert apart(colour("green"), colour("grey"), "deuteranopia") < 0.05


@pytest.mark.parametrize("name", [n for n in COLOURS if n not in ("yellow", "silver", "sky blue", "orange")])
def test_lines_are_dark_enough_on_white(name: str) -> None:
    linear = np.where(colour(name) <= 0.04045, colour(name) / 12.92, ((colour(name) + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ np.array([0.2126, 0.7152, 0.0722]))
    assert 1.05 / (luminance + 0.05) >= 3.0, "WCAG asks for 3 to 1 for graphics"
