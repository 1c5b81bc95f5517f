"""Keyframes in the language: key, pose, keyframes and improve."""

from __future__ import annotations

import numpy as np
import pytest

import segue as sg
from segue.keyframe import Key, inbetween, interpolate
from segue.language import LanguageError, Session, evaluate
from segue.language.keyframing import weights_of
from tests.language.stage import assert_identical


def test_keys_are_values() -> None:
    picked = evaluate("key(clips.walk, 0.4, 1.5, left_arm)")
    assert isinstance(picked, Key)
    assert picked.time == 1.5
    assert "left_wrist_flexion" in picked.tracks
    assert "neck" not in picked.tracks
    said: list[str] = []
    Session(say=said.append).run('show(key(clips.walk, 0.4))\nshow(pose("stand", 2))')
    assert said == ["a keyframe of the whole body at 0.4 s", "a keyframe of the whole body at 2 s"]


def test_the_language_gives_what_python_gives() -> None:
    keys = [Key.from_motion(sg.clips.walk, 0.25 * k) for k in range(5)]
    assert_identical(evaluate("interpolate(key(clips.walk, 0.25 * i) for i in 0..4)"), interpolate(keys))
    made = evaluate('inbetween(key(clips.walk, 0.25 * i) for i in 0..4, ground=-0.02, penalties="skid=2")')
    assert_identical(made, inbetween(keys, {"skid": 2.0}, ground=-0.02))


def test_keys_are_put_in_order_and_compose() -> None:
    motion = evaluate(
        'kick = inbetween(pose("stand", 2), pose("stand", 0), pose("kick_front", 1))\nconcat(kick, clips.wave, gap=0)'
    )
    assert motion.duration == pytest.approx(2 + sg.clips.wave.duration)
    np.testing.assert_allclose(motion.at([1.0]).hinges, sg.clips.kick.at([1.23]).hinges, atol=1e-9)


def test_boxes_are_kept_out_of() -> None:
    made = evaluate(
        "inbetween(key(clips.walk, 0), key(clips.walk, 0.5), key(clips.walk, 1), boxes=[[0, 0.1, 4, 1, 0.2, 1]])"
    )
    assert made.duration == 1


def test_weights_in_a_text() -> None:
    assert weights_of("skid=2, torque_change = 0.5") == {"skid": 2.0, "torque change": 0.5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("inbetween(key(clips.walk, 0))", "at least 2 are needed"),
        ("inbetween(key(clips.walk, 0), key(clips.run, 0))", "both at 0 s"),
        ("inbetween(clips.walk, clips.run)", "a keyframe or a list of keyframes"),
        ("key(clips.walk, 99)", "defines nothing at 99 s"),
        ('pose("stnd", 0)', "did you mean 'stand'"),
        ('inbetween(key(clips.walk, 0), key(clips.walk, 1), penalties="skid")', "NAME=NUMBER"),
        ('inbetween(key(clips.walk, 0), key(clips.walk, 1), penalties="skid=1, skid=2")', "two strengths, 1 and 2"),
        ('inbetween(key(clips.walk, 0), key(clips.walk, 1), penalties="skd=1")', "did you mean 'skid'"),
        ("inbetween(key(clips.walk, 0), key(clips.walk, 1), boxes=[[1, 2]])", "width, height, depth"),
        ("inbetween(key(clips.walk, 0), key(clips.walk, 1, 100))", "too long to fill"),
        ("key(clips.walk, 0) + 1", "a keyframe"),
    ],
)
def test_mistakes_are_pointed_at(text: str, said: str) -> None:
    with pytest.raises(LanguageError, match=said):
        evaluate(text)
