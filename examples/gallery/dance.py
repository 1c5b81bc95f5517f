"""Ballroom dance in the gallery: from notation, on a floor of couples, and simulated by joint torques."""

from __future__ import annotations

from importlib.util import find_spec

from examples.gallery.exhibit import Exhibit, Workshop
from segue import view
from segue.dance import measure, measure_couple, preview, preview_couple
from segue.dance import plan as make_plan
from segue.dance.behaviour import Environment, Ground, both_parts, choreograph, reports
from segue.dance.patterns import DanceLibrary
from segue.dance.simulation import simulate
from segue.dance.simulation.couple import simulate_couple
from segue.view import dance_floor as floor_pictures
from segue.view.dance_analyser import analysed, couple_film
from segue.view.dance_floor import floor_page
from segue.view.dance_simulation import dance_page
from segue.view.dance_simulation_charts import dance_energy, dance_forces, hold_part, stacked
from segue.view.dance_simulation_film import dance_film, film_part
from segue.view.dance_simulation_floor import dance_trace
from segue.view.floor_plans import plot_floor_plan

_PATTERN = "foxtrot/forward basic"
_TURNING = "waltz/left turning box"
_SIMULATED = "foxtrot/forward and back basic"
_SHORT = "swing/single basic"
_TOGETHER = "waltz/box step"


def dance_from_notation(shop: Workshop) -> Exhibit:
    """Draw the footprints and the steps of a pattern, and a couple that dances another pattern."""
    plan = make_plan(_PATTERN)
    motion = preview(plan)
    found = measure(plan, motion)
    prints = shop.picture("dance_plan.png", plot_floor_plan(plan), f"Footprints of {_PATTERN}, with its beats")
    shop.report("the pattern analyser", 0.2)
    steps = shop.picture("dance_steps.png", analysed(plan, motion), "The figure at the end of every step")
    shop.report("a couple", 0.6)
    waltz = preview_couple(_TURNING)
    held = measure_couple(waltz)
    film = shop.picture("dance_couple.png", couple_film(waltz, 6), f"A couple dances {_TURNING}")
    view.page(waltz.motions, title=_TURNING, together=True).save(shop.out / "dance_couple.html")
    return Exhibit(
        "Ballroom dance from notation",
        "Lake's thesis (1990) reads dance patterns written in the notation of dance teachers.",
        f"Segue plans footsteps from such patterns and performs them: feet land within {1000 * abs(found.landing):.0f} "
        f"ms of the beat, planted feet move by {1000 * found.planted:.1f} mm at most, and the couple's hands are "
        f"joined {held.joined:.0%} of the time.",
        (prints, steps, film),
        shop.motion("foxtrot", motion, ".bvh", ".glb"),
        {"the couple": "dance_couple.html"},
    )


def dance_floor(shop: Workshop) -> Exhibit:
    """Draw couples that choose their own patterns on one floor."""
    hall = Environment(
        "waltz", minutes=0.5 if shop.small else 2.0, couples=6, seed=1, floor=Ground(width=8.0, length=12.0)
    )
    evening = choreograph(hall, both_parts(DanceLibrary(), "waltz"))
    laps = [each.laps for each in reports(evening)]
    floor_page(evening).save(shop.out / "dance_floor.html")
    picture = floor_pictures.dance_floor(evening)
    return Exhibit(
        "A floor full of couples",
        "The thesis planned dancers with different characters, who choose what to dance next; it had one dancer.",
        f"Segue has six couples on 8 by 12 m, who go {min(laps):.1f} to {max(laps):.1f} times round it without "
        "touching each other or the wall.",
        (shop.picture("dance_floor.png", picture, "The paths of six couples, and the reasons of their choices"),),
        (),
        {"the evening, from above": "dance_floor.html"},
    )


def can_simulate() -> bool:
    """Return whether the physics engine, an optional extra, is installed."""
    return find_spec("mujoco") is not None


def simulate_short_pattern() -> None:
    """Simulate a short pattern, which compiles every kernel of the simulation."""
    simulate(make_plan(_SHORT))


def simulated_dance(shop: Workshop) -> Exhibit:
    """Simulate a pattern, and draw the dancer on every beat, the floor, forces and energy."""
    name = _SHORT if shop.small else _SIMULATED
    dance = simulate(make_plan(name), progress=lambda done, of: shop.report("simulating", 0.8 * done / of))
    shop.report("drawing", 0.8)
    shown = (
        shop.picture("simulated_film.png", dance_film(dance), f"A body with mass dances {name}: on every beat"),
        shop.picture("simulated_floor.png", dance_trace(dance), "Footprints, and the path of the centre of mass"),
        shop.picture("simulated_forces.png", dance_forces(dance), "Loads of the feet, and torques of the joints"),
        shop.picture("simulated_energy.png", dance_energy(dance), "Energy, momentum and unexplained force"),
    )
    dance_page(dance).save(shop.out / "simulated_dance.html")
    ended = "" if dance.fall is None else f", until {dance.fall}"
    return Exhibit(
        "Simulated dance",
        "In Lake's thesis (1990) an external torque holds the figure up; it slides, and falls in a third side step.",
        f"Segue's dancer moves by the torques of its own joints{ended}: feet land within "
        f"{1e3 * dance.beat_error:.0f} ms of the beat and {1e3 * dance.landing_error:.1f} mm of their planned place, "
        f"and slip {1e3 * dance.slip:.1f} mm at most.",
        shown,
        shop.motion("simulated_dance", dance.motion, ".bvh", ".glb"),
        {"the dancer, and the floor's push": "simulated_dance.html"},
    )


def simulated_couple(shop: Workshop) -> None:
    """Simulate a couple, and draw both on every beat and the forces between their hands."""
    danced = simulate_couple(preview_couple(_TOGETHER))
    picture = stacked([film_part(list(danced.parts.values())), hold_part(danced)])
    shop.picture("simulated_couple.png", picture, f"Two bodies with mass dance {_TOGETHER} in hold")
