"""Reading the HIERARCHY part: joints, their offsets and channels, End Sites, nested as deep as the file likes."""

from __future__ import annotations

from dataclasses import dataclass, field

from segue.io.bvh.record import CHANNELS, POSITION, EndSite, Source, quoted

Vector = tuple[float, float, float]

_MOST_POSITIONS = _MOST_ROTATIONS = 3


@dataclass
class Hierarchy:
    """The joints of a file in file order, parents before children."""

    names: list[bytes]
    parents: list[int]
    offsets: list[Vector]
    channels: list[tuple[str, ...]]
    ends: list[EndSite]


@dataclass
class _Joint:
    """A joint whose closing brace has not come yet."""

    index: int
    name: bytes
    at: int
    children: int = 0
    offset: Vector | None = None
    channels: tuple[str, ...] | None = None
    ends: list[EndSite] = field(default_factory=list)


def read_hierarchy(source: Source) -> Hierarchy:
    """Read from the start of a file up to and including the word MOTION."""
    word, at = source.word()
    if word.upper() != b"HIERARCHY":
        found = quoted(word) if word else "nothing"
        raise source.error(f"it begins with {found}: a BVH file begins with the word HIERARCHY", at)
    return _HierarchyReader(source).read()


class _HierarchyReader:
    """The joints so far, and a stack of those still open: no recursion, so that depth has no limit."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found = Hierarchy([], [], [], [], [])
        self.open: list[_Joint] = []

    def read(self) -> Hierarchy:
        while True:
            word, at = self.source.word()
            keyword = word.upper()
            if not self.open:
                if keyword == b"MOTION" and self.found.names:
                    return self.found
                self._outside(keyword, word, at)
            else:
                self._inside(self.open[-1], keyword, word, at)

    def _outside(self, keyword: bytes, word: bytes, at: int) -> None:
        """Take a word between the closed trees."""
        if keyword == b"ROOT":
            self._open_joint(at)
        elif not self.found.names:
            found = quoted(word) if word else "the end of the file"
            raise self.source.error(f"{found} follows HIERARCHY, where the first ROOT must stand", at)
        elif not word:
            raise self.source.error("the file ends after the hierarchy: it has no MOTION block with frames", at)
        elif keyword == b"}":
            raise self.source.error("'}' closes nothing: there are more closing braces than opening ones", at)
        else:
            raise self.source.error(f"{quoted(word)} stands where ROOT or MOTION is needed", at)

    def _inside(self, joint: _Joint, keyword: bytes, word: bytes, at: int) -> None:
        """Take a word between the braces of a joint."""
        if keyword == b"OFFSET":
            self._check_early(joint, "OFFSET", joint.offset is not None, at)
            joint.offset = self._offset(joint)
        elif keyword == b"CHANNELS":
            self._check_early(joint, "CHANNELS", joint.channels is not None, at)
            joint.channels = self._channels(joint)
        elif keyword == b"JOINT":
            self._settle(joint)
            joint.children += 1
            self._open_joint(at)
        elif keyword in (b"END", b"ENDSITE"):
            self._settle(joint)
            joint.ends.append(self._end_site(joint, keyword, at))
        elif keyword == b"}":
            self._settle(joint)
            self.found.ends += joint.ends
            self.open.pop()
        elif not word or keyword == b"MOTION":
            found = quoted(word) if word else "the end of the file"
            line = self.source.place(joint.at)[0]
            raise self.source.error(
                f"{found} comes before the '}}' of joint {quoted(joint.name)}, which was opened in line {line}", at
            )
        elif word.lower().decode("latin-1") in CHANNELS:
            raise self.source.error(
                f"{quoted(word)} is one channel more than CHANNELS announces for joint {quoted(joint.name)}", at
            )
        else:
            raise self.source.error(
                f"{quoted(word)} stands in joint {quoted(joint.name)}, "
                "where OFFSET, CHANNELS, JOINT, End Site or '}' is needed",
                at,
            )

    def _open_joint(self, at: int) -> None:
        name, name_at = self.source.name()
        if not name:
            raise self.source.error("a joint has no name: one must follow on the same line", name_at)
        self._brace(f"after the name of joint {quoted(name)}")
        self.found.names.append(name)
        self.found.parents.append(self.open[-1].index if self.open else -1)
        self.open.append(_Joint(len(self.found.names) - 1, name, at))

    def _brace(self, where: str) -> None:
        word, at = self.source.word()
        if word != b"{":
            found = f"{quoted(word)} stands" if word else "the file ends"
            raise self.source.error(f"{found} {where}, where '{{' is needed", at)

    def _check_early(self, joint: _Joint, what: str, repeated: bool, at: int) -> None:
        if repeated:
            raise self.source.error(f"joint {quoted(joint.name)} has a second {what}: one is needed", at)
        if joint.children or joint.ends:
            # the columns of the frames follow the order in which joints begin
            raise self.source.error(
                f"{what} of joint {quoted(joint.name)} comes after a joint or End Site inside it: it must come before",
                at,
            )

    def _settle(self, joint: _Joint) -> None:
        """Enter the joint's offset and channels, once they can no longer come."""
        if len(self.found.offsets) > joint.index:
            return
        if joint.offset is None:
            raise self.source.error(
                f"joint {quoted(joint.name)} has no OFFSET: three numbers must say where it sits on its parent",
                joint.at,
            )
        self.found.offsets.append(joint.offset)
        self.found.channels.append(joint.channels or ())

    def _offset(self, joint: _Joint) -> Vector:
        x, y, z = (self.source.number(f"{axis} of the OFFSET of joint {quoted(joint.name)}") for axis in "xyz")
        return x, y, z

    def _channels(self, joint: _Joint) -> tuple[str, ...]:
        count = self._channel_count(joint, _MOST_POSITIONS + _MOST_ROTATIONS)
        names: list[str] = []
        for _ in range(count):
            word, at = self.source.word()
            name = word.decode("latin-1")
            if name.lower() not in CHANNELS:
                found = quoted(word) if word else "the end of the file"
                raise self.source.error(
                    f"{found} is no channel of joint {quoted(joint.name)}: "
                    f"CHANNELS announces {count} of Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation",
                    at,
                )
            self._check_channel(joint, [CHANNELS[each.lower()] for each in names], name, at)
            names.append(name)
        return tuple(names)

    def _channel_count(self, joint: _Joint, most: int) -> int:
        word, at = self.source.word()
        # the length first: a number of a million digits takes long to convert
        if word.isdigit() and len(word) < 10 and int(word) <= most:
            return int(word)
        found = quoted(word) if word else "the end of the file"
        wish = f"a count from 0 to {most}" if most else "no count but 0"
        raise self.source.error(f"{found} follows CHANNELS of joint {quoted(joint.name)}, where {wish} is possible", at)

    def _check_channel(self, joint: _Joint, before: list[tuple[str, int]], name: str, at: int) -> None:
        kind, axis = CHANNELS[name.lower()]
        if kind == POSITION and (kind, axis) in before:
            raise self.source.error(f"joint {quoted(joint.name)} has {name} twice: one value is needed an axis", at)
        if kind != POSITION and sum(other == kind for other, _ in before) == _MOST_ROTATIONS:
            raise self.source.error(
                f"{name} is a fourth rotation channel of joint {quoted(joint.name)}: at most three are possible", at
            )

    def _end_site(self, joint: _Joint, keyword: bytes, at: int) -> EndSite:
        site = f"the End Site of joint {quoted(joint.name)}"
        words, words_at = self.source.name()
        if keyword == b"END":
            if not words.upper().startswith(b"SITE"):
                found = quoted(words) if words else "nothing"
                raise self.source.error(f"{found} follows End, where Site is needed", words_at)
            words = words[len(b"SITE") :].strip()
        if words:
            self.source.note(f"{quoted(words)} after {site} is dropped: it can have no name", at)
        self._brace(f"after {site}")
        offset: Vector | None = None
        while (word := self.source.word())[0] != b"}":
            inner = word[0].upper()
            if inner == b"OFFSET" and offset is None:
                offset = self._offset(joint)
            elif inner == b"CHANNELS":
                self._channel_count(joint, most=0)
            else:
                found = quoted(word[0]) if word[0] else "the end of the file"
                raise self.source.error(f"{found} stands in {site}, which has one OFFSET and then '}}'", word[1])
        if offset is None:
            self.source.note(f"{site} has no OFFSET, so its length is zero", at)
        return EndSite(joint.index, joint.children, offset or (0.0, 0.0, 0.0))
