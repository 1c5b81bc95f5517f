"""The motion expression language [Rose1996, section 4]: grammar, syntax tree, interpreter and prompt.

Scripts are data: they reach clips below one folder and nothing else, and what they may use is bounded by `Limits`.
`register_function` adds functions of one's own, each a `Function` with its `Parameter`s.

    from segue.language import evaluate
    motion = evaluate("retime(clips.wave, 1) + clips.walk")
"""

from segue.language.effects import timeline
from segue.language.errors import LanguageError, LimitError
from segue.language.limits import Limits
from segue.language.parser import parse
from segue.language.session import Session, evaluate
from segue.language.signature import (
    ANY,
    JOINTS,
    MOTION,
    MOTIONS,
    NUMBER,
    POINT,
    TEXT,
    Context,
    Function,
    Kind,
    Parameter,
)
from segue.language.table import FUNCTIONS, register_function
from segue.language.values import Value, describe

__all__ = [
    "ANY",
    "FUNCTIONS",
    "JOINTS",
    "MOTION",
    "MOTIONS",
    "NUMBER",
    "POINT",
    "TEXT",
    "Context",
    "Function",
    "Kind",
    "LanguageError",
    "LimitError",
    "Limits",
    "Parameter",
    "Session",
    "Value",
    "describe",
    "evaluate",
    "parse",
    "register_function",
    "timeline",
]
