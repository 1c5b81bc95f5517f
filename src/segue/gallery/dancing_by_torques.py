"""Dancing by simulated dynamics: a body with mass dances a pattern by its joint torques alone."""

from __future__ import annotations

from importlib.util import find_spec

from segue.dance import couple, planned
from segue.dance.simulation import simulate
from segue.dance.simulation.couple import simulate_couple
from segue.gallery.exhibit import Exhibit, Workshop
from segue.view.dance_simulation_couple import hold_part
from segue.view.dance_simulation_energy import dance_energy
from segue.view.dance_simulation_film import dance_film, film_part
from segue.view.dance_simulation_floor import dance_trace
from segue.view.dance_simulation_forces import dance_forces
from segue.view.dance_simulation_page import dance_page
from segue.view.dance_simulation_panels import stacked

__all__ = ["can_simulate", "dance_something", "dancing_by_torques", "draw_couple_in_hold"]

_PATTERN = "foxtrot/forward and back basic"
_SHORT_PATTERN = "swing/single basic"
_TOGETHER = "waltz/box step"


def can_simulate() -> bool:
    """Return whether the physics engine, an optional extra, is installed."""
    return find_spec("mujoco") is not None


def dance_something() -> None:
    """Simulate a short pattern, so that all that needs compiling is compiled."""
    simulate(planned(_SHORT_PATTERN))


def dancing_by_torques(shop: Workshop) -> Exhibit:
    """Simulate a pattern, and draw the dancer on every beat, the floor, forces and energy."""
    name = _SHORT_PATTERN if shop.small else _PATTERN
    dance = simulate(planned(name), progress=lambda done, of: shop.tell("dancing", 0.8 * done / of))
    shop.tell("drawing", 0.8)
    shown = (
        shop.picture("simulated_film.png", dance_film(dance), f"A body with mass dances {name}: on every beat"),
        shop.picture("simulated_floor.png", dance_trace(dance), "Where it stepped, and how its weight went"),
        shop.picture("simulated_forces.png", dance_forces(dance), "What feet bear, and how hard joints work"),
        shop.picture("simulated_energy.png", dance_energy(dance), "Energy and momentum, and nothing unexplained"),
    )
    dance_page(dance).save(shop.out / "simulated_dance.html")
    ended = "" if dance.fall is None else f", until {dance.fall}"
    return Exhibit(
        "Dancing by simulated dynamics",
        "In Lake's thesis (1990) a torque from outside holds the figure up; it slides, and falls in a third side step.",
        f"Ours dances by the torques of its own joints{ended}: feet land within {1e3 * dance.beat_error:.0f} ms of the "
        f"beat and {1e3 * dance.landing_error:.1f} mm of their place, and slip {1e3 * dance.slip:.1f} mm at most.",
        shown,
        shop.motion("simulated_dance", dance.motion, ".bvh", ".glb"),
        {"the dancer, and the floor's push": "simulated_dance.html"},
    )


def draw_couple_in_hold(shop: Workshop) -> None:
    """Simulate a couple, and draw both on every beat and what passes between their hands."""
    danced = simulate_couple(couple(_TOGETHER))
    picture = stacked([film_part(list(danced.parts.values())), hold_part(danced)])
    shop.picture("simulated_couple.png", picture, f"Two bodies with mass dance {_TOGETHER} in hold")
