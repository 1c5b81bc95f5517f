"""`segue dance`: ballroom dance from notation."""

from __future__ import annotations

from collections.abc import Callable

from segue.cli.console import command_group
from segue.cli.dance.behaviour_files import dancer_commands, environment_commands
from segue.cli.dance.floor import share_floor
from segue.cli.dance.patterns import check, copy, delete, list_patterns, new, show
from segue.cli.dance.preview import preview_patterns
from segue.cli.dance.sheets import draw_plan, draw_steps, draw_symbols
from segue.cli.dance.simulate import simulate_patterns

__all__ = ["dance"]

dance = command_group("dance", "Ballroom dance from notation: patterns, plans, previews, and simulated dances.")
dance.command("list")(list_patterns)
_COMMANDS: dict[str, Callable[..., None]] = {
    "show": show,
    "new": new,
    "copy": copy,
    "check": check,
    "delete": delete,
    "plan": draw_plan,
    "preview": preview_patterns,
    "simulate": simulate_patterns,
    "analyse": draw_steps,
    "symbols": draw_symbols,
    "floor": share_floor,
}
for _name, _command in _COMMANDS.items():
    dance.command(_name, no_args_is_help=True)(_command)
dance.add_typer(dancer_commands)
dance.add_typer(environment_commands)
