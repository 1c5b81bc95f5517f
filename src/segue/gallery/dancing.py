"""Ballroom dance: a pattern from its notation to footprints and steps, a couple in hold, and a floor full of them."""

from __future__ import annotations

from segue import view
from segue.dance import couple, measure, measure_couple, perform, planned
from segue.dance.behaviour import Environment, Ground, both_parts, choreograph, reports
from segue.dance.patterns import DanceLibrary
from segue.gallery.exhibit import Exhibit, Workshop
from segue.view.dance_analyser import analysed
from segue.view.dance_couple import couple_film
from segue.view.dance_floor import dance_floor
from segue.view.dance_floor_page import floor_page
from segue.view.floor_plan import floor_plan

__all__ = ["dancing", "sharing_a_floor"]

_PATTERN = "foxtrot/forward basic"
_TURNING = "waltz/left turning box"


def dancing(shop: Workshop) -> Exhibit:
    """Draw a pattern's footprints and steps, and a couple that dances another."""
    plan = planned(_PATTERN)
    motion = perform(plan)
    found = measure(plan, motion)
    prints = shop.picture("dance_plan.png", floor_plan(plan), f"Footprints of {_PATTERN}, with its beats")
    shop.tell("the pattern analyser", 0.2)
    steps = shop.picture("dance_steps.png", analysed(plan, motion), "The figure at the end of every step")
    shop.tell("a couple", 0.6)
    waltz = couple(_TURNING)
    held = measure_couple(waltz)
    film = shop.picture("dance_couple.png", couple_film(waltz, 6), f"A couple dances {_TURNING}")
    view.page(waltz.motions, title=_TURNING, together=True).save(shop.out / "dance_couple.html")
    return Exhibit(
        "Ballroom dance from notation",
        "Lake's thesis (1990) reads dance patterns written in the notation of dance teachers.",
        f"Ours plans footsteps from them and performs these: feet land within {1000 * abs(found.landing):.0f} ms of "
        f"the beat and, planted, move by {1000 * found.planted:.1f} mm at most; the couple's hands are joined "
        f"{held.joined:.0%} of the time.",
        (prints, steps, film),
        shop.motion("foxtrot", motion, ".bvh", ".glb"),
        {"the couple": "dance_couple.html"},
    )


def sharing_a_floor(shop: Workshop) -> Exhibit:
    """Draw couples that choose their own patterns on one floor."""
    hall = Environment(
        "waltz", minutes=0.5 if shop.small else 2.0, couples=6, seed=1, floor=Ground(width=8.0, length=12.0)
    )
    evening = choreograph(hall, both_parts(DanceLibrary(), "waltz"))
    laps = [each.laps for each in reports(evening)]
    floor_page(evening).save(shop.out / "dance_floor.html")
    return Exhibit(
        "A floor full of couples",
        "The thesis planned dancers with characters of their own, who choose what to dance next; it had one dancer.",
        f"Ours has six couples on 8 by 12 m, who go {min(laps):.1f} to {max(laps):.1f} times round it without touching "
        "each other or the wall.",
        (shop.picture("dance_floor.png", dance_floor(evening), "Where six couples went, and why"),),
        (),
        {"the evening, from above": "dance_floor.html"},
    )
