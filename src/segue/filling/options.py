"""Options of filling: objective, coefficients, supports, ground, prior."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from segue.checks import choice, integer, number
from segue.errors import ArgumentError
from segue.filling.prior import (
    AUTO as AUTO_PRIOR,
)
from segue.filling.prior import (
    BOTH,
    LEARNED,
    LIBRARY,
    NAMES,
    NONE,
    Clips,
    Prior,
    PriorSource,
    Span,
    learned_prior,
    source_of,
)
from segue.filling.targets import Supports, parted
from segue.filling.together import TwoPriors
from segue.motion.ground import AUTO, Ground, checked_ground, uneven
from segue.motion.motion import Motion
from segue.motion.targets import Target
from segue.spacetime.objectives import Objective, objective_named
from segue.spacetime.terms.term import Term, Weighted, weighted

ROOTS = ("auto", "free", "given")
"""Paths of the root: it falls in jumps, takes the push that feet can give, or keeps the path from before the solve."""

_MOST_COEFFICIENTS = 40
_MOST_ITERATIONS = 1_000_000


class OptionNames(TypedDict, total=False):
    """The fields of `Options` as keyword arguments."""

    objective: Objective | str
    coefficients: int | None
    supports: Supports
    ground: Ground | float | str | None
    limits: bool
    tolerance: float
    iterations: int
    stop: npt.NDArray[np.int64] | None
    prior: Prior | PriorSource | str | Path | None
    use_own_frames: bool | None
    variant: int | None
    library: Clips | None
    terms: Sequence[Term | Weighted | tuple[float, Term]]
    root: str


@dataclass(frozen=True)
class Options:
    """Options of filling gaps.

    objective: the energy to minimise, a name or an `Objective`. coefficients: free spline coefficients a joint; chosen
    from the gap's length where None. supports: a choice for each point that can carry weight, by name ("left_foot",
    "right_hand", "left_heel", ...). "auto" holds it if it rests on both sides of the gap, "enforce" holds it throughout
    the gap, "never" leaves it free. A `Footstep`, a `Reach` or a `Flight`, or a list of these and of choices, gives
    targets inside gaps. ground: a `Ground`, a height in m, "auto" to find it under the motion, or None for
    level ground at the height of the lowest foot beside each gap. If the ground that "auto" finds is level, it takes
    that of None. limits: whether joint limits are kept. tolerance: a solve has converged when the predicted decrease is
    less than this part of the energy. iterations: at most in each solve. stop: an array of one number; another thread
    may set it to 1 to end the solves early. prior: proposes paths for gaps: "learned", "library", "both", "none" or
    None for least effort alone, a file of weights, or an object such as a `Library` or a `Prior`. "auto" is both with a
    library. Without one it is the learned prior, or least effort if another objective or 0 iterations are asked for,
    which the path of a prior would hide. library: a library, its file or its clips. use_own_frames: whether the
    motion's own frames outside the gaps are searched, too. If not given, they are searched with a library only.
    variant: which of several different paths the prior proposes, from 0; the most likely path where None. root: "auto"
    lets the centre of mass fall freely in jumps, which last 0.2 s or more. "free" does so in every flight that the
    prior predicts, and lowers the push that the feet cannot give on the ground. "given" keeps the path that the root
    has before the solve.
    """

    objective: Objective | str = "natural"
    coefficients: int | None = None
    supports: Supports = field(default_factory=dict)
    ground: Ground | float | str | None = "auto"
    limits: bool = True
    tolerance: float = 6e-4
    iterations: int = 60
    stop: npt.NDArray[np.int64] | None = field(default=None, compare=False)
    prior: Prior | PriorSource | str | Path | None = field(default=AUTO_PRIOR, compare=False)
    use_own_frames: bool | None = field(default=None, compare=False)
    variant: int | None = None
    library: Clips | None = field(default=None, compare=False)
    terms: Sequence[Term | Weighted | tuple[float, Term]] = field(default=(), compare=False)
    root: str = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "objective", objective_named(self.objective))
        none = isinstance(self.terms, Sequence) and not self.terms
        object.__setattr__(self, "terms", () if none else weighted(self.terms))
        if self.coefficients is not None:
            object.__setattr__(
                self, "coefficients", integer("coefficients", self.coefficients, least=1, most=_MOST_COEFFICIENTS)
            )
        object.__setattr__(self, "iterations", integer("iterations", self.iterations, least=0, most=_MOST_ITERATIONS))
        object.__setattr__(self, "tolerance", number("tolerance", self.tolerance, least=0.0))
        choices, targets = parted(self.supports)
        object.__setattr__(self, "supports", (choices, *targets) if targets else choices)
        object.__setattr__(self, "ground", checked_ground(self.ground))
        object.__setattr__(self, "root", choice("root", self.root, ROOTS))
        if self.variant is not None:
            object.__setattr__(self, "variant", integer("variant", self.variant, least=0))
        if self.stop is not None and not (
            isinstance(self.stop, np.ndarray) and self.stop.dtype == np.int64 and self.stop.shape == (1,)
        ):
            raise ArgumentError("stop must be an array of one whole number, as numpy.zeros(1, numpy.int64)")
        if self.library is not None:
            object.__setattr__(self, "library", source_of(self.library))
        self._check_prior()

    def _check_prior(self) -> None:
        clips = self.library is not None or bool(self.use_own_frames)
        if self.prior is None:
            return
        # names first: whether an object follows a protocol takes Python long to find out
        if not isinstance(self.prior, str | Path):
            if not isinstance(self.prior, Prior | PriorSource):
                raise ArgumentError(
                    f"the prior is {self.prior!r}: one of {', '.join(NAMES)}, a file of weights, a library or an "
                    "object with a method propose is needed"
                )
            if self.library is not None or (self.use_own_frames and isinstance(self.prior, Prior)):
                raise ArgumentError("both a library and a prior are given: give one of them")
        elif self.prior in (LIBRARY, BOTH) and not clips:
            raise ArgumentError(f"the prior is '{self.prior}', but there is no library: give one")
        elif self.prior in (LEARNED, NONE) and self.library is not None:
            raise ArgumentError(f"a library is given, but the prior is '{self.prior}': use library, both or auto")
        elif self.prior not in NAMES:
            object.__setattr__(self, "prior", learned_prior(self.prior))

    @property
    def costs(self) -> tuple[Weighted, ...]:
        """The costs besides the objective, with their weights."""
        return weighted(self.terms) if self.terms else ()

    @property
    def choices(self) -> dict[str, str]:
        """The choice for each point that `supports` names."""
        return parted(self.supports)[0]

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets among `supports`, in the time of the motion."""
        return parted(self.supports)[1]

    @property
    def without_targets(self) -> Options:
        """The options without targets, to look for cut points, which determine the times of targets."""
        return replace(self, supports=self.choices) if self.targets else self

    @property
    def goal(self) -> Objective:
        """The objective itself."""
        return objective_named(self.objective)

    def on_ground_of(self, motion: Motion) -> Options:
        """Return the options with the ground found under a motion if `ground` is "auto"."""
        return self._with(ground=uneven(motion.ground)) if self.ground == AUTO else self

    def with_prior_for(self, motions: Sequence[Motion], erased: Iterable[Span] = ()) -> Options:
        """Return the options with the prior for gaps of motions; erased: see `PriorSource`."""
        return self._with(prior=self._prior_for(motions, erased), library=None, use_own_frames=None)

    def _with(self, **changed: object) -> Options:
        """Return the options with other values of some fields, which need no check."""
        other = copy(self)
        other.__dict__.update(changed)
        return other

    def _prior_for(self, motions: Sequence[Motion], erased: Iterable[Span]) -> Prior | None:
        if self.prior is None or self.prior == NONE:
            return None
        named = isinstance(self.prior, str)
        if not named and isinstance(self.prior, Prior):
            return self.prior
        source = self.prior if not named and isinstance(self.prior, PriorSource) else self.library
        if source is None and self.use_own_frames:
            source = source_of(None)
        clips = (
            source.prior_for(motions, erased, use_own_frames=self.use_own_frames)
            if isinstance(source, PriorSource)
            else None
        )
        wanted = self.prior in (LEARNED, BOTH) or (self.prior == AUTO_PRIOR and not (clips is None and self._is_study))
        learned = learned_prior() if wanted else None
        return TwoPriors(learned, clips) if learned is not None and clips is not None else learned or clips

    @property
    def _is_study(self) -> bool:
        """Whether an objective of the user's own, or interpolation, is asked for, which a prior's path would hide."""
        return self.variant is None and (self.iterations == 0 or self.objective != _DEFAULTS.objective)

    def for_variants(self, motions: Sequence[Motion], erased: Iterable[Span] = ()) -> Options:
        """Return the options with a prior that proposes variants; raise if there is none."""
        chosen = self.with_prior_for(motions, erased)
        if chosen.prior is None:
            raise ArgumentError("variants need a prior: least effort knows one path only")
        return chosen

    @property
    def least_effort(self) -> Options:
        """The options without any prior."""
        return self._with(prior=None, library=None, use_own_frames=None)


def options_of(options: Options | None, given: OptionNames) -> Options:
    """Return options with the fields in `given` replaced."""
    for name in given:
        if name not in OptionNames.__annotations__:
            raise ArgumentError(f"there is no option '{name}': there are {', '.join(OptionNames.__annotations__)}")
    if options is None:
        return Options(**given) if given else _DEFAULTS
    return replace(options, **given) if given else options


_DEFAULTS = Options()
