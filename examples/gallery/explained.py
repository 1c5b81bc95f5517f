"""Draw pictures that explain: faults and their repair as films, operators, joints of a file, degrees of freedom.

Run it with: python -m examples.gallery.explained docs/pictures [NAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import font_manager
from matplotlib.figure import SubFigure
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

import segue as sg
from examples.gallery.films import reduce_colours, save_film
from segue import clips, view
from segue.body.human import HUMAN
from segue.body.roles import find_roles
from segue.curves import quaternion
from segue.cycle.travel import headings
from segue.plausibility import Report
from segue.typing import Array
from segue.view.camera import View
from segue.view.dance_figures import COUPLE_COLOURS, dancer_tints, fitting_view, in_one_scene, still
from segue.view.expressions import draw_timeline
from segue.view.flesh import solids
from segue.view.picture import Picture, blank, course
from segue.view.render import Image, render
from segue.view.strips import Fill, by_segment

_RATE = 15.0
_SIZE = (380, 380)
_TABLE = 350  # pixels beside a film, for a table
_RED, _INK, _FAINT = (200, 30, 30), (40, 40, 40), (120, 120, 120)
_PUSHED = 4.0  # s
MIXAMO = {
    "pelvis": "mixamorig:Hips",
    "torso": "mixamorig:Spine",
    "head": "mixamorig:Head",
    **{
        f"{side}_{segment}": f"mixamorig:{side.title()}{name}"
        for side in ("left", "right")
        for segment, name in (
            ("clavicle", "Shoulder"),
            ("upper_arm", "Arm"),
            ("forearm", "ForeArm"),
            ("hand", "Hand"),
            ("thigh", "UpLeg"),
            ("shank", "Leg"),
            ("foot", "Foot"),
            ("toes", "ToeBase"),
        )
    },
}
"""Names of Mixamo, by segments of the figure."""

_SIDE = view.Camera(-75.0, 9.0, 4.5)


def mend(path: Path) -> None:
    """Draw an arm that trembles for 0.3 s, and the repaired arm, beside each other."""
    clip = clips.clip("walk")
    arm = clip.skeleton.index("left_upper_arm")
    bad = np.flatnonzero((clip.times >= 1.25) & (clip.times <= 1.55))
    rotations = clip.rotations.copy()
    shaking = 0.6 * np.random.default_rng(7).standard_normal((len(bad), 3))
    rotations[bad, arm] = quaternion.multiply(rotations[bad, arm], quaternion.exp(shaking))
    damaged = sg.Motion.from_clip(sg.Clip.from_arrays(clip.skeleton, clip.positions, rotations, clip.fps))
    mended = sg.fill(damaged, [(1.2, 1.6)])
    motions = {"captured: the left arm trembles": damaged, "filled from 1.2 to 1.6 s": mended}
    _film(path, motions, 0.8, 2.1, view.Camera(60.0, 9.0, 5.0), fills={"filled from 1.2 to 1.6 s": mended.fills})


def loop(path: Path) -> None:
    """Draw a stride cut at rough times and repeated, beside the loop that is made of it."""
    walk = clips.walk
    part = sg.trim(walk, 0.7, 1.6)
    naive = part
    for _ in range(2):
        end = naive.at([naive.stop]).root[0]
        naive = sg.concatenate(naive, sg.move_to(part, (float(end[0]), float(end[2]))))
    made = sg.repeat(sg.make_loop(walk, 0.6, 1.7), duration=naive.duration)
    _film(path, {"cut and repeated: it jumps": naive, "made a loop": made}, 0.2, 2.6, _SIDE)


def check(path: Path) -> None:
    """Draw a foot that slides, with the finding of `segue check` while it happens."""
    clip = clips.clip("walk")
    share = np.clip((clip.times - 1.05) / 0.4, 0.0, 1.0)
    positions = clip.positions.copy()
    positions[:, 0, 0] += 0.1 * share * share * (3.0 - 2.0 * share)
    shoved = sg.Motion.from_clip(sg.Clip.from_arrays(clip.skeleton, positions, clip.rotations, clip.fps))
    report = sg.check(shoved)
    slide = report.measures.slide.worst
    assert slide is not None
    animation = view.animate(shoved, fps=12.0, size=_SIZE, start=0.6, stop=1.9, camera=view.Camera(15.0, 12.0, 4.5))
    (stage,) = animation.stages
    frames = []
    for k, time in enumerate(animation.times):
        image = Pillow.fromarray(animation.frame(k))
        canvas = Pillow.new("RGB", (image.width + _TABLE, image.height), "white")
        canvas.paste(image, (0, 0))
        pen = ImageDraw.Draw(canvas)
        if slide.start <= time <= slide.stop:
            foot = shoved.figure.point(slide.point, stage.poses[k : k + 1])
            x, y = stage.view.moved(stage.way[k]).pixels(foot)[0]
            pen.ellipse((x - 22, y - 22, x + 22, y + 22), outline=_RED, width=3)
        if time >= slide.start:
            _write_findings(pen, report, image.width)
        frames.append(canvas)
    save_film(path, frames, 12.0)


def _write_findings(pen: ImageDraw.ImageDraw, report: Report, left: int) -> None:
    """Write the first rows of the table that `segue check` prints."""
    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans Mono"), 12)
    rows = [("$ segue check walk.bvh", _INK), (f"{'measure':18} {'value':>6} {'':8} severity", _FAINT)]
    for finding in report.findings[:9]:
        words = f"{finding.measure:18} {finding.value:6.1f} {finding.unit:8} {finding.severity}"
        rows.append((words, _RED if finding in report.faults else _INK))
    for k, (words, shade) in enumerate(rows):
        pen.text((left + 8, 70 + 22 * k), words, fill=shade, font=font)


def push(path: Path) -> None:
    """Draw two pushes of a simulated dancer, each with its arrow: the dance goes on, or ends in a fall."""
    from segue.dance import plan
    from segue.dance.simulation import Push, simulate

    steps = plan("swing/single basic")
    motions = {}
    for newtons, end in ((80.0, "the dance goes on"), (400.0, "a fall")):
        shove = Push(time=_PUSHED, force=newtons, duration=0.1, direction="left")
        motions[f"{newtons:.0f} N for 0.1 s: {end}"] = simulate(steps, pushes=[shove]).motion
    animation = view.animate(motions, fps=12.0, size=_SIZE, start=3.6, stop=6.2, camera=view.Camera(10.0, 12.0, 6.0))
    frames = []
    for k, time in enumerate(animation.times):
        canvas = Pillow.fromarray(animation.frame(k))
        pen = ImageDraw.Draw(canvas)
        for n, stage in enumerate(animation.stages):
            if _PUSHED <= time < _PUSHED + 0.25:
                pose = stage.poses[k : k + 1]
                places, _ = stage.figure.forward(pose)
                chest = places[0, stage.figure.layout.segments.index("head")] - [0.0, 0.25, 0.0]
                (heading,) = headings(pose.balls[:, 0])
                side = np.array([np.cos(heading), 0.0, -np.sin(heading)])
                ends = stage.view.moved(stage.way[k]).pixels(np.stack([chest - 0.7 * side, chest - 0.12 * side]))
                ends += [n * _SIZE[0], canvas.height - _SIZE[1]]
                (x0, y0), (x1, y1) = ends
                pen.line((x0, y0, x1, y1), fill=(200, 30, 30), width=7)
                along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
                across = np.array([-along[1], along[0]])
                tip = [ends[1] + 14 * along, ends[1] + 10 * across, ends[1] - 10 * across]
                pen.polygon([(float(x), float(y)) for x, y in tip], fill=(200, 30, 30))
        frames.append(canvas)
    save_film(path, frames, 12.0)


def couple(path: Path) -> None:
    """Draw a simulated couple that dances two bars of the waltz's box step, both in one scene."""
    from segue.dance import preview_couple
    from segue.dance.simulation.couple import simulate_couple

    danced = list(simulate_couple(preview_couple("waltz/box step")).motions.values())
    times = np.arange(2.0, 6.0, 1.0 / 12.0)
    poses = [motion.at(times) for motion in danced]
    middles = 0.5 * (poses[0].root + poses[1].root)
    scenes = [
        in_one_scene([(motion.figure, still(each, k, middles[k])) for motion, each in zip(danced, poses, strict=True)])
        for k in range(len(times))
    ]
    seen = fitting_view(scenes, view.Camera(60.0, 14.0, None), _SIZE, (0.03, 0.03, 0.05))
    tints = dancer_tints(COUPLE_COLOURS)
    save_film(path, [Pillow.fromarray(render(scene, tints, seen)) for scene in scenes], 12.0)


