"""Figures 7 to 10 of [Ramamoorthi1997], drawn from the seven hard rotations."""

from __future__ import annotations

from pathlib import Path

from tests.support.rotation_keys import keys
from tests.support.rotation_pictures import rotation_components, rotation_lengths, rotation_residuals, rotation_tracks

from segue.keyframe import Adaptive, DynamicSpline, Settings, inbetween_rotations

__all__ = ["draw"]

FOLDER = Path(__file__).parents[1] / "out" / "bench"
PLANS = {
    "6 frames, 1 in each span": Settings(between=1, ends="free", subdivision=None),
    "18 frames, 3 in each span": Settings(between=3, ends="free", subdivision=None),
    "2 frames where the residual says": Settings(between=0, ends="free", subdivision=Adaptive(rounds=1, points=2)),
}
_STAGES = (0, 1, 2, 4, 8)


def draw(folder: Path = FOLDER) -> None:
    """Save the four pictures into a folder."""
    times, turned = keys()
    folder.mkdir(parents=True, exist_ok=True)
    improvement = inbetween_rotations(times, turned)
    rotation_tracks(improvement).save(folder / "keyframe_tracks.png")
    rotation_components(improvement).save(folder / "keyframe_components.png")
    stages: list[DynamicSpline] = []
    inbetween_rotations(times, turned, form="soft", on_step=lambda state: stages.append(state.path))
    rotation_lengths([*(stages[k] for k in _STAGES), stages[-1]]).save(folder / "keyframe_lengths.png")
    compared = {name: inbetween_rotations(times, turned, settings=plan) for name, plan in PLANS.items()}
    rotation_residuals(compared).save(folder / "keyframe_residuals.png")
