"""`segue library`: an index of your own clips, from which gaps are filled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from segue.cli.console import command_group, progress_bar, say
from segue.cli.source import ReadOptionsWithoutMap, grouped
from segue.errors import ArgumentError, printable
from segue.io.files import READERS
from segue.library.build import Builder, BuildReport, remove_clips
from segue.library.inspection import KINDS, Inspection, Trouble, find_troubles, inspect_library
from segue.library.library import matching
from segue.library.store import Store
from segue.motion.options import ClipOptions

library_commands = command_group("library", "An index of your own clips, to fill gaps from.")

_INTERRUPTED = 130  # exit code of a command that was ended by Ctrl-C
_LISTED = 10
_WIDEST = 40  # characters of a clip's name beside the bar

LibraryFile = Annotated[Path, typer.Argument(metavar="LIB", help="The library's file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]


@library_commands.command(no_args_is_help=True)
@grouped
def build(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders of clips, with all below them.")],
    *,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="LIB", help="The library's file; made if need be.")],
    prune: Annotated[bool, typer.Option("--prune", help="Take out clips that are no longer in these folders.")] = False,
    options: ReadOptionsWithoutMap,
) -> None:
    """Index the clips in folders: make a library, or bring one up to date. Only new or changed files are read.

    Example: segue library build clips -o clips.lib
    """
    _build(out, folders, options, prune=prune)


@library_commands.command(no_args_is_help=True)
@grouped
def add(
    path: LibraryFile,
    sources: Annotated[list[Path], typer.Argument(metavar="FOLDER|CLIP...", help="Folders of clips, or clips.")],
    *,
    options: ReadOptionsWithoutMap,
) -> None:
    """Add folders or single clips to a library.

    Example: segue library add clips.lib walk.bvh
    """
    Store(path).check_readable()
    _build(path, sources, options, prune=False)


@library_commands.command(no_args_is_help=True)
def remove(
    path: LibraryFile,
    patterns: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of clips, or patterns as 'walk*'.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove clips from a library. Their files stay; a build adds them again while they are in its folders.

    Example: segue library remove clips.lib 'walk*' --yes
    """
    store = Store(path)
    names = [clip.name for clip in store.catalogue().sorted_clips]
    store.check_writable()
    chosen = matching(names, patterns)
    if not yes:
        for name in _some(sorted(chosen)):
            say(f"  {name}")
        try:
            sure = typer.confirm(f"Remove {_clips(len(chosen))} from {printable(str(path))}?")
        except typer.Abort:
            raise ArgumentError("pass --yes to remove the clips without asking") from None
        if not sure:
            say("nothing was removed")
            return
    remove_clips(path, chosen)
    say(f"{printable(str(path))}: {_clips(len(chosen))} taken out, {len(names) - len(chosen)} left")


@library_commands.command(no_args_is_help=True)
def info(path: LibraryFile, as_json: AsJson = False) -> None:
    """Describe a library: clips, minutes, skeletons, size, and the folders it was built from.

    Example: segue library info clips.lib
    """
    found = inspect_library(path)
    if as_json:
        skipped = {printable(record.source.file): record.reason for record in found.skipped}
        say(json.dumps(asdict(found) | {"skipped": skipped}, indent=2))
        return
    rows = [
        ("clips", f"{found.clips}, {found.seconds / 60:.1f} minutes" if found.clips else "none: build or add some"),
        ("skeletons", "; ".join(f"{name} ({count})" for name, count in found.skeletons.items())),
        ("bodies", f"{found.persons}, by the lengths of their bones" if found.clips else ""),
        ("left out", _left_out(found)),
        ("size", f"{found.size / 1e6:.1f} MB"),
        *(("folder", f"{printable(folder)} ({_clips(count)})") for folder, count in found.folders.items()),
        *(
            ("skipped", said)
            for said in _some([f"{printable(each.source.file)}: {each.reason}" for each in found.skipped])
        ),
        ("no longer on disk", ", ".join(_some(found.deleted))),
    ]
    _print_rows([row for row in rows if row[1]])


