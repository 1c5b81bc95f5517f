"""The cost by terms: all terms together are the energy, and each is what its own weight adds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from segue import clips, transition
from segue.filling.solving import Patch
from segue.motion.fills import FillReport
from segue.motion.functions import Piece
from segue.spacetime.cost import cost_by_term, interpolation
from segue.spacetime.objectives import OBJECTIVES
from segue.spacetime.solver import energy_of


def patch_of(objective: str) -> Patch:
    """Return the filled part of a transition between built-in clips."""
    made = transition(clips.motion("walk"), clips.motion("run"), 0.5, leave=2.4, enter=0.2, objective=objective)
    for track in made.tracks.values():
        for part in track:
            source = part.functions[0].source if isinstance(part.functions[0], Piece) else None
            if isinstance(source, Patch):
                return source
    raise AssertionError("no filled part")


@pytest.mark.parametrize("objective", list(OBJECTIVES))
def test_terms_add_up_to_the_energy(objective: str) -> None:
    patch = patch_of(objective)
    assert patch.gap is not None
    for control in (patch.control, interpolation(patch.gap)):
        costs = cost_by_term(patch.gap, control)
        assert set(costs) == {name for name in costs if getattr(OBJECTIVES[objective], name) > 0}
        assert all(cost >= 0 for cost in costs.values())
        assert sum(costs.values()) == pytest.approx(energy_of(patch.gap, control), rel=1e-6)


def test_a_term_costs_what_its_weight_adds() -> None:
    patch = patch_of("natural")
    assert patch.gap is not None
    before = cost_by_term(patch.gap, patch.control)
    doubled = replace(patch.gap, objective=replace(patch.gap.objective, velocity=2 * patch.gap.objective.velocity))
    after = cost_by_term(doubled, patch.control)
    assert after["velocity"] == pytest.approx(4 * before["velocity"], rel=1e-6)
    assert after["jerk"] == pytest.approx(before["jerk"], rel=1e-4)


def test_the_interpolation_costs_about_what_the_report_has() -> None:
    patch = patch_of("natural")
    assert patch.gap is not None
    assert isinstance(patch.report, FillReport)
    # the solve looks at the ground along its own path, the cost along the path that is asked for
    found = sum(cost_by_term(patch.gap, interpolation(patch.gap)).values())
    assert found == pytest.approx(patch.report.start_energy, rel=0.05)
