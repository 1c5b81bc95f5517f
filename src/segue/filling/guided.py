"""Guided paths: blend least effort with the path of a prior, under supports and joint limits.

The two paths are blended along great arcs. The solve then minimises the difference from that blend in velocity and
jerk, while slow feet near the floor are pulled to rest, supports are held and limits kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from segue.body.figure import FEET, Figure, Poses
from segue.body.human import HUMAN
from segue.curves.bspline import SplineBasis
from segue.curves.chart import BallCharts
from segue.filling.flights import falling
from segue.filling.options import Options
from segue.filling.prior import GapRequest, Prior, Proposal
from segue.filling.root import flies
from segue.filling.seams import Seams, charted_along
from segue.filling.solving import Patch, Solved, SupportPlan, solve_again, solve_aimed, solve_supported
from segue.filling.stances import body_glide
from segue.filling.steps import Steps, held_parts, planned_steps
from segue.filling.targets import GapTargets, clear_of
from segue.filling.together import mixed
from segue.motion.fills import Match
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, State, joints_of
from segue.spacetime import Gap
from segue.spacetime.constraints import Usual
from segue.spacetime.objectives import Objective
from segue.spacetime.solver import strays, trace
from segue.typing import Array

PARTIAL = "only some joints are missing: least effort instead"
SHORT = "a short gap: least effort does best"
UNEVEN = "uneven ground, of which the prior knows nothing: least effort instead"
FLIGHT = "the body flies through the gap: free fall instead"
UNKNOWN = "a prior that does not know its error"
NO_BETTER = "the prior is no surer than least effort, which is used instead"
TUMBLES = "the body turns over on the proposed path, which cannot be followed: least effort instead"
STRAYS = "joints leave their usual range on the proposed path: least effort instead"
LEGS = "only the legs follow the proposed path, on which other joints leave their usual range"
SURENESS = ((0.03, "sure"), (0.06, "fairly sure"), (np.inf, "unsure"))
"""Confidence of a prior in words, by its estimate of its own error in m."""

_HALVED = 3.0
"""Error of a proposal, as a multiple of its distance from least effort, at which its share is half. It was chosen on
504 gaps of 10 to 45 frames of persons of CMU that the learned prior does not know."""
_USED = 0.05
"""The least share that is used."""
_TINY = 1e-9
_STEEP, _LEAST_JUMP, _FASTEST = 2.0, 0.3, 36.0
"""Ratio, and rad from one pose to the next, above which angles jump against those that they are compared with. Speed in
rad/s above which every turn is a jump: less than one frame in 10,000 of captured motion is faster."""

_PIECES = 20.0
"""Pieces a second: enough for the steps that a person takes."""
_MOST_PIECES = 61
_KEEPING = Objective(velocity=100.0, jerk=1.0, foot=3500.0, foot_speed=2.0)
"""Weights of the difference from the blend, and of sliding feet."""
_LED = 0.2
"""Share of a proposal from which its contacts are held."""
SHORTEST = 0.32
"""Seconds of the shortest gap for a learned prior. In gaps of persons that it does not know, it is 1 % nearer to the
truth at 5 frames and 6 % at 10 frames, and less smooth."""
_TRIALS = ((1.0, False, False), (1.0, True, False), (0.5, True, False), (1.0, True, True))
"""Parts of the share that are tried in turn, whether joints keep their usual range, and whether the legs follow alone.
Arms that stray need not keep the legs from their steps."""
_STEPPING = 1.5
"""Distance of joints from the usual range, as a multiple of its margin, up to which feet may step that would glide."""
_LEGS = {joint for group in ("root", "left_leg", "right_leg") for joint in HUMAN.groups[group]}
_LEG_BALLS, _LEG_HINGES = (
    [k for k, name in enumerate(names) if joints_of([name])[0] in _LEGS]
    for names in (HUMAN.ball_names, HUMAN.hinge_names)
)
_UPRIGHT = 0.3
"""Height of the root as a part of stature from which the feet carry the body."""
_ROUNDS = 2
"""Solves at most that release parts of steps that cannot be held."""
_SLOW = 0.3
"""Speed in m/s at which the weight of a resting foot is 1/4."""


def guided(
    motion: Motion,
    seams: Seams,
    ends: State,
    tracks: Sequence[str],
    least: Solved,
    plan: SupportPlan,
    options: Options,
    usual: Usual | None,
) -> tuple[Solved, Match]:
    """Return the solution of a gap guided by the options' prior, and the match.

    ends: state of the motion at both seams. least: the solution of least effort, returned without a usable proposal.
    plan, options: as for `solve_supported`. usual: range of joints beside the gap, if frames beside it are
    suspect; a path that leaves it gets a smaller share.
    """
    assert isinstance(options.prior, Prior)
    ground = plan.contacts.ground
    unfit = [
        (len(tracks) < len(TRACKS), PARTIAL),
        (not is_even(ground), UNEVEN),
        (plan.contacts.airborne and flies(seams.ends[:, 1], seams.stop - seams.start), FLIGHT),
    ]
    for is_so, why in unfit:
        if is_so:
            return least, Match(why)
    request = GapRequest(motion, seams.start, seams.stop, ends, tuple(tracks), ground, variant=options.variant)
    proposal = options.prior.propose(request)
    if proposal.poses is None:
        return least, proposal.match or Match(proposal.reason or UNKNOWN)
    poses = (
        Patch(least.gap.tree.charts, least.control, least.gap.duration)
        .state(np.linspace(0.0, least.gap.duration, len(proposal.poses)))
        .poses
    )
    match = _matched(motion.figure, proposal, poses, options.variant is not None)
    if proposal.match is None and proposal.error is not None and options.variant is None and _is_short(seams):
        match = match.unused(SHORT)
    if match.share <= 0.0:
        return least, match
    contacts = proposal.contacts
    if contacts is not None:
        contacts = plan.targets.predicted(contacts, seams.stop - seams.start, FEET)
    tried: list[tuple[float, Solved, Match]] = []
    for share, kept, legs in _TRIALS:
        used = replace(match, share=share * match.share, reason=match.reason or (LEGS if legs else ""))
        blend = _with_legs(poses, proposal.poses) if legs else mixed(poses, proposal.poses, used.share)
        solved = None
        if not _jumps(blend, least.gap.duration):
            gap = _charted(least.gap, ends, blend)
            solved = _solved(gap, blend, contacts, used.share, plan, seams.start, options, usual if kept else None)
        if solved is None:
            return least, match.unused(TUMBLES)
        far = 0.0 if usual is None else strays(solved.gap, solved.unknowns, usual) / usual.margin
        if far <= 1.0 and not legs:
            return solved, used
        tried.append((far, solved, used))
    near = [(_slid(solved), k) for k, (far, solved, _) in enumerate(tried) if far <= _STEPPING]
    if not near or min(near)[0] > _slid(least):
        return least, match.unused(STRAYS)
    return tried[min(near)[1]][1:]


def _charted(gap: Gap, ends: State, blend: Poses) -> Gap:
    """Return the gap in charts that suit a blend, between the same ends."""
    tree, values = charted_along(gap.tree, ends, blend)
    return gap if tree is gap.tree and np.array_equal(values, gap.ends) else replace(gap, tree=tree, ends=values)


def _solved(
    least: Gap,
    blend: Poses,
    contacts: Array | None,
    share: float,
    plan: SupportPlan,
    start: float,
    options: Options,
    usual: Usual | None,
) -> Solved | None:
    """Return the solution near a blend of two paths that holds predicted steps; None if charts cannot follow it.

    least: the gap of least effort, in charts of the blend. start: of the gap in s. usual: range that joints keep to as
    to their limits.
    """
    values = _joint_values(least.tree.charts, blend, least.ends)
    if not _follows(values, blend, least.ends):
        return None
    gap = replace(_guided_gap(least, values, contacts, share, plan.targets, options.coefficients), usual=usual)
    plan = plan.aiming(gap, start)
    if contacts is None or share < _LED:
        solved = falling(solve_supported(gap, plan, options), plan, options, contacts)
        return solve_aimed(solved, plan, options)
    planned = _steps(gap, plan, contacts)
    steps = planned.supports
    plan = plan._replace(ways=planned.ways)
    solved = solve_supported(gap, plan._replace(whole=[*plan.whole, *steps]), options)
    for k in range(_ROUNDS + 1):
        held = [part for each in steps for part in held_parts(each, gap.times, solved.paths[each.point])]
        if held == steps:
            break
        supports = [*(each for each in solved.supports if each not in steps), *held]
        # steps that cannot be held at all may have led the path far away
        begin = solved.unknowns if held else np.zeros_like(solved.unknowns)
        last = k == _ROUNDS
        solved = replace(solved, supports=supports) if last else solve_again(gap, plan, begin, supports, options)
        steps = held
    return solve_aimed(falling(solved, plan, options, contacts), plan, options)


def _with_legs(least: Poses, proposed: Poses) -> Poses:
    """Return poses of least effort with root and legs of a proposal."""
    balls, hinges = least.balls.copy(), least.hinges.copy()
    balls[:, _LEG_BALLS], hinges[:, _LEG_HINGES] = proposed.balls[:, _LEG_BALLS], proposed.hinges[:, _LEG_HINGES]
    return Poses(proposed.root, balls, hinges)


def _slid(solved: Solved) -> float:
    """Return how far the body glides over the ground in a solution, in m."""
    return body_glide(solved.paths, solved.gap.ground)


def is_even(ground: Ground) -> bool:
    """Return whether a ground is level or a slope, which a prior knows."""
    return not len(ground.faces.triangles)


def _is_short(seams: Seams) -> bool:
    """Return whether a gap is so short that a learned prior does not improve on least effort."""
    return seams.stop - seams.start < SHORTEST


def _matched(figure: Figure, proposal: Proposal, least: Poses, is_variant: bool) -> Match:
    """Return the match of a proposal with its share against the path of least effort; a variant counts fully.

    The share depends on the error of the proposal as a multiple of the mean distance of joints between both paths. A
    proposal that hardly departs from least effort, measured by its own error, does not improve on it.
    """
    assert proposal.poses is not None
    match = proposal.match or Match(UNKNOWN)
    if proposal.error is None:
        share = match.share if proposal.match is not None else 1.0
        return replace(match, share=share, reason=proposal.reason)
    apart = [figure.forward(poses)[0] for poses in (proposal.poses, least)]
    distance = float(np.linalg.norm(apart[0] - apart[1], axis=-1).mean())
    share = 1.0 if is_variant else 1.0 / (1.0 + (proposal.error / max(_HALVED * distance, _TINY)) ** 4)
    if share < _USED:
        return replace(match.unused(NO_BETTER), error=proposal.error, reason=proposal.reason, usual=proposal.usual)
    sure = next(words for most, words in SURENESS if proposal.error < most)
    return replace(
        match, confidence=sure, share=share, error=proposal.error, reason=proposal.reason, usual=proposal.usual
    )


def _steps(gap: Gap, plan: SupportPlan, predicted: Array) -> Steps:
    """Return the steps that a prior predicts, (T, 4) at even times over the gap."""
    even = np.linspace(0.0, gap.duration, len(predicted))
    likely = np.stack([np.interp(gap.times, even, each) for each in predicted.T], axis=1)
    assert gap.reference_path is not None
    root = gap.modes.sampled[0] @ gap.reference_path[:, :3]
    upright = plan.contacts.ground.above(root) > _UPRIGHT * gap.figure.stature
    planned = planned_steps(plan.contacts, plan.left, gap.times, _still(gap), likely, upright)
    # a foot with a target of its own goes its own way
    aimed = {each.point.partition("_")[0] for each in plan.fixed}
    ways = tuple(way for way in planned.ways if way.point.partition("_")[0] not in aimed)
    return planned._replace(supports=clear_of(planned.supports, plan.fixed), ways=ways)


def _still(gap: Gap) -> dict[str, Array]:
    """Return the points on a gap's reference path, (S, 3) in m each."""
    return trace(gap, np.zeros((len(gap.free), gap.coefficients)))


