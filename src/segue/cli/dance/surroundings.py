"""Where a simulated dance takes place, and what disturbs it: options that commands share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from segue.dance.behaviour.environment import read_environment
from segue.dance.simulation import Environment, Push
from segue.dance.simulation.environment import gravity_of
from segue.dance.simulation.push import read_pushes


@dataclass(frozen=True)
class Surroundings:
    """Where is danced, and what disturbs it."""

    environment: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Gravity and floor from an environment's file.")
    ] = None
    gravity: Annotated[str | None, typer.Option(metavar="PLACE", help="earth, moon, mars, or a number of m/s^2.")] = (
        None
    )
    mu: Annotated[float | None, typer.Option(metavar="N", help="Friction of the floor, such as 0.4.")] = None
    push: Annotated[
        list[str] | None,
        typer.Option(metavar="PUSH", help="Such as 't=3 s, 80 N, 0.1 s, left, chest'; may be given again."),
    ] = None
    pushes_file: Annotated[
        Path | None, typer.Option("--pushes", metavar="FILE", help="A file of pushes, one a line.")
    ] = None
    believed_mu: Annotated[
        float | None, typer.Option(metavar="N", help="What the dancer takes the friction for, if not for what it is.")
    ] = None

    def floor(self, usual: Path | None = None) -> Environment:
        """Return gravity and floor; usual: the environment's file that counts where none is given."""
        file = self.environment or usual
        found = Environment() if file is None else Environment.of(read_environment(file).floor)
        if self.gravity is not None:
            found = replace(found, gravity=gravity_of(self.gravity))
        if self.mu is not None:
            found = replace(found, friction=self.mu)
        return found if self.believed_mu is None else replace(found, believed_friction=self.believed_mu)

    def pushes(self) -> list[Push]:
        """Return the pushes, those of a file first."""
        read = [] if self.pushes_file is None else read_pushes(self.pushes_file)
        return [*read, *(Push.parse(phrase) for phrase in self.push or ())]
