"""The clips that the gallery is made from, and captured ones where they are at hand."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import segue as sg
from segue import clips, view
from segue.gallery.exhibit import Exhibit, Shown, Workshop

__all__ = ["REAL", "built_in_clips", "captured_clips"]

REAL = ("soccer_kick_10_01", "dive_roll_127_23", "dance1_subject2")
"""Real clips that are shown where they are at hand."""


def built_in_clips(shop: Workshop) -> Exhibit:
    """Draw every built-in clip, and where the feet of those that travel stand."""
    shown: list[Shown] = []
    files: list[str] = []
    for k, name in enumerate(clips.NAMES):
        shop.tell(f"clips.{name}", k / len(clips.NAMES))
        motion = clips.motion(name)
        strip = view.strip(motion.figure, motion.poses, frames=7, fps=motion.fps, height=shop.height(220))
        shown.append(shop.picture(f"clip_{name}.png", strip, f"clips.{name}"))
        files += shop.motion(name, motion, ".bvh", ".glb")
    for name in ("walk", "run"):
        motion = clips.motion(name)
        prints = view.footprints(motion.figure, motion.poses, fps=motion.fps)
        shown.append(shop.picture(f"clip_{name}_footprints.svg", prints, f"Footprints of clips.{name}"))
    return Exhibit(
        "The motions that all of this is made from",
        "The paper began with a library of motion capture.",
        "Ours comes with seven clips, made by rule from published gait data, so that nothing need be downloaded; any "
        "BVH or glTF file does as well.",
        tuple(shown),
        tuple(files),
    )


def captured_clips(shop: Workshop, mocap: Path) -> Exhibit | None:
    """Draw captured clips of people, fitted; None where there are none."""
    paths: Sequence[Path] = [path for name in REAL for path in sorted(mocap.glob(f"*/{name}.bvh"))]
    if not paths:
        return None
    shown, files, distances = [], [], []
    for k, path in enumerate(paths):
        shop.tell(path.stem, k / len(paths))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sg.SegueWarning)
            motion = sg.load(path)
            film = view.filmstrip(motion.figure, motion.poses, fps=motion.fps, height=shop.height(170))
        shown.append(shop.picture(f"{path.stem}.png", film, path.stem))
        sg.save(motion, shop.out / f"{path.stem}.glb", fps=30.0)
        files.append(f"{path.stem}.glb")
        distances.append(motion.report().mean_cm)
    return Exhibit(
        "Captured people",
        "The paper fits its figure of 44 degrees of freedom to captured markers.",
        f"Ours is fitted to captured skeletons, whoever made them: joints lie {max(distances):.1f} cm from their "
        "places or less, on average over a clip.",
        tuple(shown),
        tuple(files),
    )
