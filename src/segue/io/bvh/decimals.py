"""Tables of decimal numbers, text to floats and back, exact to the last bit, at hundreds of megabytes a second.

Both ways rest on one fact, the fast path of W. Clinger, "How to read floating point numbers accurately", PLDI 1990: an
integer below 2^53 and a power of ten up to 10^22 are exact as doubles. So their one product or quotient is the
correctly rounded value of the decimal. Other numbers take the interpreter's routines, slower and always correct.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

import numpy as np
import numpy.typing as npt

from segue.compiled import compiled
from segue.typing import Array

Bytes = npt.NDArray[np.uint8]

_TAB, _LINE_FEED, _FORM_FEED, _CARRIAGE_RETURN, _BLANK = b"\t\n\f\r "
_PLUS, _MINUS, _POINT, _DIGIT_ZERO, _DIGIT_NINE, _LARGE_E, _SMALL_E = b"+-.09Ee"
_ZERO, _NINE, _TEN = np.uint64(_DIGIT_ZERO), np.uint64(9), np.uint64(10)

_EXACT_INTEGER = np.uint64(2**53)
_LARGEST_WHOLE = 2.0**53
_EXACT_POWER = 22
_FAR_OUTSIDE = 10**9
_POWERS_OF_TEN = 10.0 ** np.arange(_EXACT_POWER + 1)
_MOST_DIGITS = 19  # any more could overflow 64 bits

_BLOCK = 1 << 20  # bytes parsed at a time
_BLOCK_NUMBERS = 1 << 16  # numbers printed at a time
_WIDEST = 27  # characters: sign, zero, point, 22 decimals and the blank after; or 16 digits and a point
_ROW = re.compile(rb"[^\r\n]*\S[^\r\n]*")
_ZERO_DECIMAL = re.compile(r"\.0(?= |$)")
_LONGEST_PLAIN = 64  # characters: a longer number keeps its exponent, since readers with fixed buffers exist


def parse_rows(data: bytes, start: int, columns: int) -> tuple[Array, int]:
    """Return the rows (T, columns) of numbers from a byte on, and where the row that is no such row begins, or -1.

    Lines end in LF, CR or both; empty lines do not count. A bad row has too few or too many numbers, something that is
    no number, or one too large for a float; the rows before it are not returned.
    """
    text = np.frombuffer(data, dtype=np.uint8)
    parts = [np.empty(0)]
    values = np.empty(0)
    for begin, end in _line_blocks(data, start):
        most = (end - begin) // 2 + 1  # a number needs at least a digit and a blank
        if most > len(values):
            values = np.empty(most)
        count, exact, bad = _parse_block(text[begin:end], columns, values)
        if bad >= 0:
            return np.empty((0, columns)), begin + bad
        parts.append(values[:count].copy() if exact else np.fromstring(data[begin:end], sep=" "))
        too_large = np.isinf(parts[-1])
        if too_large.any():
            row = int(too_large.argmax()) // columns
            return np.empty((0, columns)), next(islice(_ROW.finditer(data, begin, end), row, None)).start()
    return np.concatenate(parts).reshape(-1, columns), -1


def _line_blocks(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of blocks that end with a line."""
    while start < len(data):
        end = start + _BLOCK
        if end < len(data):
            newline = max(data.rfind(b"\n", start, end), data.rfind(b"\r", start, end))
            if newline < 0:
                newline = min((at for at in (data.find(b"\n", end), data.find(b"\r", end)) if at >= 0), default=-1)
            end = newline + 1 if newline >= 0 else len(data)
        yield start, min(end, len(data))
        start = end


