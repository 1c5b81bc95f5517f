"""Alarms: flags that are set at their times, by one thread for all."""

from __future__ import annotations

import threading
import time

from segue.language.alarm import Flag, alarm


def _until_set(flag: Flag) -> bool:
    for _ in range(2000):
        if flag[0]:
            return True
        time.sleep(0.005)
    return False


def test_a_sooner_alarm_goes_off_before_one_that_was_set_earlier() -> None:
    with alarm(time.monotonic() + 600.0) as late:
        with alarm(time.monotonic() + 0.02) as soon:
            assert _until_set(soon)
        with alarm(-float("inf")) as past:
            assert _until_set(past)
        assert late[0] == 0


def test_an_alarm_whose_block_has_ended_does_not_go_off() -> None:
    with alarm(time.monotonic() + 0.02) as ended:
        pass
    with alarm(time.monotonic() + 0.05) as later:
        assert _until_set(later)
    assert ended[0] == 0


def test_all_alarms_share_a_thread() -> None:
    for _ in range(50):
        with alarm(time.monotonic() + 60.0), alarm(float("inf")):
            pass
    assert [each.name for each in threading.enumerate()].count("segue alarms") == 1