def _follows(values: Array, poses: Poses, ends: Array) -> bool:
    """Return whether joint values (T, 44) of poses have no jump that the poses do not have, up to the ends (4, 44).

    A body that turns over may pass the pole of its chart, where angles jump.
    """
    turned = HUMAN.ball_dofs.ravel()
    steps = np.abs(np.diff(values[:, turned], axis=0)).max()
    angle = _turns(poses).max()
    return bool(steps <= _STEEP * angle + _LEAST_JUMP and np.abs(values[-1] - ends[2]).max() < _LEAST_JUMP)


def _jumps(blend: Poses, duration: float) -> bool:
    """Return whether a ball joint turns suddenly, from one pose to the next, against the turns before and after.

    Rotations that a network adds to a path through a half turn may pass through none at all.
    """
    turns = _turns(blend)
    around = np.pad(turns, ((1, 1), (0, 0)))
    beside = np.maximum(around[:-2], around[2:])
    fastest = _FASTEST * duration / len(turns)
    return bool((turns > np.minimum(_STEEP * beside + _LEAST_JUMP, fastest)).any())


def _turns(poses: Poses) -> Array:
    """Return the angles (T - 1, 7) in rad of ball joints from each pose to the next."""
    cosines = np.abs((poses.balls[1:] * poses.balls[:-1]).sum(axis=-1)).clip(max=1.0)
    angles: Array = 2.0 * np.arccos(cosines)
    return angles


