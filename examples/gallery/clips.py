"""Built-in and captured clips of the gallery, and a gap that is filled from a library of clips."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

import segue as sg
from examples.gallery.exhibit import Exhibit, Shown, Workshop
from segue import clips, view
from segue.filling import distance_map
from segue.library import Library

_CAPTURED = ("soccer_kick_10_01", "dive_roll_127_23", "salsa_61_01")

_TIME_SCALES = tuple(0.8 + 0.04 * k for k in range(11) if k != 5)  # of the built-in walks in a library
_PERIODS = 60
_GAP = (1.0, 1.9)  # s of the walk that are filled from the library


def built_in_clips(shop: Workshop) -> Exhibit:
    """Draw every built-in clip, and the footprints of the clips that travel."""
    shown: list[Shown] = []
    files: list[str] = []
    for k, name in enumerate(clips.NAMES):
        shop.report(f"clips.{name}", k / len(clips.NAMES))
        motion = clips.motion(name)
        strip = view.plot_strip(motion.figure, motion.poses, frames=7, fps=motion.fps, height=shop.height(220))
        shown.append(shop.picture(f"clip_{name}.png", strip, f"clips.{name}"))
        files += shop.motion(name, motion, ".bvh", ".glb")
    for name in ("walk", "run"):
        motion = clips.motion(name)
        prints = view.plot_footprints(motion.figure, motion.poses, fps=motion.fps)
        shown.append(shop.picture(f"clip_{name}_footprints.svg", prints, f"Footprints of clips.{name}"))
    return Exhibit(
        "The built-in clips",
        "The paper began with a library of motion capture.",
        "Segue comes with seven clips, made by rule from published gait data, so that you need no download; any BVH "
        "or glTF file works as well.",
        tuple(shown),
        tuple(files),
    )


def captured_clips(shop: Workshop, captured: Mapping[str, Path]) -> Exhibit | None:
    """Draw captured clips on the fitted figure. captured: files by name. Return None if none of them is there."""
    paths = [captured[name] for name in _CAPTURED if name in captured]
    if not paths:
        return None
    shown, files, distances = [], [], []
    for k, path in enumerate(paths):
        shop.report(path.stem, k / len(paths))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sg.SegueWarning)
            motion = sg.load(path)
            film = view.plot_filmstrip(motion.figure, motion.poses, fps=motion.fps, height=shop.height(170))
        shown.append(shop.picture(f"{path.stem}.png", film, path.stem))
        sg.save(motion, shop.out / f"{path.stem}.glb", fps=30.0)
        files.append(f"{path.stem}.glb")
        distances.append(motion.report().mean_cm)
    return Exhibit(
        "Captured people",
        "The paper fits its figure of 44 degrees of freedom to captured markers.",
        f"Segue fits its figure to captured skeletons: the mean distance of the joints over a clip is at most "
        f"{max(distances):.1f} cm.",
        tuple(shown),
        tuple(files),
    )


def filled_from_library(shop: Workshop) -> Exhibit:
    """Draw a gap, the matches in a library, the result beside the truth, and the distance map of two motions."""
    library = _library()
    filled = sg.fill(clips.walk, [_GAP], library=library, prior="library", use_own_frames=False)
    plain = sg.fill(clips.walk, [_GAP], prior="none")
    sheet = view.plot_library_fill(
        filled, library, truth=clips.walk, others={"least effort": plain}, height=shop.height(132)
    )
    shop.report("cut points", 0.6)
    cuts = sg.cut_points(clips.walk, clips.run)
    compared = distance_map(clips.walk, clips.run, cuts[0].duration)
    plan = view.plot_distance_map(clips.walk, clips.run, compared, cuts, names=("walk", "run"))
    (report,) = filled.fills
    return Exhibit(
        "From your own clips: a step that least effort would not take",
        "The paper fills a gap from its two ends alone, and people choose the cut points.",
        f"Segue searches {len(library)} other clips: frames similar to both ends of the gap show how people "
        f"get across it ({report.match}), and similar frames of two motions are good cut points.",
        (
            shop.picture("library_fill.png", sheet, "The gap, the matches found, the result beside the truth"),
            shop.picture("library_map.png", plan, "Distance of every two frames of two motions, and the cut points"),
        ),
        shop.motion("library_fill", filled, ".bvh"),
        {"the result": shop.page("library_fill.html", filled, "Filled from a library")},
    )


def _library() -> Library:
    """Return a library with mirrored walks at other speeds among other clips."""
    endless = sg.repeat(sg.make_loop(sg.mirror(clips.walk)), _PERIODS)
    walks = {f"walk at {100 / scale:.0f} %": sg.retime(endless, 0.0, scale) for scale in _TIME_SCALES}
    return Library.from_motions({**walks, **{name: clips.motion(name) for name in ("run", "kick", "stand")}})
