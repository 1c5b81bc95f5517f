"""Ballroom dance from notation: a foxtrot alone, a waltz by a couple, and a walk that becomes a dance.

Run it with: python examples/15_dance.py [FOLDER]
"""

import sys
from pathlib import Path

import segue as sg
from segue.dance import measure, measure_couple, preview, preview_couple
from segue.dance.performance.couple import couple_clip
from segue.view.dance_analyser import analysed, couple_film
from segue.view.web import page


def main(folder: Path) -> None:
    """Dance alone, together, and out of a walk."""
    # A pattern by its name: planned as footsteps on the beat, then performed by the figure.
    plan = sg.dance.plan("foxtrot/forward basic", bars=6, tempo="120bpm")
    foxtrot = preview(plan)
    found = measure(plan, foxtrot)
    print(f"foxtrot: {len(plan.steps)} steps in {plan.stop:.1f} s; planted feet move {1e3 * found.planted:.2f} mm")
    print(f"  landings within {1e3 * abs(found.landing):.0f} ms of the beat")
    sg.save(foxtrot, folder / "foxtrot.bvh", fps=60)

    # The pattern analyser: the figure at the end of every step, from six viewpoints.
    analysed(plan, foxtrot).save(folder / "foxtrot_steps.png")

    # Both parts, in closed hold. Figures need not be of one size.
    waltz = preview_couple("waltz/box step", leader=sg.Figure.standard(1.85), follower=sg.Figure.standard(1.65))
    held = measure_couple(waltz)
    print(f"waltz: hands joined {held.joined:.0%} of the time, trunks {100 * held.trunks:.0f} cm apart at the nearest")
    couple_film(waltz, 6).save(folder / "waltz.png")
    page(waltz.motions, title="waltz", together=True).save(folder / "waltz.html")
    clip = couple_clip(waltz, fps=30)
    print(f"  both as one clip: {len(clip.skeleton)} joints, {len(clip)} frames")

    # A dance is a motion like any other: here a walk goes over into it, and no step of the dance is left out.
    joined = sg.transition(sg.clips.walk, foxtrot, enter="start")
    print(f"a walk becomes a foxtrot: {joined.duration:.1f} s, {len(joined.fills)} gap filled")
    sg.save(joined, folder / "walk_to_foxtrot.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/15")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
