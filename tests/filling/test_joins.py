"""Many transitions at once: what is no transition is told."""

from __future__ import annotations

import pytest

import segue as sg


def test_what_is_no_join_is_told() -> None:
    pair = (sg.clips.walk, sg.clips.run)
    with pytest.raises(sg.ArgumentError, match=r"made of Join\(first, second, ...\)"):
        sg.transitions([pair])  # type: ignore[list-item]
