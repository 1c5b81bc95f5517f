"""A library as a motion graph: every good transition between clips, a walk through them, a path, and a picture.

Run it with: python examples/24_motion_graph.py [FOLDER] [FOLDER_OF_CLIPS]
"""

import sys
from pathlib import Path

import segue as sg
from segue.graph import BuildOptions
from segue.view import plot_strip
from segue.view.graph import draw_graph


def main(folder: Path, sources: Path) -> None:
    """Build the graph of the clips in a folder, and walk through it."""
    sg.Library.build(sources, folder / "my.lib")

    # Built again, only what is new is computed. `workers=2` builds on two processes.
    graph = sg.Graph.build(folder / "my.lib", folder / "my.graph", options=BuildOptions(tries=2))
    print(graph.describe())
    draw_graph(graph).save(folder / "graph.png")

    # A stroll: the same seed gives the same walk.
    walk = graph.walk(0.08, seed=1)
    for seam in walk.seams:
        print(f"  at {seam.start:.2f} s from {seam.first} to {seam.second}")
    sg.save(walk.motion, folder / "walk.bvh")
    plot_strip(graph.figure, walk.motion.poses, frames=12, fps=30.0, spacing=0.6).save(folder / "walk.png")

    # The best way from one clip to another.
    path = graph.path(graph.names[0], graph.names[-1])
    print("path:", " -> ".join(path.clips))
    sg.save(path.motion, folder / "path.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/24")
    target.mkdir(parents=True, exist_ok=True)
    clips = Path(sys.argv[2]) if len(sys.argv) > 2 else target / "clips"
    if len(sys.argv) <= 2:
        clips.mkdir(exist_ok=True)
        for name in ("stand", "salute", "reach", "wave"):
            sg.save(sg.clips.motion(name), clips / f"{name}.bvh")
    main(target, clips)
