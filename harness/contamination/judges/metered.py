"""A budget that several threads share, and a client that asks it before every request."""

from __future__ import annotations

from threading import Condition
from types import SimpleNamespace
from typing import Any


class Stopped(Exception):
    """No further request may be sent; the message says why."""


class Budget:
    """Requests and tokens that may be spent, those of earlier runs included.

    Parameters
    ----------
    max_requests, max_tokens : None for no limit. Neither is ever passed: a request reserves the
        most tokens it can take, and where that does not fit it waits for those on their way.
    requests, tokens : spent before.
    """

    def __init__(
        self, max_requests: int | None, max_tokens: int | None, requests: int, tokens: int
    ) -> None:
        self.requests, self.tokens = requests, tokens
        self.reason = ""
        self._most = max_requests, max_tokens
        self._reserved = self._on_way = 0
        self._changed = Condition()

    def reserve(self, n_tokens: int) -> None:
        """Take the right to send one request of at most `n_tokens` tokens.

        Raises
        ------
        Stopped
            Where a limit is reached, or `stop` was called.
        """
        max_requests, max_tokens = self._most
        with self._changed:
            while not self.reason:
                if max_requests is not None and self.requests >= max_requests:
                    self.reason = (
                        f"max_requests reached: {self.requests} of {max_requests} requests sent"
                    )
                elif max_tokens is None or self.tokens + self._reserved + n_tokens <= max_tokens:
                    self.requests += 1
                    self._on_way += 1
                    self._reserved += n_tokens
                    return
                elif self._on_way:
                    self._changed.wait()
                else:
                    self.reason = (
                        f"max_tokens_total reached: {self.tokens} of {max_tokens} tokens spent, "
                        f"and the next request may take {n_tokens}"
                    )
            self._changed.notify_all()
            raise Stopped(self.reason)

    def settle(self, reserved: int, used: int) -> None:
        """Replace what a request reserved by what it used."""
        with self._changed:
            self._on_way -= 1
            self._reserved -= reserved
            self.tokens += used
            self._changed.notify_all()

    def stop(self, reason: str) -> None:
        """Let no further request out; the first reason stands."""
        with self._changed:
            self.reason = self.reason or reason
            self._changed.notify_all()


class Metered:
    """An `openai` client for one pair: each attempt is reserved, sent and settled.

    A refused request (an HTTP status) costs nothing; one that was never answered may have been
    worked on, and counts as the most it can take, as does an answer that states no usage.

    Parameters
    ----------
    client : of the package openai.
    budget : shared.
    most : tokens that one attempt can take.
    """

    def __init__(self, client: Any, budget: Budget, most: int) -> None:
        self.api_key = client.api_key
        self.attempts = self.tokens = 0
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))
        self._client, self._budget, self._most = client, budget, most

    def _create(self, **options: Any) -> Any:
        import openai

        self._budget.reserve(self._most)
        self.attempts += 1
        used = self._most
        try:
            found = self._client.chat.completions.create(**options)
            total = getattr(getattr(found, "usage", None), "total_tokens", None)
            if type(total) is int and total >= 0:
                used = total
            return found
        except openai.APIStatusError:
            used = 0
            raise
        finally:
            self.tokens += used
            self._budget.settle(self._most, used)


__all__ = ["Budget", "Metered", "Stopped"]
