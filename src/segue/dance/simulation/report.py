"""The figures of a simulated dance, ready for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from segue.dance.simulation.result import Landing, SimulatedDance


def report_of(dance: SimulatedDance) -> dict[str, Any]:
    """Return all figures of a dance: SI units, and mm and ms where the name says so."""
    hardest = max(dance.efforts, key=lambda name: dance.efforts[name])
    figure, where = dance.plan.figure, dance.environment
    return {
        "mode": str(dance.mode),
        "seconds": round(float(dance.times[-1]) if len(dance.positions) else 0.0, 3),
        "fall": None if dance.fall is None else {"time": round(dance.fall.time, 3), "step": dance.fall.step},
        "interrupted": dance.interrupted,
        "landings": {"due": dance.due, "made": len(dance.landings)},
        "steps": {"adjusted": dance.adjusted, "unplanned": dance.unplanned},
        "slip_mm": round(1e3 * dance.slip, 2),
        "legs_touch_N": round(dance.touch, 1),
        "landing_error_mm": round(1e3 * dance.landing_error, 2),
        "beat_error_ms": round(1e3 * dance.beat_error, 1),
        "hardest_joint": {"name": hardest, "share_of_strength": round(dance.efforts[hardest], 3)},
        "outside_force_N": {
            "applied": dance.outside.applied,
            "unexplained_rms": round(dance.outside.unexplained, 3),
        },
        "helping_torque": {
            "largest_Nm": round(dance.help.largest, 2),
            "rms_Nm": round(dance.help.rms, 2),
            "impulse_Nms": round(dance.help.impulse, 2),
        },
        "patterns": _titles(dance),
        "bars_per_minute": dance.plan.tempo.bars,
        "figure": {"stature": figure.stature, "mass": round(figure.mass, 3)},
        "environment": {
            "gravity": where.gravity,
            "friction": where.friction,
            "believed_friction": where.expected_friction,
            "yielding": where.yielding,
            "damping": where.damping,
        },
        "shares_of_strength": {joint: round(share, 3) for joint, share in dance.efforts.items()},
        "each_landing": [_landed(dance, landing) for landing in dance.landings],
    }


def _titles(dance: SimulatedDance) -> list[str]:
    """Return what was danced, pattern by pattern: a new one begins where step numbers do."""
    return [
        step.pattern.title
        for k, step in enumerate(dance.plan.steps)
        if k == 0
        or step.number <= dance.plan.steps[k - 1].number
        or step.pattern is not dance.plan.steps[k - 1].pattern
    ]


def _landed(dance: SimulatedDance, landing: Landing) -> dict[str, Any]:
    steps, step = dance.plan.steps, landing.step
    return {
        "step": steps[step.step].number if step.step < len(steps) else None,
        "foot": step.foot,
        "time": round(step.land + landing.late, 3),
        "late_ms": round(1e3 * landing.late, 1),
        "miss_mm": None if landing.miss is None else round(1e3 * landing.miss, 2),
    }
