"""Options of filling: objective, coefficients, supports, ground, prior."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from segue.checks import integer, number
from segue.errors import ArgumentError
from segue.filling.prior import Clips, Prior, PriorSource, Span, source_of
from segue.motion.ground import AUTO, Ground, checked_ground, uneven
from segue.motion.motion import Motion
from segue.spacetime.objectives import Objective, objective_named
from segue.spacetime.terms.term import Term, Weighted, weighted

_MOST_COEFFICIENTS = 40
_MOST_ITERATIONS = 1_000_000


class OptionNames(TypedDict, total=False):
    """The fields of `Options` as keyword arguments."""

    objective: Objective | str
    coefficients: int | None
    supports: Mapping[str, str]
    ground: Ground | float | str | None
    limits: bool
    tolerance: float
    iterations: int
    stop: npt.NDArray[np.int64] | None
    prior: Prior | PriorSource | None
    self_prior: bool | None
    variant: int | None
    library: Clips | None
    terms: Sequence[Term | Weighted | tuple[float, Term]]


@dataclass(frozen=True)
class Options:
    """Options of filling gaps.

    objective: the energy to minimise, a name or an `Objective`. coefficients: free spline coefficients a joint; chosen
    from the gap's length where None. supports: a choice for each point that can carry weight, by name ("left_foot",
    "right_hand", "left_heel", ...): "auto" holds it if it rests on both sides of the gap, "enforce" holds it throughout
    the gap, "never" leaves it free. ground: a `Ground`, a height in m, "auto" to find it under the motion, or None for
    level ground at the height of the lowest foot beside each gap, which "auto" also takes where the ground that it
    finds is level. limits: whether joint limits are kept. tolerance: a solve has converged when the predicted decrease
    is less than this part of the energy. iterations: at most in each solve. stop: an array of one number; another
    thread may set it to 1 to end the solves early. prior: proposes paths for gaps of the whole body, such as a
    `Library`; least effort alone where None. library: a library, its file or its clips, in place of `prior`.
    self_prior: whether the motion's own frames outside the gaps are searched too. If not given, they are searched with
    a library only. variant: which of several different paths the prior proposes, from 0; the most likely path where
    None.
    """

    objective: Objective | str = "natural"
    coefficients: int | None = None
    supports: Mapping[str, str] = field(default_factory=dict)
    ground: Ground | float | str | None = "auto"
    limits: bool = True
    tolerance: float = 6e-4
    iterations: int = 60
    stop: npt.NDArray[np.int64] | None = field(default=None, compare=False)
    prior: Prior | PriorSource | None = field(default=None, compare=False)
    self_prior: bool | None = field(default=None, compare=False)
    variant: int | None = None
    library: InitVar[Clips | None] = None
    terms: Sequence[Term | Weighted | tuple[float, Term]] = field(default=(), compare=False)

    def __post_init__(self, library: Clips | None) -> None:
        object.__setattr__(self, "objective", objective_named(self.objective))
        object.__setattr__(self, "terms", weighted(self.terms) if self.terms != () else ())
        if self.coefficients is not None:
            object.__setattr__(
                self, "coefficients", integer("coefficients", self.coefficients, least=1, most=_MOST_COEFFICIENTS)
            )
        object.__setattr__(self, "iterations", integer("iterations", self.iterations, least=0, most=_MOST_ITERATIONS))
        object.__setattr__(self, "tolerance", number("tolerance", self.tolerance, least=0.0))
        if not isinstance(self.supports, Mapping):
            raise ArgumentError(f'supports is {self.supports!r}: it must name points, as {{"left_foot": "enforce"}}')
        object.__setattr__(self, "ground", checked_ground(self.ground))
        if self.variant is not None:
            object.__setattr__(self, "variant", integer("variant", self.variant, least=0))
        if self.stop is not None and not (
            isinstance(self.stop, np.ndarray) and self.stop.dtype == np.int64 and self.stop.shape == (1,)
        ):
            raise ArgumentError("stop must be an array of one whole number, as numpy.zeros(1, numpy.int64)")
        if self.prior is None:
            if library is not None or self.self_prior:
                object.__setattr__(self, "prior", source_of(library))
            return
        if not isinstance(self.prior, Prior | PriorSource):
            raise ArgumentError(
                f"the prior is {self.prior!r}: an object with a method propose, or a library, is needed"
            )
        if library is not None or (self.self_prior and isinstance(self.prior, Prior)):
            raise ArgumentError("both a library and a prior are given: give one of them")

    @property
    def costs(self) -> tuple[Weighted, ...]:
        """The costs besides the objective, with their weights."""
        return weighted(self.terms) if self.terms else ()

    @property
    def goal(self) -> Objective:
        """The objective itself."""
        return objective_named(self.objective)

    def on_ground_of(self, motion: Motion) -> Options:
        """Return the options with the ground found under a motion if `ground` is "auto"."""
        return replace(self, ground=uneven(motion.ground)) if self.ground == AUTO else self

    def with_prior_for(self, motions: Sequence[Motion], erased: Iterable[Span] = ()) -> Options:
        """Return the options with the prior that a library makes for motions; erased: see `PriorSource`."""
        if self.prior is None or not isinstance(self.prior, PriorSource):
            return self
        return replace(self, prior=self.clip_prior(motions, erased), self_prior=None)

    def clip_prior(self, motions: Sequence[Motion], erased: Iterable[Span] = ()) -> Prior:
        """Return a prior from the library, or from the motions' own frames without a library."""
        source = source_of(None) if self.prior is None else self.prior
        if not isinstance(source, PriorSource):
            raise ArgumentError(f"variants need clips: give a library in place of the prior {source!r}")
        return source.prior_for(motions, erased, self_prior=self.self_prior)

    @property
    def without_library(self) -> Options:
        """The options without a library; another prior stays."""
        return replace(self, prior=None, self_prior=None) if isinstance(self.prior, PriorSource) else self


def options_of(options: Options | None, given: OptionNames) -> Options:
    """Return options with the fields in `given` replaced."""
    for name in given:
        if name not in OptionNames.__annotations__:
            raise ArgumentError(f"there is no option '{name}': there are {', '.join(OptionNames.__annotations__)}")
    if options is None:
        return Options(**given) if given else _DEFAULTS
    return replace(options, **given) if given else options


_DEFAULTS = Options()