def operators(path: Path) -> None:
    """Draw what each operator makes of a walk and a wave, as time lines with figures."""
    walk, arm = clips.walk, sg.retime(sg.only(clips.wave, "right_arm"), 0.8, duration=1.6)
    hole = sg.retime(sg.only(clips.wave, "right_arm"), 0.5, duration=2.2)
    after = sg.retime(clips.wave, 1.1, duration=2.0)
    shown: tuple[tuple[str, sg.Motion], ...] = (
        ("walk - wave: the arm is undefined, a gap", walk - arm),
        ("walk + wave: both define the arm, a conflict", walk + arm),
        ("walk & wave: both, where both are defined", walk & arm),
        (
            "concatenate(walk, wave, gap=0.5)",
            sg.concatenate(sg.trim(walk, 0, 1.2), sg.trim(clips.wave, 0, 1.4), gap=0.5),
        ),
        ("override(wave, walk): the wave wins", sg.override(arm, walk)),
        ("blend(walk, wave): a cross-fade", sg.blend(sg.trim(walk, 0, 1.7), after)),
        ("(walk - longer) + wave: gaps on both sides", (walk - hole) + arm),
        ("fill_gaps(...): the gaps are filled", sg.fill_gaps((walk - hole) + arm)),
    )
    canvas = blank((15.0, 14.0))
    places = np.asarray(canvas.subfigures(4, 2, height_ratios=(1.0, 1.0, 2.0, 2.0))).ravel()
    for place, (title, motion) in zip(places, shown, strict=True):
        assert isinstance(place, SubFigure)
        place.suptitle(title, x=0.03, ha="left", fontweight="bold")
        short = any(place is each for each in places[:4])
        above, below = np.asarray(place.subfigures(2, 1, height_ratios=(9.0, 1.0) if short else (1.0, 1.0)))
        draw_timeline(above, motion)
        if short:
            continue
        if sg.gaps(motion):
            below.text(0.5, 0.6, "no figure: an arm has no value in the gaps", ha="center", va="center", color="0.4")
            continue
        frames = np.linspace(0.3, 2.7, 6) * motion.fps
        axes = below.add_axes((0.0, 0.0, 1.0, 0.86))
        drawn = view.plot_strip(
            motion.figure, motion.poses, frames=[round(k) for k in frames], fps=motion.fps, spacing=0.75
        )
        axes.imshow(drawn.pixels())
        axes.axis("off")
    Picture(canvas).save(path)


