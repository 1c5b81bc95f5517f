"""The classes of which all messages are."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """A message from a page. request: a number of the page's choice; the answers to this message carry it."""

    request: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class Reply:
    """A message from the engine. request: that of the message it answers; 0 where it answers none."""

    request: int = field(default=0, kw_only=True)
