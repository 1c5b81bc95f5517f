"""The studio's server: who is refused, what is lost, and what two pages see."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from segue.serve.document import autosave_of
from segue.studio.safety import BURST, LARGEST, RateLimit
from segue.studio.server import Studio
from tests.studio.servers import TEXT, Tab, cookie, origin, studio_of


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio_of(tmp_path_factory.mktemp("studio")) as made:
        yield made


def _leave(text: str, number: str) -> dict[str, object]:
    at = text.index("leave=") + len("leave=")
    return {"start": at, "stop": text.index(",", at), "text": number}


def _sent(motion: dict[str, Any]) -> int:
    """Return how many frames a message has poses of."""
    return int({each["name"]: each["shape"] for each in motion["arrays"]}["root"][0])


def test_an_edit_is_answered_with_text_values_time_line_and_poses(studio: Studio) -> None:
    tab = Tab(studio)
    tab.send("hello", request=1)
    assert tab.until("welcome")["request"] == 1
    doc = tab.until("doc")
    tab.until("motion", role="shown")
    tab.send("edit", request=2, rev=doc["rev"], changes=[_leave(doc["text"], "1.85")], gesture="g", done=True)
    assert "leave=1.85" in tab.until("doc", request=2)["text"]
    assert 0 < _sent(tab.until("motion")) < 60
    tab.until("timeline", rev=doc["rev"] + 1)
    tab.send("undo")
    assert tab.until("doc", rev=doc["rev"] + 2)["text"] == doc["text"]


def test_garbage_collection_skips_modules(studio: Studio) -> None:
    assert studio.engine.wait(60)
    # of numba and SciPy alone there are more
    assert gc.get_freeze_count() > 50_000


@pytest.mark.parametrize(
    ("given", "headers", "status"),
    [
        ("wrong", {}, 403),
        ("", {}, 403),
        ("token", {"Origin": "http://evil.example"}, 403),
        ("token", {"Origin": "null"}, 403),
        ("token", {"Host": "evil.example"}, 421),
        ("token", {"Host": "evil.example:PORT"}, 421),
        ("x" * 5000, {}, 413),
    ],
)
def test_a_wrong_token_origin_or_host_gets_no_cookie(
    studio: Studio, given: str, headers: dict[str, str], status: int
) -> None:
    sent = {"Origin": origin(studio)} | {
        name: value.replace("PORT", str(studio.safety.port)) for name, value in headers.items()
    }
    token = studio.safety.token if given == "token" else given
    answer = httpx.post(f"{origin(studio)}/session", content=token, headers=sent)
    assert answer.status_code == status
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("case", ["no cookie", "wrong cookie", "foreign origin", "no origin", "foreign host"])
def test_a_websocket_needs_cookie_origin_and_host(studio: Studio, case: str) -> None:
    headers = {"Origin": origin(studio), "Cookie": cookie(studio)}
    match case:
        case "no cookie":
            del headers["Cookie"]
        case "wrong cookie":
            headers["Cookie"] = f"{studio.safety.cookie}=wrong"
        case "foreign origin":
            headers["Origin"] = "http://evil.example"
        case "no origin":
            del headers["Origin"]
        case "foreign host":
            headers["Host"] = f"evil.example:{studio.safety.port}"
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert httpx.get(f"{origin(studio)}/socket", headers=headers | upgrade).status_code == 403


def test_the_token_is_not_in_the_cookie_and_every_answer_has_the_policy(studio: Studio) -> None:
    assert studio.safety.token not in cookie(studio)
    assert len(studio.safety.token) >= 43  # 256 bits in base64
    for path in ("/messages.js", "/view/stage.js", "/nothing"):
        answer = httpx.get(f"{origin(studio)}{path}")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/..%2fserver.py", "/%2e%2e/server.py", "/view/..%2fpages.py", "/server.py", "/view/pages.py"],
)
def test_only_files_of_the_page_are_served(studio: Studio, path: str) -> None:
    assert httpx.get(f"{origin(studio)}{path}").status_code == 404


def test_paths_outside_the_folder_are_refused(studio: Studio, tmp_path: Path) -> None:
    outside = tmp_path / "secret.segue"
    outside.write_text("clips.walk", encoding="utf-8")
    link = studio.engine.folder / "link.segue"
    link.symlink_to(outside)
    tab = Tab(studio)
    tab.send("hello")
    tab.until("welcome")
    for number, (kind, path) in enumerate(
        [
            ("open", "../secret.segue"),
            ("open", str(outside)),
            ("open", "link.segue"),
            ("save", "../mine.segue"),
            ("save", "link.segue"),
            ("export", "/elsewhere/walk.bvh"),
            ("export", "a/../../walk.bvh"),
            ("mapping", "../walk.bvh"),
            ("export", "walk.py"),
        ],
        start=10,
    ):
        tab.send(kind, request=number, path=path)
        sentence = tab.until("error", request=number)["sentence"]
        assert "folder" in sentence or "end in" in sentence, sentence
    tab.send("list", request=30, folder="..")
    tab.until("error", request=30)
    tab.send("list", request=31)
    assert not [each for each in tab.until("files", request=31)["entries"] if "link" in each["path"]]
    assert outside.read_text(encoding="utf-8") == "clips.walk"
    link.unlink()


def _flood(tab: Tab, messages: list[str]) -> None:
    """Send messages, then read until the connection ends."""
    for message in messages:
        tab.socket.send(message)
    while True:
        tab.socket.recv(10)


def test_messages_that_are_too_long_or_too_many_end_the_connection(studio: Studio) -> None:
    tab = Tab(studio)
    with pytest.raises(ConnectionClosed):
        _flood(tab, ["x" * (LARGEST + 1)])
    tab = Tab(studio)
    with pytest.raises(ConnectionClosed):
        _flood(tab, ["{}"] * int(10 * BURST))
    again = Tab(studio)
    again.send("hello")
    again.until("welcome")


def test_the_rate_limit_lets_bursts_pass_and_recovers() -> None:
    limit = RateLimit(rate=1000.0, burst=5)
    assert [limit.passes() for _ in range(7)].count(True) in (5, 6)
    time.sleep(0.02)
    assert limit.passes()


def test_a_bad_message_is_answered_and_the_connection_stays(studio: Studio) -> None:
    tab = Tab(studio)
    for text in ("", "{", '{"kind": "nothing"}', '{"kind": "edit"}'):
        tab.socket.send(text)
        assert tab.until("error")["sentence"]
    tab.send("hello")
    tab.until("welcome")


def test_a_second_tab_and_a_reload_show_the_same_state(studio: Studio) -> None:
    first, second = Tab(studio), Tab(studio)
    for tab in (first, second):
        tab.send("hello")
        tab.until("motion", role="shown")
    doc = first_doc(first)
    first.send("edit", rev=doc["rev"], changes=[_leave(str(doc["text"]), "1.8")], gesture="drag")
    assert "leave=1.8," in str(second.until("doc", rev=doc["rev"] + 1)["text"])
    second.until("values", rev=doc["rev"] + 1)
    first.socket.close()
    again = Tab(studio)
    again.send("hello")
    assert "leave=1.8," in str(again.until("doc")["text"])
    shown = again.until("motion", role="shown")
    assert _sent(shown) == shown["body"]["frames"] > 200
    again.send("undo")
    assert "leave=1.9," in str(again.until("doc", rev=doc["rev"] + 2)["text"])


def first_doc(tab: Tab) -> dict[str, object]:
    tab.send("hello", request=99)
    return tab.until("doc", request=99)


def test_a_file_changed_outside_offers_both_texts(tmp_path: Path) -> None:
    with studio_of(tmp_path) as studio:
        tab = Tab(studio)
        tab.send("hello")
        doc = tab.until("doc")
        tab.send("edit", rev=doc["rev"], changes=[_leave(TEXT, "1.7")])
        tab.until("doc", rev=doc["rev"] + 1)
        theirs = TEXT.replace("0.6", "0.8")
        (tmp_path / "test.segue").write_text(theirs, encoding="utf-8")
        conflict = tab.until("conflict")
        assert (conflict["mine"], conflict["theirs"]) == (TEXT.replace("1.9", "1.7"), theirs)
        tab.send("save", request=5)
        assert "decide first" in tab.until("error", request=5)["sentence"]
        tab.send("resolve", keep="theirs", request=6)
        assert tab.until("doc", request=6)["text"] == theirs
        tab.send("undo", request=7)
        assert tab.until("doc", request=7)["text"] == TEXT.replace("1.9", "1.7")
        tab.send("save", request=8)
        tab.until("saved", request=8)
        assert (tmp_path / "test.segue").read_text(encoding="utf-8") == TEXT.replace("1.9", "1.7")


SERVER = """
import sys
from pathlib import Path
from tests.studio.servers import studio_of
with studio_of(Path(sys.argv[1])) as studio:
    print(studio.url, flush=True)
    sys.stdin.read()