def mapping(path: Path) -> None:
    """Draw a skeleton with names of Mixamo beside the figure, each joint in the colour of its role."""
    motion = clips.walk
    zero = sg.Poses.zero(1)
    posed = sg.Motion.from_poses(motion.figure, sg.Poses.from_rows(np.repeat(zero.rows, 2, axis=0)), 30.0).to_clip()
    names = tuple(MIXAMO.get(name, name) for name in posed.skeleton.names)
    skeleton = sg.Skeleton(names, posed.skeleton.parents, posed.skeleton.offsets)
    places = posed.world[0][0]
    roles = find_roles(skeleton).named(skeleton)
    tints = dict(zip(roles, course("blue to red", len(roles)), strict=True))
    by_joint = {name: role for role, joints in roles.items() for name in joints.split(", ")}
    canvas = blank((14.0, 7.5), constrained=True)
    left, middle, right = canvas.subplots(1, 3, width_ratios=(2.2, 2.0, 1.5))
    for j, parent in enumerate(skeleton.parents):
        if parent >= 0:
            left.plot(*places[[parent, j], :2].T, color="0.75", linewidth=2, zorder=1)
    for name, place in zip(names, places, strict=True):
        left.scatter(*place[:2], color=[tints.get(by_joint.get(name, ""), (0.4, 0.4, 0.4))], s=80, zorder=2)
        arm = name.endswith(("Shoulder", "Arm", "Hand"))  # along one line, where level names would overlap
        away = 1 if place[0] >= 0 else -1
        left.annotate(
            name.removeprefix("mixamorig:"),
            place[:2],
            xytext=(2 * away if arm else 7 * away, -9 if arm else 2),
            textcoords="offset points",
            fontsize=8,
            ha="left" if away > 0 else "right",
            rotation=-60 * away if arm else 0,
            rotation_mode="anchor",
        )
    left.set_title("a file with Mixamo's names")
    left.set_aspect("equal")
    colours = np.array([tints[by_joint[MIXAMO[segment]]] for segment in motion.figure.layout.segments])
    middle.imshow(_standing(motion.figure, 700, colours)[0])
    middle.set_title("the figure with 44 degrees of freedom")
    for each in (left, middle, right):
        each.axis("off")
    for k, (role, joints) in enumerate(roles.items()):
        words = f"{role:16}{joints.removeprefix('mixamorig:')}"
        right.text(0.0, 0.97 - 0.97 * k / len(roles), words, color=tints[role],
                   family="monospace", fontsize=8, transform=right.transAxes, va="top")  # fmt: skip
    right.set_title("segue info: role and joint", loc="left")
    Picture(canvas).save(path)