def _guided_gap(
    gap: Gap, values: Array, contacts: Array | None, share: float, targets: GapTargets, count: int | None
) -> Gap:
    """Return a gap whose reference path is a blend of two paths, and whose energy is the difference from it.

    gap: the gap of least effort. values: (T, 44) of the blend at even times. contacts: of the proposal. share: weight
    of the proposal. targets: of the gap. count: coefficients a joint that the user asks for.
    """
    duration = gap.duration
    times = np.linspace(0.0, duration, len(values))
    pieces = count + 1 if count else int(np.clip(round(_PIECES * duration), gap.coefficients + 1, _MOST_PIECES))
    about = targets.moved_root(_spline_through(values, gap.ends, duration, pieces - 1), duration)
    near = replace(
        gap, objective=_KEEPING, coefficients=pieces - 1, root=None, reference_path=about, usual=None, price=1.0
    )
    if gap.limits:
        low, high = near.bounds
        about[2:-2, gap.free] = np.clip(about[2:-2, gap.free], low, high)
    if contacts is None:
        return near
    return replace(near, foot_rest_weights=_rests(near, times, contacts, share))


def _rests(gap: Gap, times: Array, proposed: Array, share: float) -> Array:
    """Return how much the feet rest, (4, S), from the proposal (T, 4) at some times and their speed on the path."""
    paths = _still(gap)
    rests = np.zeros((len(FEET), len(gap.times)))
    for k, name in enumerate(FEET):
        if name in paths:
            speed = np.linalg.norm(np.gradient(paths[name], gap.times, axis=0), axis=1)
            own = (1.0 + np.square(speed / _SLOW)) ** -2
            rests[k] = share * np.interp(gap.times, times, proposed[:, k]) + (1.0 - share) * own
    # sharpen towards 0 and 1: a foot either rests or moves
    return rests**2 * (3.0 - 2.0 * rests)