"""


class _Address:
    """What a tab needs to know of a server in another process."""

    def __init__(self, url: str) -> None:
        self.safety = self
        head, _, self.token = url.strip().partition("#token=")
        self.port = int(head.rstrip("/").rpartition(":")[2])


def _started(folder: Path) -> tuple[subprocess.Popen[str], _Address]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, _Address(process.stdout.readline())


def test_kill_9_of_the_server_loses_the_open_gesture_at_most(tmp_path: Path) -> None:
    process, address = _started(tmp_path)
    tab = Tab(address)  # type: ignore[arg-type]
    tab.send("hello")
    doc = tab.until("doc")
    tab.send("edit", rev=doc["rev"], changes=[_leave(TEXT, "1.7")], gesture="a", done=True)
    tab.until("doc", rev=doc["rev"] + 1)
    tab.send("edit", rev=doc["rev"] + 1, changes=[_leave(TEXT, "1.5")], gesture="b")
    tab.until("doc", rev=doc["rev"] + 2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert (tmp_path / "test.segue").read_text(encoding="utf-8") == TEXT
    assert autosave_of(tmp_path / "test.segue").read_text(encoding="utf-8") == TEXT.replace("1.9", "1.7")
    with studio_of(tmp_path) as studio:
        again = Tab(studio)
        again.send("hello")
        assert again.until("doc")["text"] == TEXT.replace("1.9", "1.7")
        found = again.until("conflict")
        assert (found["mine"], found["recovered"]) == (TEXT, True)
        again.send("resolve", keep="mine", request=3)
        assert again.until("doc", request=3)["text"] == TEXT


def test_kill_9_of_a_job_leaves_the_engine_and_says_so(tmp_path: Path) -> None:
    with studio_of(tmp_path) as studio:
        tab = Tab(studio)
        tab.send("hello")
        tab.send("start_job", request=4, job="simulate", arguments=["waltz/box step", "waltz.bvh"])
        tab.until("job", state="running")
        (pid,) = studio.engine.jobs.processes.values()
        os.kill(pid, signal.SIGKILL)
        assert "start it again" in tab.until("job", state="failed")["sentence"]
        assert not (tmp_path / "waltz.bvh").exists()
        tab.send("help", request=5, name="fill")
        tab.until("help", request=5)


def test_a_socket_without_a_cookie_is_refused_to_a_client_too(studio: Studio) -> None:
    with pytest.raises(InvalidStatus):
        Tab(studio, given="none=1")
