"""`make demo`: what Segue does today, on its built-in clips and on real ones where they are at hand.

Makes pictures and files in a folder, and ends by saying where to look.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from scipy.interpolate import CubicSpline

import segue as sg
from segue import clips, gallery, view
from segue.body.joints import DOF_NAMES
from segue.dynamics import FigureTree, inverse_dynamics
from segue.language import evaluate, parse
from segue.language.operators_seen import operator_of

_FIGURE_6 = """wave_arm = clip(select(clips.wave, right_arm), 1, 2)
affine(wave_arm, 1.3) + (clips.walk - affine(wave_arm, 1.0, 1.5))
"""
_REAL = ("soccer_kick_10_01", "dive_roll_127_23", "dance1_subject2")
_REAL_CHAIN = ("soccer_kick_10_03", "walk_69_02", "soccer_kick_11_01", "soccer_kick_10_01")


def main() -> None:
    """Make the gallery."""
    options = argparse.ArgumentParser(description="Make pictures and files that show what Segue does.")
    options.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for pictures and files")
    options.add_argument("--mocap", type=Path, default=Path("../shared/mocap"), help="folder with real clips, if any")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    real = [path for name in _REAL for path in sorted(given.mocap.glob(f"*/{name}.bvh"))]
    console = Console(highlight=False)
    table = Table("clip", "joints", "frames", "mean distance", "95 % below", title="The figure fitted to each clip")
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("Making the gallery", total=len(clips.NAMES) + len(real) + 4)
        for name in clips.NAMES:
            _show_clip(name, given.out, table)
            progress.advance(task)
        for path in real:
            _show_real(path, given.out, table)
            progress.advance(task)
        _show_composition(given.out)
        progress.advance(task)
        _show_transitions(given.out)
        progress.advance(task)
        _show_animations(given.out, given.mocap)
        progress.advance(task)
        peak = _peak_torque("left_knee_flexion")
        progress.advance(task)
    console.print(table)
    console.print(f"Swinging its legs as in the walk, off the floor, takes the figure up to {peak:.0f} N m at a knee.")
    console.print(
        f"Look into {given.out}: figure_*.png show transitions, animation.png six motions joined; "
        "*.bvh and *.glb are the motions, edited.bvh has one changed arm."
    )


def _show_clip(name: str, out: Path, table: Table) -> None:
    motion = sg.Motion.from_clip(clips.clip(name))
    sg.save(motion, out / f"{name}.bvh")
    sg.save(motion, out / f"{name}.glb")
    view.strip(motion.figure, motion.poses, fps=motion.fps).save(out / f"{name}.png")
    if name in ("walk", "run"):
        view.footprints(motion.figure, motion.poses, fps=motion.fps).save(out / f"{name}_footprints.png")
        view.curves(motion.poses, fps=motion.fps).save(out / f"{name}_curves.png")
    _add_row(table, f"clips.{name}", motion)


def _show_real(path: Path, out: Path, table: Table) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        motion = sg.load(path)
    view.filmstrip(motion.figure, motion.poses, fps=motion.fps).save(out / f"{path.stem}.png")
    sg.save(motion, out / f"{path.stem}.glb", fps=30.0)
    _add_row(table, path.stem, motion)


def _add_row(table: Table, name: str, motion: sg.Motion) -> None:
    report = motion.report()
    joints = len(motion.take.clip.skeleton)
    table.add_row(name, str(joints), str(report.frames), f"{report.mean_cm:.2f} cm", f"{report.p95_cm:.2f} cm")


def _show_composition(out: Path) -> None:
    """Draw figure 6 of the paper: a wave put into a walk, before the gaps are filled."""
    composed = evaluate(_FIGURE_6)
    assert isinstance(composed, sg.Motion), "the script ends in a motion"
    view.timeline(composed).save(out / "figure_6_timeline.png")
    (out / "figure_6.segue").write_text(_FIGURE_6, encoding="utf-8")
    view.operator_tree(operator_of(parse(_FIGURE_6))).save(out / "figure_6_tree.png")
    walk = sg.clips.walk
    poses = walk.at(walk.times[60:120])
    poses.hinge("left_elbow_flexion")[:] += 0.9 * np.sin(np.linspace(0.0, np.pi, 60)) ** 2
    patch = sg.Motion.from_poses(walk.figure, poses, walk.fps, start=float(walk.times[60]))
    sg.save(sg.prefer(patch, walk), out / "edited.bvh")


def _show_transitions(out: Path) -> None:
    """Draw the figures of the paper that show transitions."""
    gallery.draw_transition(out)
    gallery.draw_arm(out)
    gallery.draw_forearm(out)
    gallery.draw_feet(out)


def _show_animations(out: Path, mocap: Path) -> None:
    """Join six motions by five transitions, built-in ones, and real ones where they are at hand."""
    kick, walk = sg.clips.kick, sg.clips.walk
    built_in = (
        gallery.Cut("salute", sg.clips.salute),
        gallery.Cut("walk", walk, 0.3, 0.4),
        gallery.Cut("kick", kick, 0.7, 1.0),
        gallery.Cut("walk", sg.mirror(walk), 0.2, 0.4),
        gallery.Cut("kick with the other leg", sg.mirror(kick), 0.7, 1.0),
        gallery.Cut("run", sg.clips.run, 0.1),
    )
    sg.save(gallery.draw_animation(built_in, out / "animation.png"), out / "animation.bvh")
    found = [path for name in _REAL_CHAIN for path in sorted(mocap.glob(f"*/{name}.bvh"))]
    if len(found) < len(_REAL_CHAIN):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.SegueWarning)
        short, way, long, other = (sg.load(path) for path in found)
    real = (
        gallery.Cut("soccer kick", short, 0.0, 0.6),
        gallery.Cut("walk", way, 0.0, 0.9),
        gallery.Cut("soccer kick of another", long, 0.7, 0.2),
        gallery.Cut("walk", sg.mirror(way), 0.8, 0.3),
        gallery.Cut("soccer kick", other, 0.9, 0.6),
        gallery.Cut("walk", way),
    )
    sg.save(gallery.draw_animation(real, out / "animation_captured.png"), out / "animation_captured.bvh")


def _peak_torque(dof: str) -> float:
    """Return the largest torque of one joint over the walk, in N m, with nothing but the root held up."""
    walk = sg.clips.walk
    model = FigureTree.about(walk.figure, walk.poses)
    curve = CubicSpline(walk.times, model.coordinates(walk.poses))
    q, qd, qdd = (curve(walk.times, order) for order in range(3))
    return float(np.abs(inverse_dynamics(model.tree, q, qd, qdd)[:, DOF_NAMES.index(dof)]).max())


if __name__ == "__main__":
    main()