@library_commands.command(no_args_is_help=True)
def check(path: LibraryFile, as_json: AsJson = False) -> None:
    """Check everything in a library: list faults and remedies, with exit code 1 if there are faults.

    Example: segue library check clips.lib
    """
    found = find_troubles(path)
    if as_json:
        say(json.dumps([asdict(trouble) for trouble in found], indent=2))
    elif not found:
        say(f"{printable(str(path))}: nothing is wrong with {_clips(inspect_library(path).clips)}")
    else:
        _print_rows([(trouble.kind, f"{trouble.name}: {trouble.what}") for trouble in found])
        for advice in _advice(found, printable(str(path))):
            say(advice)
    if found:
        raise typer.Exit(1)


def _build(path: Path, sources: Sequence[Path], options: ClipOptions, *, prune: bool) -> None:
    """Bring a library up to date and report the result, also after Ctrl-C."""
    interrupted = False
    with progress_bar("Looking for clips") as advance:

        def show(done: int, total: int, name: str) -> None:
            advance(done, total, name if len(name) <= _WIDEST else f"...{name[3 - _WIDEST :]}")

        builder = Builder(path, sources, options=options, prune=prune, progress=show)
        try:
            builder.run()
        except KeyboardInterrupt:
            interrupted = True
    _print_rows(_report_rows(builder.report))
    found = inspect_library(path)
    say(f"{printable(str(path))}: {_clips(found.clips)}, {found.seconds / 60:.1f} minutes, {found.size / 1e6:.1f} MB")
    if found.clips == 0:
        say(f"no clip was found: files that can be read end in {', '.join(sorted(READERS))}")
    if interrupted:
        say("stopped: what was finished is in the library, and the same command goes on from there")
        raise typer.Exit(_INTERRUPTED)


def _report_rows(report: BuildReport) -> list[tuple[str, str]]:
    """Return the results of a build, a row for each kind."""
    lists = {
        "fitted, new": report.added,
        "fitted, changed": report.changed,
        "fitted, damaged before": report.mended,
        "moved": report.moved,
        "taken out": report.removed,
        "no longer on disk, kept": report.missing,
        "still damaged": report.damaged,
    }
    rows = [(what, f"{_clips(len(names))}: {', '.join(_some(names))}") for what, names in lists.items() if names]
    if report.unchanged:
        rows.append(("unchanged", _clips(report.unchanged)))
    rows += [("doubled", f"{name}: the same as {other}") for name, other in report.doubled]
    rows += [("skipped", f"{name}: {reason}") for name, reason in report.skipped]
    rows += [("skipped", f"{printable(each.path)}: {each.reason}") for each in report.unreadable]
    rows += [("note", f"{name}: {note}") for name, note in report.notes]
    return rows


def _advice(troubles: Sequence[Trouble], path: str) -> list[str]:
    """Return the remedies, a sentence for each kind of fault."""
    named = {kind: {trouble.name for trouble in troubles if trouble.kind == kind} for kind in KINDS}
    build = f"'segue library build FOLDER... -o {path}'"
    remove = f"'segue library remove {path} NAME'"
    sentences = {
        f"damaged clips: {build} with the folders of their files fits them again": named["damaged"],
        f"damaged and deleted ones: bring their files back, or {remove}": named["damaged"] & named["deleted"],
        f"changed clips: {build} with their folders fits them again": named["changed"],
        f"deleted clips can still be drawn on: {build} with the place they moved to finds them there, {remove} takes "
        "them out": named["deleted"] - named["damaged"],
    }
    return [sentence for sentence, names in sentences.items() if names]


def _left_out(found: Inspection) -> str:
    """Return how much of the clips is not used; an empty text if all is used."""
    share = found.seconds - found.usable
    return f"{share:.1f} s in which the capture is evidently bad" if share > 0 else ""


def _print_rows(rows: Sequence[tuple[str, str]]) -> None:
    """Print rows in two columns without wrapping, so that paths can be copied."""
    width = max((len(what) for what, _ in rows), default=0)
    for what, said in rows:
        say(f"{what:<{width}}  {said}")


def _clips(count: int) -> str:
    return "1 clip" if count == 1 else f"{count} clips"


def _some(names: Sequence[str]) -> list[str]:
    more = len(names) - _LISTED
    return [*names[:_LISTED], *([f"and {more} more"] if more > 0 else [])]
