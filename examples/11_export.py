"""Export: the same motion as BVH, glTF and USD, for Blender, game engines and viewers; and what each keeps.

Run it with: python examples/11_export.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np

import segue as sg
from segue import io, view


def main(folder: Path) -> None:
    """Write a motion in every format and read back what can be read."""
    joined = sg.transition(sg.clips.stand, sg.clips.kick, 0.5, leave=1.5, enter=0.2)

    # BVH keeps the units, axes and channel order of the clip that the motion is written on.
    sg.save(joined, folder / "kick.bvh")

    # glTF is in metres with Y up, and has a simple body: open it in any viewer.
    sg.save(joined, folder / "kick.glb")
    again = io.read(folder / "kick.glb")
    off = np.abs(again.world[0] - io.read(folder / "kick.bvh").world[0]).max()
    print(f"kick.glb: {len(again)} frames; joints lie {1000 * off:.4f} mm from those of kick.bvh, at most")

    # Engines often want another rate: frames are taken from the curves, not from neighbours.
    sg.save(joined, folder / "kick_30.glb", fps=30.0)
    print(f"kick_30.glb: {len(io.read(folder / 'kick_30.glb'))} frames at 30 a second")

    # Several takes of one skeleton go into one file, and "#" chooses one. A motion that was loaded from glTF goes
    # back into its file: your own mesh, skin and textures stay, and only the animation is replaced.
    sg.save({"walk": sg.clips.walk, "run": sg.clips.run}, folder / "takes.glb")
    sg.save(sg.mirror(sg.load(folder / "takes.glb#run")), folder / "takes_mirrored.glb")
    for take in ("walk", "run"):
        print(f"takes_mirrored.glb#{take}: {len(io.read(folder / f'takes_mirrored.glb#{take}'))} frames")

    # USD needs its library: pip install "segue[usd]". Without it Segue says so in a sentence.
    try:
        sg.save(joined, folder / "kick.usdc")
        print(f"kick.usdc: {(folder / 'kick.usdc').stat().st_size // 1024} kB, UsdSkel")
    except sg.SegueError as error:
        print(f"kick.usdc: {error}")

    # A file appears whole or not at all. FBX is read, not written, and Segue reports that before any work is done.
    try:
        sg.save(joined, folder / "kick.fbx")
    except sg.FileFormatError as error:
        print(str(error).replace(f"{folder}/", ""))
    view.plot_fills(joined, joined.fills, times=9).save(folder / "kick.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/11")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
