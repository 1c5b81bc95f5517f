"""Pictures: exposures, frames, curves, footprints, time line, two motions side by side, and an animation.

Run it with: python examples/10_pictures.py [FOLDER]
"""

import sys
from pathlib import Path

import segue as sg
from segue import view


def main(folder: Path) -> None:
    """Draw a motion in every way there is; every picture can be .png, .svg or .pdf by its suffix."""
    walk = sg.clips.walk
    figure, poses, fps = walk.figure, walk.poses, walk.fps

    # The motion itself. `times` and `frames` say which moments; colours go from blue to red with time.
    view.plot_strip(figure, poses, frames=9, fps=fps).save(folder / "strip.png")
    view.plot_filmstrip(figure, poses, frames=12, columns=6, fps=fps).save(folder / "film.png")

    # Its numbers: joint angles by name, and the floor from above with the soles where they stood.
    view.plot_curves(poses, ["left_knee_flexion", "right_knee_flexion"], fps=fps).save(folder / "knees.svg")
    view.plot_footprints(figure, poses, fps=fps).save(folder / "footprints.svg")

    # What was filled, in colour; a camera of one's own looks from any side.
    joined = sg.transition(walk, sg.clips.kick, 0.6, leave=2.8, enter=0.7)
    view.plot_fills(joined, joined.fills, times=10).save(folder / "filled.png")
    view.plot_timeline(joined).save(folder / "timeline.png")

    # The same gap by interpolation and by least effort.
    plain = sg.transition(walk, sg.clips.kick, 0.6, leave=2.8, enter=0.7, iterations=0)
    pictures = {
        name: view.plot_fills(motion, motion.fills, times=[2.8, 2.95, 3.1, 3.25, 3.4], height=360)
        for name, motion in (("cubic between the ends", plain), ("least effort", joined))
    }
    view.arrange([{name: picture} for name, picture in pictures.items()]).save(folder / "compared.png")

    # It moves: .gif, .webp or, with the extra `video`, .mp4.
    moving = view.animate({"cubic": plain, "effort": joined}, start=2.4, stop=3.8, fps=20.0, size=(320, 240))
    moving.save(folder / "compared.webp")
    print(f"{len(list(folder.iterdir()))} files in {folder.name}, the animation has {len(moving)} frames")
    sg.save(joined, folder / "walk_kick.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/10")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
