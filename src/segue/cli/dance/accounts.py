"""What is written down of a simulated dance besides its motion: a report, series over time, a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from segue.cli.pictures import check_picture
from segue.dance.simulation import SimulatedDance
from segue.dance.simulation.couple import SimulatedCouple
from segue.dance.simulation.series import check_series, write_series
from segue.errors import ArgumentError
from segue.filesystem import atomic_write, writable_target


@dataclass(frozen=True)
class Accounts:
    """What is written down of a dance besides its motion."""

    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write how it went: landings, slips, torques, ... as .json.")
    ] = None
    series: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write torques, forces and centres over time: .npz or .csv.")
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw beats, floor, forces and energy: .png, .svg or .pdf.")
    ] = None

    def check(self, files: Sequence[Path], *, couple: bool = False) -> None:
        """Say now, before any work is done, if a file could not be written; files: those of the motion."""
        if couple and self.series is not None:
            raise ArgumentError("series over time are written of one dancer: leave --series out, or --couple")
        if self.report is not None:
            writable_target(self.report)
        if self.series is not None:
            check_series(self.series)
        if self.plot is not None:
            check_picture(self.plot)
        wanted = [*files, *(file for file in (self.report, self.series, self.plot) if file is not None)]
        for k, file in enumerate(wanted):
            if file.resolve() in [other.resolve() for other in wanted[:k]]:
                raise ArgumentError(f"{file} would be written twice: give each thing that is written a file of its own")

    def write(self, dance: SimulatedDance) -> None:
        """Write what is wanted of one dancer's dance."""
        self._write_report(dance.report())
        if self.series is not None:
            write_series(dance, self.series)
        if self.plot is not None:
            from segue.view.dance_simulation import simulated_dance  # pictures need a library that is slow to import

            simulated_dance(dance).save(self.plot)

    def write_couple(self, danced: SimulatedCouple) -> None:
        """Write what is wanted of a couple's dance."""
        self._write_report(danced.report())
        if self.plot is not None:
            from segue.view.dance_simulation import simulated_couple

            simulated_couple(danced).save(self.plot)

    def _write_report(self, report: dict[str, Any]) -> None:
        if self.report is not None:
            with atomic_write(self.report) as beside:
                beside.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8", newline="\n")
