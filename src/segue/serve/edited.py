"""The protocol of all that pages edit: the script, and text files beside it."""

from __future__ import annotations

from typing import Protocol

from segue.serve.client import Client
from segue.serve.document import Document
from segue.serve.replies import Conflict
from segue.serve.requests import Change, Drag, Edit, Footprint


class Edited(Protocol):
    """A text with its document."""

    document: Document
    conflict: Conflict | None

    @property
    def original(self) -> bool:
        """Whether the file comes with Segue and can only be read."""
        ...

    @property
    def file_name(self) -> str:
        """The name that messages have for the file, "" for a script without one."""
        ...

    def changed(self, request: int = 0, by: Client | None = None) -> None:
        """Read the text after a change, and tell all pages."""
        ...

    def tell_document(self, request: int = 0, by: Client | None = None, *, refused: bool = False) -> None:
        """Tell all pages the present text; the page that asked gets its request's number."""
        ...


def change(edited: Edited, client: Client, request: Edit | Drag | Footprint, changes: tuple[Change, ...]) -> None:
    """Change a text by spans for a page, and tell all pages, unless the spans are those of another revision."""
    if edited.document.edit(request.rev, changes, request.gesture, request.done):
        client.held = edited.document, edited.document.base
        edited.changed(request.request, client)
    else:
        edited.tell_document(request.request, client, refused=True)
