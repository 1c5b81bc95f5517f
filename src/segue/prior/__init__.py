"""Priors that propose how people cross gaps: a learned one ships with Segue."""

from segue.prior.learned import LearnedPrior, shipped_prior

__all__ = ["LearnedPrior", "shipped_prior"]
