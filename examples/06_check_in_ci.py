"""Check every clip of a folder, as a build would: a line for each, a picture of those with a fault, and the exit code.

On the command line `segue check FOLDER --junit report.xml` does this, with thresholds from segue-check.toml.
Run it with: python examples/06_check_in_ci.py [FOLDER]
"""

import sys
from pathlib import Path

import segue as sg
from segue.plausibility import Thresholds, examine, observe
from segue.view.charts import plot_check

# Stricter than the defaults, which let captured clips pass: these clips are made, not captured.
THRESHOLDS = Thresholds(slide_cm=3.0, drag_cm=3.0, penetration_cm=2.0)


def failures(folder: Path) -> dict[str, list[str]]:
    """Return the faults of each clip of a folder, and draw the clips that have any."""
    wrong: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.bvh")):
        try:
            seen = observe(sg.load(file))
        except sg.SegueError as error:  # one sentence on what is wrong, where, and what would be right
            wrong[file.name] = [str(error)]
            continue
        report = examine(seen, thresholds=THRESHOLDS)
        print(f"{file.name:<16} {report.severity}")
        if report.faults:
            wrong[file.name] = report.problems()
            plot_check(seen, report).save(file.with_suffix(".png"))
    return wrong


def main(folder: Path) -> int:
    """Put good and bad clips into a folder and check them; return the exit code that a build would see."""
    for name in ("walk", "wave", "run"):
        sg.save(sg.clips.clip(name), folder / f"{name}.bvh")
    # a transition of one step's length, forced upon a foot that has to get elsewhere: it slides
    hasty = sg.transition(sg.clips.walk, sg.clips.walk, 0.25, leave=2.0, enter=0.55, mode="pinned")
    sg.save(hasty, folder / "hasty.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\n", encoding="utf-8")

    wrong = failures(folder)
    for name, problems in wrong.items():
        for problem in problems:
            print(f"  {name}: {problem}")

    # compared with the walk that it was made from, only what the transition adds counts
    for problem in sg.check(hasty, baseline=sg.clips.walk).problems():
        print(f"  added to the walk: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/06")
    target.mkdir(parents=True, exist_ok=True)
    print(f"exit code: {main(target)}")  # a build would call sys.exit with it
