"""Gaps in motions as the search asks for them."""

from __future__ import annotations

import segue as sg
from segue.library.search import Query, query_of


def query_in(motion: sg.Motion, start: float, stop: float) -> Query:
    """Return the query for a gap, of which nothing is erased: only its sides are looked at."""
    return query_of(motion, start, stop, motion.state([start, stop]), motion.ground)
