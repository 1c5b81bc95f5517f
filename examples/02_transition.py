"""A transition between two clips of your own: where to cut, what the report says, a salute put on one arm.

Run it with: python examples/02_transition.py [FOLDER] [FIRST.bvh SECOND.bvh]
"""

import sys
from pathlib import Path

import segue as sg
from segue.view import plot_fills


def main(folder: Path, first: Path, second: Path) -> None:
    """Join two clips and make pictures of what was filled, in a folder."""
    walk, run = sg.load(first), sg.load(second)

    # From one motion into the other: the run is turned and moved on the floor to where the walk leads.
    joined = sg.transition(walk, run, 0.6, leave=1.9, enter=0.2)
    sg.save(joined, folder / "walk_run.bvh")
    plot_fills(joined, joined.fills, times=10).save(folder / "walk_run.png")

    # How it was made: what was held, for how long, and how far it strayed all the same.
    (report,) = joined.fills
    share = report.energy / report.start_energy
    print(f"{report.status} after {report.iterations} iterations, at {share:.2f} of the cost of a cubic")
    for support in report.supports:
        held, strayed = f"{support.start:.2f} to {support.stop:.2f} s", 100 * (support.moved or 0.0)
        print(f"  {support.point} was held from {held} and strays by {strayed:.1f} cm")

    # Where to cut decides whether feet can stay: try some moments, on all cores, and see how far feet slide.
    moments = [round(0.1 * k, 1) for k in range(7)]
    tried = sg.transitions(sg.Join(walk, run, 0.6, leave=1.9, enter=moment) for moment in moments)
    for moment, each in zip(moments, tried, strict=True):
        worst = sg.check(each, start=1.9, stop=2.5).measures.slide.worst
        slide = 0.0 if worst is None else 100 * worst.slide
        print(f"  the run entered at {moment} s: feet slide by {slide:.1f} cm")

    # One arm alone: the walk keeps every other joint as it was.
    arm = sg.trim(sg.only(sg.clips.salute, "right_arm"), 0.9, 1.9)
    saluting = sg.fill_gaps(sg.retime(arm, 1.1) + (walk - sg.retime(arm, 0.8, 1.6)))
    sg.save(saluting, folder / "salute.bvh")
    plot_fills(saluting, saluting.fills, times=10).save(folder / "salute.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/02")
    target.mkdir(parents=True, exist_ok=True)
    sources = [Path(name) for name in sys.argv[2:4]]
    if not sources:
        sources = [target / "walk.bvh", target / "run.bvh"]
        for name, file in zip(("walk", "run"), sources, strict=True):
            sg.save(sg.clips.clip(name), file)
    main(target, *sources)
