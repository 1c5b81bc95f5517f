"""`segue dance perform --couple`: two bodies with mass in hold, one of which leads."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import progress_bar
from segue.cli.dance.couple_files import PAGES, write_couple
from segue.cli.dance.evening import Choice
from segue.cli.dance.preview import Dancing
from segue.cli.dance.surroundings import Surroundings
from segue.dance.notation.model import Part
from segue.dance.planning.style import PLAIN
from segue.dance.simulation.couple import Lead, SimulatedCouple, simulate_couple
from segue.errors import ArgumentError


@dataclass(frozen=True)
class Leading:
    """Whether two dance in hold, and how well one is led."""

    couple: Annotated[bool, typer.Option("--couple", help="Both parts, in hold; pushes are on the leader.")] = False
    lead_delay: Annotated[
        float, typer.Option(metavar="MS", help="Of a couple: how late the follower does what she is led to.")
    ] = 1e3 * Lead.delay
    lead_error: Annotated[
        float, typer.Option(metavar="MM", help="Of a couple: how far beside her feet land, standard deviation.")
    ] = 1e3 * Lead.error
    step_size: Annotated[
        float, typer.Option(metavar="FACTOR", help="Of a couple: longer or shorter steps, such as 0.75.")
    ] = PLAIN.step_size
    lead_seed: Annotated[int, typer.Option(metavar="N", help="Of a couple: another lot of these errors.")] = Lead.seed

    def check_alone(self) -> None:
        """Raise where something was said of the lead, and one dancer alone is not led."""
        given = [option.name for option in fields(self) if getattr(self, option.name) != getattr(Leading, option.name)]
        if given:
            named = " and ".join(f"--{name.replace('_', '-')}" for name in given)
            raise ArgumentError(f"one dancer alone is not led: leave {named} out, or add --couple")

    def lead(self) -> Lead:
        """Return how well the follower is led."""
        return Lead(1e-3 * self.lead_delay, 1e-3 * self.lead_error, self.lead_seed)


def dance_together(
    dancing: Dancing,
    choice: Choice,
    surroundings: Surroundings,
    leading: Leading,
    pattern: str | None,
    files: tuple[Path, ...],
) -> tuple[SimulatedCouple, str]:
    """Write a couple's motions to files that were checked, and return its dance and what came of it in words."""
    lead, floor, pushes = leading.lead(), surroundings.floor(choice.evening), surroundings.pushes()
    plan = choice.couple(dancing, pattern, leading.step_size)
    with progress_bar("Dancing") as advance:
        danced = simulate_couple(plan, floor, lead=lead, pushes={Part.LEADER: pushes}, progress=advance)
    if len(danced.leader.positions) < 2:
        raise KeyboardInterrupt
    if files[0].suffix.lower() in PAGES:
        from segue.view.dance_simulation import couple_page  # pages need a library that is slow to import

        couple_page(danced).save(files[0])
    else:
        write_couple(danced, files)
    return danced, f"{' and '.join(str(file) for file in files)}: {_in_words(danced)}"


def _in_words(danced: SimulatedCouple) -> str:
    """Return how it went, in a sentence."""
    parts = "; ".join(
        f"the {part} landed {len(dance.landings)} of {dance.due} steps, within {1e3 * dance.beat_error:.0f} ms of their"
        f" time and {1e3 * dance.landing_error:.1f} mm of their place, feet slip {1e3 * dance.slip:.1f} mm"
        for part, dance in danced.parts.items()
    )
    hardest = int(danced.hold.largest.argmax())
    fallen = "".join(
        f"; {dance.fall}".replace("the dancer", f"the {part}") for part, dance in danced.parts.items() if dance.fall
    )
    ended = "; ended before its time" if danced.interrupted else fallen
    return (
        f"{danced.leader.times[-1]:.1f} s in hold; {parts}; the hold is firmest, {danced.hold.largest[hardest]:.0f} N,"
        f" at the {danced.hold.names[hardest]}{ended}"
    )