@compiled(seconds=1)
def _parse_block(text: Bytes, columns: int, values: Array) -> tuple[int, bool, int]:
    """Parse whole lines; return how many numbers, whether all are exact, and the start of the first bad line or -1.

    A number outside the exact range is checked like any other, but its value is left for a slower parser.
    """
    size = len(text)
    at = line = count = in_row = 0
    exact = True
    while at < size:
        c = text[at]
        if c in (_LINE_FEED, _CARRIAGE_RETURN):
            if in_row != 0 and in_row != columns:
                return count, exact, line
            at += 1
            line, in_row = at, 0
            continue
        if c == _BLANK or _TAB <= c <= _FORM_FEED:
            at += 1
            continue
        if in_row == columns:
            return count, exact, line
        negative = c == _MINUS
        if c in (_PLUS, _MINUS):
            at += 1
        mantissa = np.uint64(0)
        digits, digits_before_point = 0, -1
        while at < size:
            digit = np.uint64(text[at]) - _ZERO  # unsigned: what lies below "0" becomes huge
            if digit <= _NINE:
                mantissa = mantissa * _TEN + digit
                digits += 1
            elif text[at] == _POINT and digits_before_point < 0:
                digits_before_point = digits
            else:
                break
            at += 1
        if digits == 0:
            return count, exact, line
        power = 0 if digits_before_point < 0 else digits_before_point - digits
        if at < size and text[at] in (_SMALL_E, _LARGE_E):
            at += 1
            sign = 1
            if at < size and text[at] in (_PLUS, _MINUS):
                sign = -1 if text[at] == _MINUS else 1
                at += 1
            exponent = 0
            exponent_start = at
            while at < size and _DIGIT_ZERO <= text[at] <= _DIGIT_NINE:
                exponent = min(10 * exponent + text[at] - _DIGIT_ZERO, _FAR_OUTSIDE)
                at += 1
            if at == exponent_start:
                return count, exact, line
            power += sign * exponent
        if at < size and text[at] > _BLANK:
            return count, exact, line
        if digits <= _MOST_DIGITS and mantissa <= _EXACT_INTEGER and -_EXACT_POWER <= power <= _EXACT_POWER:
            value = np.float64(mantissa)
            value = value * _POWERS_OF_TEN[power] if power >= 0 else value / _POWERS_OF_TEN[-power]
            values[count] = -value if negative else value
        else:
            exact = False
        count += 1
        in_row += 1
    if in_row != 0 and in_row != columns:
        return count, exact, line
    return count, exact, -1


def format_rows(rows: Array) -> Iterator[bytes]:
    """Yield the text of rows (T, C), one a line: each finite number in the fewest digits that read back the same."""
    block = max(1, _BLOCK_NUMBERS // rows.shape[1])
    buffer = np.empty(block * rows.shape[1] * _WIDEST, dtype=np.uint8)
    for start in range(0, len(rows), block):
        part = rows[start : start + block].copy()  # a kernel is compiled anew for arrays that are frozen or strided
        length = _format_block(part, buffer)
        if length >= 0:
            yield buffer[:length].tobytes()
        else:
            yield b"".join(_format_row(row).encode() + b"\n" for row in part.tolist())


def _format_row(row: list[float]) -> str:
    """Return what `format_number` makes of each number; the interpreter prints a list at once much faster."""
    text = repr(row)[1:-1].replace(",", "")
    return " ".join(map(format_number, row)) if "e" in text else _ZERO_DECIMAL.sub("", text)


def format_number(value: float) -> str:
    """Return the fewest digits that read back as the same number, without an exponent unless it would be very long."""
    text = repr(value).removesuffix(".0")
    if "e" not in text:
        return text
    plain = format(Decimal(text), "f")
    return plain if len(plain) <= _LONGEST_PLAIN else text


@compiled(seconds=0, inline=True)
def _print_decimal(digits: int, decimals: int, buffer: Bytes, at: int) -> int:
    """Print digits with a decimal point before the last `decimals` of them; return where the text ends."""
    count = 1
    limit = 10
    while digits >= limit and count < _MOST_DIGITS - 1:
        limit *= 10
        count += 1
    count = max(count, decimals + 1)
    end = at + count + (1 if decimals > 0 else 0)
    place = end - 1
    for index in range(count):
        if index == decimals and decimals > 0:
            buffer[place] = _POINT
            place -= 1
        buffer[place] = _DIGIT_ZERO + digits % 10
        digits //= 10
        place -= 1
    return end


@compiled(seconds=1)
def _format_block(rows: Array, buffer: Bytes) -> int:
    """Print rows into the buffer; return the length, or -1 where a number needs more digits than are exact here."""
    at = 0
    for t in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            value = rows[t, column]
            size = abs(value)
            decimals = 0
            while True:
                scaled = size * _POWERS_OF_TEN[decimals]
                if not scaled < _LARGEST_WHOLE:
                    return -1
                whole = np.rint(scaled)
                # division is correctly rounded, so these digits read back as this very number
                if whole / _POWERS_OF_TEN[decimals] == size:
                    break
                decimals += 1
                if decimals > _EXACT_POWER:
                    return -1
            if np.signbit(value):
                buffer[at] = _MINUS
                at += 1
            at = _print_decimal(np.int64(whole), decimals, buffer, at)
            buffer[at] = _BLANK
            at += 1
        buffer[at - 1] = _LINE_FEED
    return at
