"""A gap filled from a library of clips, variants to choose from, and the best cut points between two motions.

Run it with: python examples/14_fill_from_library.py [FOLDER] [FOLDER_OF_CLIPS]
"""

import sys
from pathlib import Path

import segue as sg
from segue.filling import distance_map
from segue.view import plot_distance_map as draw_map
from segue.view import plot_library_fill


def main(folder: Path, sources: Path) -> None:
    """Build a library of the clips in a folder, and fill from it."""
    # An index of clips, of any skeleton. Built again, only what has changed is read.
    library = sg.Library.build(sources, folder / "clips.lib")
    print(library.describe())

    # A second is missing: least effort alone takes no step there, people do.
    walk, gap = sg.clips.walk, (1.0, 1.9)
    plain = sg.fill(walk, [gap], prior="none")
    filled = sg.fill(walk, [gap], library=library, prior="library", use_own_frames=False)
    (report,) = filled.fills
    print(f"filled: {report.match}")
    sg.save(filled, folder / "filled.bvh")

    # What it was made from, beside the truth.
    if report.match is not None and report.match.used_clips:
        sheet = plot_library_fill(filled, library, truth=walk, others={"least effort": plain}, height=110)
        sheet.save(folder / "filled.png")

    # Single matches are livelier than their mean: some to choose from.
    for k, variant in enumerate(sg.variants(walk, gap, 3, library=library, prior="library", use_own_frames=False)):
        (report,) = variant.fills
        print(f"  variant {k + 1}: as {report.match.used_clips[0]}" if report.match else "  nothing similar")
        sg.save(variant, folder / f"variant_{k + 1}.bvh")

    # Where to cut: every moment of both clips is compared, the best pairs are tried.
    cuts = sg.cut_points(walk, sg.clips.kick)
    for cut in cuts[:3]:
        print(f"  {cut.describe('the walk', 'the kick')}")
    best = cuts[0]
    compared = distance_map(walk, sg.clips.kick, best.duration)
    draw_map(walk, sg.clips.kick, compared, cuts, names=("the walk", "the kick")).save(folder / "map.png")
    joined = sg.transition(walk, sg.clips.kick, best.duration, leave=best.leave, enter=best.enter, library=library)
    sg.save(joined, folder / "walk_kick.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/14")
    target.mkdir(parents=True, exist_ok=True)
    clips = Path(sys.argv[2]) if len(sys.argv) > 2 else target / "clips"
    if len(sys.argv) <= 2:
        # clips of somebody who walks at other paces, as there are none of your own
        clips.mkdir(exist_ok=True)
        endless = sg.repeat(sg.make_loop(sg.mirror(sg.clips.walk)), 90)
        for k in range(4):
            walker = sg.retime(endless, 0.0, 0.86 + 0.08 * k)
            sg.save(walker, clips / f"walk_{k}.bvh", fps=30.0)
        sg.save(sg.clips.run, clips / "run.bvh")
    main(target, clips)
