"""Place a second motion where the steps of a prior lead, and scale paths of one person to the size of another.

The mean of velocities leads to a place that is right for the root, on average. It is wrong for feet: a foot that stands
before and after the gap would have to glide from the one place to the other. The prior corrects the place twice. First
it estimates how far the second motion is from where people who move like this would be. Then a foot that it expects to
stand throughout the gap is brought to where it stands already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from segue.body.figure import FEET, SOLES, Figure
from segue.filling._support_kernels import point_paths
from segue.filling.guided import SHORTEST, is_even
from segue.filling.options import Options
from segue.filling.prior import GapRequest, PlacingPrior, Prior
from segue.filling.root import flies
from segue.filling.sides import GapContext
from segue.filling.supports import GapContacts, body_points, check_supports, find_contacts
from segue.motion.functions import Placement
from segue.motion.ground import Ground
from segue.motion.motion import Motion
from segue.motion.tracks import TRACKS, State
from segue.typing import Array

Composed = Callable[[Placement], tuple[Motion, GapContext]]
"""Returns two motions with a gap between them, the second at a placement, and the gap's sides."""

_STANDS = 0.5  # probability from which a foot is expected to stand
_FURTHEST = 0.25  # m that a motion is moved at most, so that a foot can stay: a longer way is a step
_ALIKE = 0.02  # m by which two feet may ask for different moves


def placed_by_steps(composed: Composed, placement: Placement, start: float, stop: float, options: Options) -> Placement:
    """Return the placement of a second motion at which a prior's steps arrive, near a first placement.

    start, stop: of the gap in s. Gaps for which the prior is not used keep their placement.
    """
    prior: object = options.prior
    if prior is None or stop - start < SHORTEST or not isinstance(prior, PlacingPrior):
        return placement
    request, contacts = _request(composed, placement, start, stop, options)
    if not is_even(request.ground) or (contacts.airborne and flies(_heights(request), stop - start)):
        return placement
    found = prior.displacement(request)
    if found is None:
        return placement
    placement = placement._replace(x=placement.x - found[0], z=placement.z - found[1])
    request, contacts = _request(composed, placement, start, stop, options)
    predicted = prior.propose(request).contacts if isinstance(prior, Prior) else None
    if predicted is None:
        return placement
    dx, dz = _to_standing_foot(contacts.places, predicted)
    return placement._replace(x=placement.x + dx, z=placement.z + dz)


def _request(
    composed: Composed, placement: Placement, start: float, stop: float, options: Options
) -> tuple[GapRequest, GapContacts]:
    motion, sides = composed(placement)
    ground = options.ground if isinstance(options.ground, Ground) else None
    contacts = find_contacts(motion.figure, sides, check_supports(options.choices, motion.figure), ground)
    return GapRequest(motion, start, stop, sides.seams, tuple(TRACKS), contacts.ground), contacts


def _heights(request: GapRequest) -> Array:
    """Return height in m and its rate in m/s of the root at the start, then at the stop, (4,)."""
    root = request.ends.root
    return np.stack([root.value[:, 1], root.velocity[:, 1]], axis=1).ravel()


def _to_standing_foot(places: Mapping[str, Array], predicted: Array) -> tuple[float, float]:
    """Return the move (x, z) in m of a second motion that leaves the feet where they stand throughout a gap.

    places: (2, 3) m of each point of the feet at start and stop. predicted: (T, 4) probabilities of their contacts.
    """
    moves, sureness = [], []
    for k in range(2):
        own = predicted[:, 2 * k : 2 * k + 2]
        stands = (own[0] > _STANDS) & (own[-1] > _STANDS)
        least = float(own.max(axis=1).min())
        if not stands.any() or least < _STANDS:
            continue
        ends = np.stack([places[FEET[2 * k + p]] for p in np.flatnonzero(stands)])
        move = (ends[:, 0] - ends[:, 1]).mean(axis=0)[[0, 2]]
        if np.hypot(*move) < _FURTHEST:
            moves.append(move)
            sureness.append(least)
    if not moves:
        return 0.0, 0.0
    surest = moves[int(np.argmax(sureness))]
    near = [move for move in moves if np.hypot(*(move - surest)) < _ALIKE]
    dx, dz = np.mean(near, axis=0).tolist()
    return dx, dz


_SAME_SIZE = 0.01
_STANDING, _NEAR_FLOOR = 0.02, 0.1  # m above the lowest sole, and above the ground, within which a foot stands


def size_ratio(first: Figure, second: Figure) -> float:
    """Return the factor on the second person's paths that fits them to the first person's legs.

    Leg lengths that differ by less than 1 % count as equal.
    """
    ratio = first.leg_length / second.leg_length
    return 1.0 if abs(ratio - 1.0) < _SAME_SIZE else ratio


def floor_rise(figure: Figure, other: Figure, state: State | None, scale: float, ground: Ground | None = None) -> float:
    """Return the height in m to add to another person's motion so that the figure's feet stand on the same floor.

    Persons with equal leg lengths can differ in the soles. state: of the other person; the result is 0 where None.
    scale: see `size_ratio`. ground: under the other person, level at 0 where None.
    """
    if state is None:
        return 0.0
    root, _, _, balls, _, _, hinges, _, _ = state.parts
    own = _soles(other, root, balls, hinges)
    above = (own[:, :, 1] if ground is None else ground.above(own)).min(axis=0)
    standing = (above < above.min() + _STANDING) & (above < _NEAR_FLOOR)
    scaled = _soles(figure, scale * root, balls, hinges)
    lift = own[:, :, 1].min(axis=0) - scaled[:, :, 1].min(axis=0)
    return float(np.median(lift[standing])) if standing.any() else 0.0


def _soles(figure: Figure, root: Array, balls: Array, hinges: Array) -> Array:
    """Return the points of the soles in each pose, (P, T, 3)."""
    named = body_points(figure, SOLES)
    paths: Array = point_paths(figure.tree, root, balls, hinges, named.segments, named.places)
    return paths
