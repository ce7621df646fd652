"""Who may come in: this computer, and other machines once they have given the join code."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from time import monotonic
from urllib.parse import quote

NEW = "new"
"""Given in place of a code, it asks for a made-up one."""
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not mistaken for one another."""
LENGTH = 6
"""Of 32 signs each: a thousand million codes, of which `TRIES_IN_ALL` are tried a minute."""
SHORTEST = 6
WINDOW_S = 60.0
TRIES_EACH = 5
TRIES_IN_ALL = 30
HOST, ALL_HOSTS = "127.0.0.1", "0.0.0.0"
KEY_FILE = "join.key"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


class JoinError(ValueError):
    """A join code that cannot be used; the message is one plain sentence."""


class Answer(StrEnum):
    """What the door says to a code."""

    RIGHT = "right"
    WRONG = "wrong"
    LATER = "later"


def new_code() -> str:
    """A code that nobody guesses, in two groups that are easy to read out."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return f"{signs[: LENGTH // 2]}-{signs[LENGTH // 2 :]}"


def plain_code(code: str) -> str:
    """A code as it is compared: without case, spaces and hyphens."""
    return "".join(code.split()).replace("-", "").casefold()


def wanted_code(given: str) -> str:
    """The code to use: the given one, or a made-up one for `new`.

    Raises:
        JoinError: if it is too short to keep anybody out.
    """
    if given.strip().casefold() == NEW:
        return new_code()
    if len(plain_code(given)) < SHORTEST:
        raise JoinError(f"a join code has at least {SHORTEST} letters or digits; --join new makes one up.")
    return given.strip()


def kept_key(folder: Path) -> bytes:
    """The secret that signs the cookies of a folder, so that who has joined stays in over a restart.

    Raises:
        OSError: if it cannot be kept.
    """
    path = folder / KEY_FILE
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or not path.read_bytes():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()


class JoinDoor:
    """Compares codes and cookies in constant time and slows guessing down. For one thread."""

    def __init__(self, code: str, key: bytes, clock: Callable[[], float] = monotonic) -> None:
        self.code = code
        self._plain = plain_code(code).encode()
        self._key, self._clock = key, clock
        self._wrong: deque[tuple[float, str]] = deque()

    def enter(self, given: str, address: str) -> Answer:
        """What becomes of a code that `address` gave; after too many wrong ones even the right one waits."""
        now_s = self._clock()
        while self._wrong and now_s - self._wrong[0][0] >= WINDOW_S:
            self._wrong.popleft()
        tries = sum(who == address for _, who in self._wrong)
        if tries >= TRIES_EACH or len(self._wrong) >= TRIES_IN_ALL:
            return Answer.LATER
        if hmac.compare_digest(plain_code(given).encode(), self._plain):
            return Answer.RIGHT
        self._wrong.append((now_s, address))
        return Answer.WRONG

    def token(self) -> str:
        """A new cookie for somebody who gave the right code."""
        nonce = secrets.token_hex(8)
        return f"{nonce}.{self._sign(nonce)}"

    def knows(self, token: str) -> bool:
        """Whether this door gave out that cookie, for this code."""
        nonce, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._sign(nonce).encode())

    def _sign(self, nonce: str) -> str:
        return hmac.new(self._key, self._plain + b"\0" + nonce.encode(), sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the address of the machine, and the headers `Host` and `Origin` as they came."""

    address: str
    host: str
    origin: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether the request comes from this computer, asking for it by a name of its own.

        The name counts too: a page from elsewhere may give its own name the address of this computer.
        """
        name = self.host.rpartition(":")[0] if self.host[-1:].isdigit() and ":" in self.host else self.host
        return name in LOOPBACK_NAMES and _is_loopback(self.address)

    @property
    def is_near(self) -> bool:
        """Whether the machine is in a private network; nobody comes in over the internet."""
        found = _ip(self.address)
        return found is not None and not found.is_global

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether another site's page makes the browser ask."""
        return self.origin is not None and self.origin.partition("://")[2] != self.host


def _ip(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


def _is_loopback(address: str) -> bool:
    found = _ip(address)
    return found is not None and found.is_loopback


def network_address() -> str | None:
    """This machine's address in its network, or None where it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _is_loopback(address) else address


def join_link(address: str, code: str, page: str = "/") -> str:
    """The link that joins and opens a page; whoever has it needs to type nothing."""
    return f"{address}/join?code={quote(code)}&next={quote(page, safe='')}"


def safe_page(page: str) -> str:
    """A page of this program to go on to; anything else leads to the first one."""
    is_ours = page.startswith("/") and not page.startswith(("//", "/\\", "/join")) and page.isprintable()
    return page if is_ours else "/"
