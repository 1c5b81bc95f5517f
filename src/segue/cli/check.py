"""`segue check`: find faults in clips that a body with mass could not move by."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from segue import clips, io
from segue.cli.check_output import Checked, show_all, show_one, write_json, write_junit
from segue.cli.console import progress_bar, say
from segue.cli.run import read_script
from segue.cli.source import GroundName, ReadOptions, check_picture, grouped, load_motion, names_clip
from segue.errors import ArgumentError, SegueError
from segue.filesystem import writable_target
from segue.io.files import READERS
from segue.io.ground import ground_named
from segue.language import Session
from segue.motion.clip_source import ClipSource
from segue.motion.ground import AUTO, Ground
from segue.motion.motion import Motion
from segue.motion.options import ClipOptions
from segue.plausibility import CheckConfig, Observed, Report, Severity, examine, find_config, observe, read_config


@grouped
def check_clips(
    sources: Annotated[
        list[str], typer.Argument(metavar="CLIPS...", help="Clips, folders of clips, clips.NAME, or script files.")
    ],
    *,
    baseline: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE", help="The clip that the motion was made from, or a folder; repeatable."),
    ] = None,
    most: Annotated[
        list[str] | None,
        typer.Option(
            "--max", metavar="NAME=VALUE", help="A threshold, such as slide_cm=3 or slide_cm=3,6; repeatable."
        ),
    ] = None,
    strict: Annotated[bool, typer.Option(help="Let suspicious findings fail the check too.")] = False,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Thresholds; segue-check.toml beside the clip or above by default."),
    ] = None,
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write all reports as JSON; - prints them.")
    ] = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML for a CI server.")] = None,
    start: Annotated[float | None, typer.Option("--from", metavar="T", help="Look from this time on, in s.")] = None,
    stop: Annotated[float | None, typer.Option("--to", metavar="T", help="Look up to this time, in s.")] = None,
    ground: GroundName = AUTO,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it over time: .png, .svg or .pdf.")] = None,
    options: ReadOptions,
) -> None:
    """Find faults in motion: foot slide, sinks, pops, joint limits, flight, torques and more.

    The exit code is 0 without a fault, 1 with a fault (with --strict, with anything suspicious), 2 if the input is bad.

    Example: segue check clips/ --json report.json --junit report.xml
    """
    found, skipped = _gathered(sources), []
    if plot is not None:
        if len(found) != 1:
            raise ArgumentError(f"--plot draws one clip, and there are {len(found)}: name the clip to draw")
        check_picture(plot)
    for path in (None if json_file in (None, "-") else Path(str(json_file)), junit):
        if path is not None:
            writable_target(path)
    checker = _Checker(
        config=None if config is None else read_config(config),
        most=_thresholds(most or []),
        window=(start, stop),
        ground=given if isinstance(given := ground_named(ground), Ground) else None,
        load=lambda name, bars: _load(name, options, bars=bars),
    )
    checked = []
    alone = len(found) == 1 and not Path(found[0].root).is_dir()
    if alone:
        checked.append(checker.check(found[0], baseline or [], bars=True))
    else:
        with progress_bar("Checking") as advance:
            for done, clip in enumerate(found):
                advance(done, len(found), f"Checking {Path(clip.name).name}")
                if checker.config_of(clip.name).skips(clip.name):
                    skipped.append(clip.name)
                else:
                    checked.append(checker.try_check(clip, baseline or []))
    if plot is not None and checker.seen is not None and checked[0].report is not None:
        from segue.view.charts import plot_check as draw_checked  # pictures need a library that is slow to import

        draw_checked(checker.seen, checked[0].report).save(plot)
    if json_file is not None:
        write_json(checked, json_file)
    if junit is not None:
        write_junit(checked, junit, strict=strict)
    if json_file != "-":
        if alone and checked[0].report is not None:
            show_one(checked[0].report)
        else:
            show_all(checked)
        for name in skipped:
            say(f"skipped {name}: the configuration skips it")
    if code := _exit_code(checked, strict=strict):
        raise typer.Exit(code)


@dataclass(frozen=True)
class _Clip:
    """A clip on the command line. root: the argument that named it, which is a folder above it or the clip itself."""

    name: str
    root: str


@dataclass
class _Checker:
    """Checks clips one by one with the options of the command line. seen: observations of the last clip."""

    config: CheckConfig | None
    most: dict[str, object]
    window: tuple[float | None, float | None]
    ground: Ground | None
    load: Callable[[str, bool], Motion]
    seen: Observed | None = None
    configs: dict[Path, CheckConfig] = field(default_factory=dict)

    def config_of(self, name: str) -> CheckConfig:
        """Return the thresholds of a clip: from the options, or from the nearest file."""
        if self.config is not None:
            return self.config
        path = find_config(name)
        if path is None:
            return CheckConfig()
        if path not in self.configs:
            self.configs[path] = read_config(path)
        return self.configs[path]

    def check(self, clip: _Clip, baseline: Sequence[str], *, bars: bool) -> Checked:
        """Return the report on a clip."""
        since = time.perf_counter()
        config = self.config_of(clip.name)
        thresholds, added = config.thresholds_of(clip.name).changed(self.most), config.added.changed(self.most)
        self.seen = observe(self.load(clip.name, bars), self.ground)
        sources = [observe(self.load(_source_of(clip, each), bars), self.ground) for each in baseline]
        report: Report = examine(self.seen, *self.window, thresholds=thresholds, sources=sources, added=added)
        return Checked(clip.name, report, seconds=time.perf_counter() - since)

    def try_check(self, clip: _Clip, baseline: Sequence[str]) -> Checked:
        """Return the report on a clip, or the reason why the clip cannot be checked. Other clips are still checked."""
        try:
            return self.check(clip, baseline, bars=False)
        except SegueError as error:
            return Checked(clip.name, None, str(error))


def _gathered(sources: Sequence[str]) -> list[_Clip]:
    """Return the clips that arguments name, those of folders in order of their names."""
    found = []
    for source in sources:
        if not Path(source).is_dir():
            found.append(_Clip(source, source))
            continue
        inside = sorted(path for path in Path(source).rglob("*") if path.suffix.lower() in READERS and path.is_file())
        if not inside:
            raise ArgumentError(f"{source} holds no clips: files that can be read end in {', '.join(sorted(READERS))}")
        found += [_Clip(str(path), source) for path in inside]
    return found


def _source_of(clip: _Clip, baseline: str) -> str:
    """Return the source of a clip: the baseline itself or, if it is a folder, the clip of the same name in it."""
    if not Path(baseline).is_dir():
        return baseline
    inside = Path(clip.name).relative_to(clip.root) if Path(clip.root).is_dir() else Path(Path(clip.name).name)
    if not (Path(baseline) / inside).is_file():
        raise ArgumentError(f"{clip.name} has no baseline: there is no {inside} in {baseline}")
    return str(Path(baseline) / inside)


def _thresholds(given: Sequence[str]) -> dict[str, object]:
    """Return thresholds written as NAME=VALUE or NAME=SUSPICIOUS,FAULT."""
    found: dict[str, object] = {}
    for each in given:
        name, _, text = each.partition("=")
        try:
            values = [float(part) for part in text.split(",")]
        except ValueError:
            raise ArgumentError(f"--max {each} is not understood: write NAME=VALUE, such as slide_cm=3") from None
        found[name.strip()] = values[0] if len(values) == 1 else values
    CheckConfig().thresholds.changed(found)  # raises for bad names and values before any clip is read
    return found


def _exit_code(checked: Sequence[Checked], *, strict: bool) -> int:
    if any(each.report is None for each in checked):
        return 2
    least = Severity.SUSPICIOUS if strict else Severity.FAULT
    return int(any(each.report is not None and each.report.severity >= least for each in checked))


def _load(name: str, options: ClipOptions, *, bars: bool) -> Motion:
    """Return the motion of a clip or of a script; bars: whether to show progress."""
    if names_clip(name):
        if bars:
            return load_motion(name, options)
        built_in = name.startswith("clips.") and not Path(name).exists()
        clip = clips.clip(name.removeprefix("clips.")) if built_in else io.read(name)
        return Motion.from_clip(clip, options)
    value = Session(say=lambda _: None).run(read_script(Path(name)), name)
    if not isinstance(value, Motion):
        raise ArgumentError(f"{name} does not end in a motion: there is nothing to check")
    if bars and isinstance(value.source, ClipSource):
        with progress_bar("Fitting") as advance:
            value.fit(advance)
    return value
