"""A script as a document: text, revisions, undo by gestures, and a file with an autosave beside it.

The autosave `.name.segue~` is written after every change that ends a gesture, and removed when the file itself is
saved. After a crash it holds the newest text.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from segue.errors import ArgumentError
from segue.filesystem import atomic_write, read_bytes
from segue.language.memory import stamp
from segue.serve.requests import Change

_STEPS = 1000  # of undo
_LONGEST = 100_000  # characters, as `Limits.characters`


def utf16(text: str, offset: int) -> int:
    """Return an offset in characters as an offset in UTF-16 code units."""
    return offset if text.isascii() else len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def changed_text(text: str, changes: tuple[Change, ...]) -> str:
    """Return a text with spans replaced; offsets count UTF-16 code units of the text before all changes."""
    units = text.encode("utf-16-le", "surrogatepass")
    end, parts = 0, []
    for change in sorted(changes, key=lambda each: (each.start, each.stop)):
        if not end <= change.start <= change.stop <= len(units) // 2:
            raise ArgumentError(
                f"the change from {change.start} to {change.stop} does not fit the text: spans must lie in it and must "
                "not overlap"
            )
        parts += [units[2 * end : 2 * change.start], change.text.encode("utf-16-le", "surrogatepass")]
        end = change.stop
    made = b"".join([*parts, units[2 * end :]])
    try:
        found = made.decode("utf-16-le")
    except UnicodeDecodeError as error:
        raise ArgumentError("the change cuts a character in two") from error
    if len(found) > _LONGEST:
        raise ArgumentError(f"the text would have {len(found):,} characters: at most {_LONGEST:,} are allowed")
    return found


def autosave_of(file: Path) -> Path:
    """Return the path of a file's autosave."""
    return file.with_name(f".{file.name}~")


def read_script_file(file: Path) -> str:
    """Return the text of a script; raise if it is no UTF-8 text."""
    try:
        return read_bytes(file, 4 * _LONGEST).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArgumentError(f"{file.name} is no text in UTF-8") from error


@dataclass
class _Gesture:
    name: str
    rev: int
    text: str


class Document:
    """The text of a script with its history. `rev` grows with every change of the text, also by undo.

    file: where it is saved; None for a text that has no file yet.
    """

    def __init__(self, text: str, file: Path | None = None) -> None:
        self.text = text
        self.rev = 1
        self.file = file
        self.texts: dict[int, str] = {1: text}
        self._saved = text
        self._stamp = None if file is None else stamp(file)
        self._undo: list[str] = []
        self._redo: list[str] = []
        self._gesture: _Gesture | None = None
        self._unnamed: Path | None = None

    @classmethod
    def open(cls, file: Path) -> tuple[Document, str | None]:
        """Return the document of a file, and the text of a newer autosave if a crash left one."""
        document = cls(read_script_file(file), file)
        beside = autosave_of(file)
        if not beside.is_file():
            return document, None
        recovered = read_script_file(beside)
        return document, None if recovered == document.text else recovered

    @classmethod
    def unnamed(cls, text: str, name: Path) -> tuple[Document, str | None]:
        """Return a document without a file, and what a crash left of one; name: the file that it would have.

        The text is kept in the autosave of that file until it is saved.
        """
        document = cls(text)
        document._unnamed = name
        beside = autosave_of(name)
        recovered = read_script_file(beside) if beside.is_file() else None
        return document, None if recovered == text else recovered

    @property
    def gesture(self) -> str:
        """The name of the open gesture, "" for none."""
        return "" if self._gesture is None else self._gesture.name

    @property
    def base(self) -> int:
        """The revision that the edits of the open gesture refer to, 0 for none."""
        return 0 if self._gesture is None else self._gesture.rev

    @property
    def can_undo(self) -> bool:
        """Whether there is a step back."""
        return bool(self._undo) or (self._gesture is not None and self._gesture.text != self.text)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step forward."""
        return bool(self._redo)

    @property
    def unsaved(self) -> bool:
        """Whether the file has another text."""
        return self.text != self._saved

    def edit(self, rev: int, changes: tuple[Change, ...], gesture: str = "", done: bool = False) -> bool:
        """Change the text; return False, and change nothing, if the changes refer to another revision.

        The changes of a gesture refer to the text before it: see `requests.Edit`.
        """
        if self._gesture is not None and gesture == self._gesture.name and rev == self._gesture.rev:
            self._set(changed_text(self._gesture.text, changes))
        elif rev != self.rev:
            return False
        else:
            made = changed_text(self.text, changes)
            self.commit()
            self._gesture = _Gesture(gesture, rev, self.text)
            self._set(made)
        if done or not gesture:
            self.commit()
        return True

    def commit(self) -> None:
        """End the open gesture and make it one step of undo."""
        if self._gesture is None:
            return
        before, self._gesture = self._gesture.text, None
        if before != self.text:
            self._undo = [*self._undo, before][-_STEPS:]
            self._redo.clear()
            self.autosave()

    def revert(self) -> None:
        """End the open gesture and restore the text before it."""
        if self._gesture is not None:
            before, self._gesture = self._gesture.text, None
            self._set(before)

    def undo(self) -> None:
        """Go back one step, if there is one."""
        self.commit()
        if self._undo:
            self._redo.append(self.text)
            self._set(self._undo.pop())
            self.autosave()

    def redo(self) -> None:
        """Go forward one step, if there is one."""
        self.commit()
        if self._redo:
            self._undo.append(self.text)
            self._set(self._redo.pop())
            self.autosave()

    def replace(self, text: str) -> None:
        """Set the whole text, as one step of undo."""
        self.commit()
        if text != self.text:
            self._undo = [*self._undo, self.text][-_STEPS:]
            self._redo.clear()
            self._set(text)
            self.autosave()

    def changed_outside(self) -> str | None:
        """Return the text of the file if another program changed it to something else."""
        if self.file is None:
            return None
        now = stamp(self.file)
        if now == self._stamp or now is None:
            return None
        theirs = read_script_file(self.file)
        if theirs == self._saved:
            self._stamp = now
            return None
        return theirs

    def accept_outside(self) -> None:
        """Take the file's present state as known, so that the next save replaces it."""
        if self.file is not None:
            self._stamp, self._saved = stamp(self.file), read_script_file(self.file)

    def save(self, file: Path | None = None) -> None:
        """Write the text to its file or to another one, which is its file from then on."""
        self.commit()
        target = file or self.file
        if target is None:
            raise ArgumentError("the script has no file yet: give it a name that ends in .segue")
        _write(target, self.text)
        for before in (self.file, self._unnamed):
            if before is not None:
                autosave_of(before).unlink(missing_ok=True)
        self._unnamed = None
        self.file, self._saved, self._stamp = target, self.text, stamp(target)

    def autosave(self) -> None:
        """Write the text beside the file; the autosave is removed if it says what the file says."""
        name = self.file or self._unnamed
        if name is None:
            return
        if self.unsaved:
            _write(autosave_of(name), self.text)
        else:
            autosave_of(name).unlink(missing_ok=True)

    def _set(self, text: str) -> None:
        self.text = text
        self.rev += 1
        self.texts[self.rev] = text
        self.texts.pop(self.rev - _STEPS, None)


def _write(file: Path, text: str) -> None:
    with atomic_write(file) as beside:
        beside.write_bytes(text.encode("utf-8", "surrogatepass"))