def _joint_values(charts: BallCharts, poses: Poses, ends: Array) -> Array:
    """Return the joint values (T, 44) of poses in charts, unwrapped from the values at the start."""
    values = np.empty((len(poses), ends.shape[1]))
    values[:, :3] = poses.root
    values[:, HUMAN.ball_dofs] = charts.coordinates(poses.balls)
    values[:, HUMAN.hinge_dofs] = poses.hinges
    turned = HUMAN.ball_dofs.ravel()
    values[0, turned] = ends[0, turned]
    values[:, turned] = np.unwrap(values[:, turned], axis=0)
    return values


def _spline_through(values: Array, ends: Array, duration: float, free: int) -> Array:
    """Return spline coefficients (free + 4, n) that meet ends (4, n) and pass near values (T, n) at even times."""
    from_ends, to_free, near = _nearest(len(values), free)
    scaled = ends * np.array([1.0, duration, 1.0, duration])[:, None]
    control: Array = from_ends @ scaled
    control[2:-2] += to_free @ (values - near @ scaled)
    return control


_SMOOTH = 1e-3
"""Weight of squared third differences of coefficients, which determine what the squared distances leave open."""


@lru_cache(maxsize=64)
def _nearest(count: int, free: int) -> tuple[Array, Array, Array]:
    """Return what makes coefficients of ends alone (free + 4, 4), and of what values depart from them (free, count).

    The last (count, 4) are the values of the ends alone. Ends: value and rate on [0, 1] at 0, then at 1.
    """
    basis = SplineBasis.uniform(0.0, 1.0, free + 4)
    u = np.linspace(0.0, 1.0, count)
    matrix = basis.matrix(u)
    step = 1.0 / (3.0 * (free + 1))
    fixed = np.zeros((free + 4, 4))
    fixed[0, 0], fixed[1, :2] = 1.0, (1.0, step)
    fixed[-1, 2], fixed[-2, 2:] = 1.0, (1.0, -step)
    bend = np.diff(np.eye(free + 4), n=3, axis=0)
    inner = slice(2, -2)
    square = matrix[:, inner].T @ matrix[:, inner] + _SMOOTH * bend[:, inner].T @ bend[:, inner]
    from_ends = fixed.copy()
    # the smoothest coefficients between the ends, from which those of the values depart
    from_ends[inner] = -np.linalg.solve(bend[:, inner].T @ bend[:, inner], bend[:, inner].T @ (bend @ fixed))
    to_free = np.linalg.solve(square, matrix[:, inner].T)
    return from_ends, np.asarray(to_free), matrix @ from_ends
