"""Every shipped pattern danced by a simulated body, both parts, eight bars at its usual tempo: kept, or why not."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks import Row
from benchmarks._dance_limits import figures_of, kept, timed
from segue.dance import plan as make_plan
from segue.dance.notation.model import Part
from segue.dance.patterns import DanceLibrary

BARS = 8


def main(titles: Sequence[str] = ()) -> list[Row]:
    """Dance the patterns of those titles, or all, and tell each as it is done; the last row counts them."""
    library = DanceLibrary()
    rows, count = [], 0
    chosen = [entry.title for entry in library.entries() if not titles or entry.title in titles]
    for title in chosen:
        for part in Part:
            dance, speed = timed(make_plan(title, part=part, bars=BARS, library=library))
            rows.append(Row(f"{title}, {part}", figures_of(dance), speed))
            count += kept(dance)
            print(f"{rows[-1].subject}: {rows[-1].figure}", flush=True)
    share = count / max(len(rows), 1)
    return [*rows, Row("all of them", f"{count} of {len(rows)} kept", share, 1.0)]


if __name__ == "__main__":
    print(main(sys.argv[1:])[-1].figure)