def degrees_of_freedom(path: Path) -> None:
    """Draw the figure in its zero pose, with the axis, the sign and the limits of each degree of freedom."""
    figure = sg.Figure.standard(1.75)
    image, seen = _standing(figure, 1000)
    joints, _ = figure.forward(_standing_pose(figure))
    canvas = blank((15.0, 11.0))
    axes = canvas.add_axes((0.24, 0.02, 0.54, 0.92))
    axes.imshow(image)
    axes.axis("off")
    rows: dict[str, list[tuple[float, float, str]]] = {"left": [], "right": []}
    for joint, place in zip(HUMAN.joints, joints[0], strict=True):
        if joint.name.startswith("right_"):
            continue  # the same as on the left, with the same signs
        x, y = seen.pixels(place[None])[0]
        words = [f"{joint.name}: ball joint, 3 DOF"] if not joint.hinges else []
        words = ["root: position, rotation, 6 DOF"] if joint.name == "root" else words
        for hinge in joint.hinges:
            tip = seen.pixels((place + 0.16 * np.array(hinge.axis))[None])[0]
            axes.annotate("", tip, (x, y), arrowprops={"arrowstyle": "-|>", "color": "#b3541e", "lw": 1.8})
            low, high = np.degrees([hinge.limit.low, hinge.limit.high])
            words.append(f"{hinge.name.removeprefix('left_')}: {low:+.0f} to {high:+.0f} degrees")
        axes.scatter(x, y, s=60 if joint.hinges else 150, color="#1e5fb3", zorder=3)
        side = "right" if place[0] > 0.01 else "left"
        rows[side].append((x, y, "\n".join(words)))
    for side, found in rows.items():
        edge, ha = (image.shape[1] * 1.02, "left") if side == "right" else (-image.shape[1] * 0.02, "right")
        found.sort(key=lambda row: row[1])
        for k, (x, y, label) in enumerate(found):
            height = image.shape[0] * (k + 0.5) / len(found)
            axes.annotate(label, (x, y), (edge, height), ha=ha, va="center", fontsize=10,
                          arrowprops={"arrowstyle": "-", "color": "0.6", "lw": 0.8}, annotation_clip=False)  # fmt: skip
    canvas.suptitle("Arrows are axes: a positive angle turns right-handed about them. The right side mirrors the left.")
    Picture(canvas).save(path)


def _standing_pose(figure: sg.Figure) -> sg.Poses:
    """Return the zero pose with the soles on the floor."""
    pose = sg.Poses.zero(1)
    pose.root[:, 1] = -figure.point("left_heel", pose)[0, 1]
    return pose


def _standing(figure: sg.Figure, height: int, tints: Array | None = None) -> tuple[Image, View]:
    """Return the figure in its zero pose, and the view in which it is drawn. tints: (segments, 3), silver if None."""
    shapes = solids(figure, _standing_pose(figure), np.zeros((1, 3)))
    seen = view.Camera(20.0, 14.0).framing(*shapes.spheres(), height)
    return render(shapes, by_segment(course("silver", 1))[0] if tints is None else tints, seen), seen


def _film(
    path: Path,
    motions: Mapping[str, sg.Motion],
    start: float,
    stop: float,
    camera: view.Camera,
    fills: Mapping[str, Iterable[Fill]] | None = None,
) -> None:
    """Draw motions beside each other, at three quarters of their speed."""
    animation = view.animate(
        motions,
        fills=fills or (),
        fps=_RATE,
        speed=0.75,
        size=_SIZE,
        start=start,
        stop=stop,
        camera=camera,
        follow=True,
    )
    save_film(path, [Pillow.fromarray(frame) for frame in animation.frames()], _RATE)


PICTURES: dict[str, Callable[[Path], None]] = {
    "mend.webp": mend,
    "loop.webp": loop,
    "check.webp": check,
    "push.webp": push,
    "couple.webp": couple,
    "operators.png": operators,
    "mapping.png": mapping,
    "degrees_of_freedom.png": degrees_of_freedom,
}


def main(folder: Path, names: Sequence[str]) -> None:
    """Draw the pictures with these names, or all."""
    for name in names or PICTURES:
        PICTURES[name](folder / name)
        if name.endswith(".png"):
            reduce_colours(folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
