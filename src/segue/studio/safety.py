"""Access to the studio: a token, Host and Origin, limits on messages, and headers of every answer.

The server listens on this machine alone. A random token stands in the fragment of the address, which browsers send to
nobody. The page exchanges it for a cookie that scripts cannot read and other sites cannot use.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy: nothing from elsewhere, no script inside the page."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Headers of every answer."""

LARGEST = 4 * 1024 * 1024
"""Bytes of a message from a page."""

RATE, BURST = 400.0, 800.0
"""Messages a second from a page, and how many may come at once."""

_HOSTS = ("127.0.0.1", "localhost", "[::1]")


@dataclass
class Safety:
    """Checks of requests. port: which the server listens on; it is known when the server has started."""

    port: int = 0
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie(self) -> str:
        """The cookie's name; browsers share cookies between ports, so the port is a part of it."""
        return f"segue_{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values of the header Host that are answered: any other one is a foreign name for this machine."""
        return tuple(f"{name}:{self.port}" for name in _HOSTS)

    def is_own_host(self, host: str | None) -> bool:
        """Return whether a request names this server."""
        return host in self.hosts

    def is_own_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a request comes from a page of this server."""
        return self.is_own_host(host) and origin == f"http://{host}"

    def is_token(self, given: str) -> bool:
        """Return whether a text is the token, in a time that does not depend on it."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def is_known(self, header: str | None) -> bool:
        """Return whether a header Cookie has the session's cookie."""
        try:
            jar = SimpleCookie(header or "")
        except CookieError:
            return False
        given = jar.get(self.cookie)
        return given is not None and hmac.compare_digest(given.value.encode("utf-8", "replace"), self.session.encode())

    def cookie_header(self) -> str:
        """Return the header that gives a page its cookie, which ends with the browser's session."""
        return f"{self.cookie}={self.session}; HttpOnly; SameSite=Strict; Path=/"


def allowed_upgrade(safety: Safety, headers: Mapping[str, str]) -> bool:
    """Return whether a request for a websocket may be answered."""
    host = headers.get("host")
    return safety.is_own_origin(headers.get("origin"), host) and safety.is_known(headers.get("cookie"))


class RateLimit:
    """Counts the messages of one page; a page may send many at once, but not for long."""

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self._rate, self._burst, self._left = rate, burst, burst
        self._at = time.monotonic()

    def passes(self) -> bool:
        """Count a message; return False if there are too many."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + self._rate * (now - self._at))
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
