"""The clips of a library while it is being changed: found by where they are, by content, and by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from segue.library.record import ClipOptions, ClipRecord, Source, unique_name

__all__ = ["Catalogue"]

Content = tuple[str, ClipOptions]


class Catalogue:
    """Records of clips, each with a source and a name of its own."""

    def __init__(self, records: Iterable[ClipRecord] = ()) -> None:
        self._records: dict[tuple[str, str], ClipRecord] = {}
        self._contents: dict[Content, dict[tuple[str, str], ClipRecord]] = {}
        self._names: set[str] = set()
        for record in records:
            self.put(record)

    def __iter__(self) -> Iterator[ClipRecord]:
        return iter(self._records.values())

    def get(self, key: tuple[str, str]) -> ClipRecord | None:
        """Return the clip of a source."""
        return self._records.get(key)

    def put(self, record: ClipRecord) -> ClipRecord:
        """Take in a clip, in place of the one of the same source; return it with the name that it has now."""
        self.pop(record.source.key)
        if record.name in self._names:
            record = replace(record, name=self.new_name(record.source))
        self._records[record.source.key] = record
        self._contents.setdefault(_content(record.source), {})[record.source.key] = record
        self._names.add(record.name)
        return record

    def pop(self, key: tuple[str, str]) -> ClipRecord | None:
        """Take out the clip of a source, and return it."""
        record = self._records.pop(key, None)
        if record is not None:
            del self._contents[_content(record.source)][key]
            self._names.remove(record.name)
        return record

    def alike(self, source: Source) -> list[ClipRecord]:
        """Return the clips with the content of a source that were taken in the same way."""
        return list(self._contents.get(_content(source), {}).values())

    def new_name(self, source: Source) -> str:
        """Return a name for a clip that no other has."""
        return unique_name(source, self._names)


def _content(source: Source) -> Content:
    return source.checksum, source.options
