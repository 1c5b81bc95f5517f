"""Keyframes that improve themselves: a run and a jump onto a step, and a kick of one's own.

The scene of the step is the file examples/13_step.toml. Run it with: python examples/13_keyframes.py [FOLDER]
"""

import sys
from pathlib import Path

import segue as sg
from segue.motion.box import Box
from segue.view.box_scene import deepest_moment, plot_steps


def main(folder: Path) -> None:
    """Let keyframes become motions, and look at them before and after."""
    run, height = sg.clips.run, 0.35

    # Eight poses of a run, the last four of them raised onto a step. Frame times are free: the jump takes longer.
    on_floor = [sg.Key.from_motion(run, at) for at in (0.0, 0.175, 0.35, 0.525)]
    on_step = [sg.Key.from_motion(run, at, time=at + 0.1).moved([0.0, height, 0.0]) for at in (0.7, 0.875, 1.05, 1.225)]
    keys, step = [*on_floor, *on_step], Box.step(height, near=2.05, far=6.0)

    # Before: the plain C2 spline. A foot goes through the step.
    plain = sg.interpolate(keys)
    moment, depth = deepest_moment(plain, [step])
    print(f"the spline has a foot {100 * depth:.1f} cm inside the step at {moment:.2f} s")

    # After: the same keyframes, met exactly, and everything between them better.
    better = sg.inbetween(keys, ground=0.0, boxes={"step": step})
    found = sg.inbetween_report(better)
    print(f"improved, {100 * deepest_moment(better, [step])[1]:.2f} cm, after {found.iterations} iterations")
    for name, value in found.after.items():
        print(f"  {name}: {found.before[name]:.3g} before, {value:.3g} after")

    # Of some joints alone, in degrees; what nobody speaks of is left to others.
    arm = sg.inbetween(
        [
            sg.Key.from_angles(0.0, {"right_shoulder": [0, 0, 65], "right_elbow_flexion": 15}),
            sg.Key.from_angles(0.6, {"right_shoulder": [0, 0, -40], "right_elbow_flexion": 100}),
            sg.Key.from_angles(1.2, {"right_shoulder": [0, 0, 65], "right_elbow_flexion": 15}),
        ]
    )
    greeting = sg.fill_gaps(sg.retime(arm, 1.0) + (sg.clips.walk - sg.retime(arm, 0.7, duration=1.8)))
    print(f"an arm is raised on a walk: {greeting.duration:.1f} s, {len(greeting.fills)} gaps filled")

    sg.save(better, folder / "step.bvh")
    sg.save(greeting, folder / "greeting.bvh")
    times = [each.time for each in keys]
    for name, motion in (("before", plain), ("after", better)):
        plot_steps(motion, [step], keys=times, shown=[moment]).save(folder / f"{name}.png")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/13")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
