"""Walk, wave, walk on: motions put together by operators, as in figure 6 of Rose et al. (1996).

The same in the language: examples/03_walk_wave_walk.segue. Run it with: python examples/03_walk_wave_walk.py [FOLDER]
"""

import sys
from pathlib import Path

import segue as sg
from segue import view


def main(folder: Path) -> None:
    """Compose the motion and draw its time line and its frames."""
    walk, wave = sg.clips.walk, sg.clips.wave

    # One second of waving, the arm alone.
    wave_arm = sg.trim(sg.only(wave, "right_arm"), 1.0, 2.0)

    # The walk loses its arm for 1.5 s, and the wave of 1 s is put in between: joints know when they are defined.
    without = walk - sg.retime(wave_arm, 1.0, 1.5)
    composed = sg.retime(wave_arm, 1.3) + without
    for gap in sg.gaps(composed):
        print(f"gap: {gap}")
    view.plot_timeline(composed).save(folder / "composed.png")

    # A gap has no value, and a conflict has two: both are told with joints and times.
    try:
        composed.at([1.1])
    except sg.SegueError as error:
        print(f"before filling: {error}")
    both = walk + sg.retime(wave_arm, 1.0)
    print(f"conflict: {sg.conflicts(both)[0]}")
    assert not sg.conflicts(sg.override(sg.retime(wave_arm, 1.0), walk))

    # fill_gaps fills every gap as the arm of a walking body with mass would move; nothing else changes.
    waving = sg.fill_gaps(composed)
    assert not sg.gaps(waving)
    for report in waving.fills:
        print(f"filled {report.start:g} to {report.stop:g} s: {report.status}, {report.iterations} iterations")

    view.plot_fills(waving, waving.fills, times=10).save(folder / "walk_wave_walk.png")
    sg.save(waving, folder / "walk_wave_walk.bvh")


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/03")
    target.mkdir(parents=True, exist_ok=True)
    main(target)
