"""Sentences of pages, docstrings, help and errors, in the words that a reader meets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^ *(```|~~~|:::|\$\$).*?^ *\1", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->")  # readers do not see them
_HEADING = re.compile(r"^#.*$", re.MULTILINE)
_ITEM = re.compile(r"(?:[-*+]|\d+\.)\s+|>\s*")
# code, formulas and the addresses of links are one word each, whatever is in them
_ONE_WORD = re.compile(r"``[^`]+``|`[^`]+`|\$[^$\n]+\$|\]\([^)\s]*\)")
# a stop, and then a capital letter, code, or the name of the next argument
_END = re.compile(
    r"[.?!][\"')*_`]*(?= (?:[\"'(*_\[]*[A-Z0-9\0]|[\"'][a-z]|"
    r"\*{0,2}\w+(?:, \*{0,2}\w+)*(?: ?\([^)]*\))*(?:, [^:.]{1,30})?: ))"
)
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|al|vs|Eq|Fig|pp?|cf)\.$")
_SUBJECT_CLAUSE = re.compile(r"[\"'(*_]*(?:Who|What|Where|Those|Whoever|Whatever)\b(?!.*\?$)")
_RIDDLE = re.compile(r"\b(?:is|are|was|were|be|been) (?:told(?! apart)|said)\b|(?<!there )\bis none\b")


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the file and line of the paragraph or string that it belongs to."""

    where: str
    text: str

    @property
    def words(self) -> int:
        """Count the words; code, a formula or a link's address is one word at most."""
        plain = re.sub(r"\]\([^)]*\)", "]", self.text)
        plain = _ONE_WORD.sub("code", plain)
        return sum(1 for word in plain.split() if re.search(r"\w", word))

    @property
    def begins_with_a_clause(self) -> bool:
        return bool(_SUBJECT_CLAUSE.match(self.text))

    @property
    def is_a_riddle(self) -> bool:
        return bool(_RIDDLE.search(_ONE_WORD.sub("code", self.text)))


def split(text: str) -> list[str]:
    """Split prose into sentences."""
    text = re.sub(r"\s+", " ", text).strip()
    kept: list[str] = []

    def hide(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    hidden = _ONE_WORD.sub(hide, text)
    pieces, start = [], 0
    for match in _END.finditer(hidden):
        if not _ABBREVIATION.search(hidden[start : match.end()]):
            pieces.append(hidden[start : match.end()])
            start = match.end()
    pieces.append(hidden[start:])
    shown = [re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], piece).strip() for piece in pieces]
    return [piece for piece in shown if piece]


def of_page(page: Path, name: str) -> Iterator[Sentence]:
    """Yield the sentences of the paragraphs, list items, captions and cells of a page in Markdown."""
    text = page.read_text(encoding="utf-8")
    text = _FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
    text = _COMMENT.sub("", text)
    text = _HEADING.sub("", text)  # a heading names a task or a thing and is no sentence
    for number, paragraph in _paragraphs(text):
        if paragraph.startswith("|"):
            cells = re.split(r"(?<!\\)\|", paragraph.strip("|"))
        else:
            cells = [re.sub(r"!\[", "[", paragraph)]
        for cell in cells:
            for sentence in split(cell):
                yield Sentence(f"{name}:{number}", sentence)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield each paragraph, list item or row of a table, with the line it begins on."""
    lines: list[str] = []
    first = 0
    in_list = False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        if not lines and line.startswith("    ") and not in_list:
            continue  # code by its indentation
        item = _ITEM.match(bare)
        if lines and (not bare or item or bare.startswith("|")):
            yield first, " ".join(lines)
            lines = []
        in_list = bool(item) or (in_list and (not bare or line.startswith(" ")))
        if bare.startswith("|"):
            if not re.fullmatch(r"[|\s:-]+", bare):
                yield number, bare
        elif bare:
            first = number if not lines else first
            lines.append(_ITEM.sub("", bare, count=1) if item else bare)


def of_module(file: Path, name: str) -> Iterator[Sentence]:
    """Yield the sentences of docstrings, help, warnings and errors: of every string of four words or more."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inside: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in inside or not isinstance(node, ast.JoinedStr | ast.BinOp | ast.Constant):
            continue
        inside |= {id(each) for each in ast.walk(node)}
        text = _prose(_string(node), node.col_offset)
        if text.count(" ") < 3:
            continue
        for paragraph in re.split(r"\n\s*\n|\n\s*[-*] ", text):
            for sentence in split(paragraph):
                yield Sentence(f"{name}:{node.lineno}", sentence)


def _string(node: ast.expr) -> str:
    """Return a string or f-string; each value that is put in counts as one word."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_string(each) if isinstance(each, ast.Constant) else "`x`" for each in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _string(node.left) + _string(node.right)
    return ""


def _prose(text: str, column: int) -> str:
    """Return a string without what is no prose: style sheets and programs, and indented code in docstrings."""
    if re.search(r"[{};]\s*\n", text):
        return ""
    lines = text.splitlines()
    margin = min([column, *(len(line) - len(line.lstrip()) for line in lines[1:] if line.strip())])
    kept, code = [], False
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        before = lines[number - 1].strip() if number else ""
        code = bool(line.strip()) and number > 0 and indent >= margin + 4 and (code or not before)
        kept.append("" if code else line)
    return "\n".join(kept)
