"""A judge behind an OpenAI-compatible endpoint: limited, resumable, every reply kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from harness import ids
from harness.audit.pairs import Opinion, Pair
from harness.contamination.judges.journal import Journal
from harness.contamination.judges.metered import Budget, Metered, Stopped
from harness.contamination.judges.prompt import asked, read
from harness.contamination.judges.spec import EndpointSpec
from harness.errors import DataError, ModelError
from harness.models.client import open_client
from harness.models.endpoint import Endpoint, EndpointFailure
from harness.types import Decoding, Example, ModelSpec, Reply, Request

# What a service adds to the texts of a request: roles and their marks.
_FRAME_TOKENS = 64
# A service that ignores its limit must not fill the disk: a label needs no such length.
_MOST_KEPT = 1 << 20


def open_endpoint_judge(given: Mapping[str, Any], store: Path) -> EndpointJudge:
    """Open an endpoint judge; nothing is sent yet.

    Parameters
    ----------
    given : the fields of `EndpointSpec`.
    store : the judge's folder is made in it, named by the judge and its identity.

    Raises
    ------
    DataError
        For an unknown or missing field and a value out of range.
    ModelError
        When the package openai is missing, or the variable of the key is not set.
    StoreError
        For a damaged line among the stored replies.
    """
    known = EndpointSpec.__dataclass_fields__
    unknown = sorted(given.keys() - known)
    lacking = sorted({"base_url", "model"} - given.keys())
    if unknown or lacking:
        raise DataError(
            f"judge: expected base_url, model and, as needed, {', '.join(list(known)[2:])}; found "
            f"unknown {unknown}, missing {lacking}"
        )
    spec = EndpointSpec(**given)
    name = spec.name or spec.model
    client = open_client(f"judge {name}", spec.base_url, spec.api_key_env, float(spec.timeout_s))
    folder = store / f"{ids.slug(name)}-{ids.digest(spec.identity)[:12]}"
    return EndpointJudge(client, spec, Journal(folder))


class EndpointJudge:
    """A served model as a judge. What it has replied once, it is never asked again.

    A reply that is no label (prose, an unknown label, a refusal, a cut reply) is kept and makes
    the pair undecided; where no reply came (after all attempts), the pair is undecided in this
    run and asked again in the next. `notes` holds what was left out of the store.
    """

    def __init__(self, client: Any, spec: EndpointSpec, journal: Journal) -> None:
        self.name = spec.name or spec.model
        self.notes = list(journal.notes)
        self._client, self._spec, self._journal = client, spec, journal
        self._budget = Budget(
            spec.max_requests, spec.max_tokens_total, journal.requests, journal.tokens
        )
        self._decoding = Decoding(
            max_new_tokens=spec.max_tokens, temperature=spec.temperature or None
        )
        source = {
            "kind": "endpoint",
            "base_url": spec.base_url,
            "model": spec.model,
            "token_field": spec.token_field,
            "timeout_s": spec.timeout_s,
            "n_attempts": spec.n_attempts,
            "backoff_s": spec.backoff_s,
        }
        self._model = ModelSpec(name=self.name, source=source)
        self._failures, self._lock = 0, Lock()

    @property
    def identity(self) -> dict[str, Any]:
        """What a manifest says of it: no address, no key."""
        return {"name": self.name, **self._spec.identity}

    @property
    def spent(self) -> dict[str, int]:
        """Requests and tokens of this store, all runs together."""
        return {"requests": self._budget.requests, "tokens": self._budget.tokens}

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion for each pair, in order; only pairs without a stored reply are asked.

        Raises
        ------
        ModelError
            Where a limit is reached, the service refuses the key or the model (401, 403, 404),
            or `max_failures` pairs in a row get no answer. Every reply that came is stored: the
            same call again asks for the missing ones alone.
        """
        keys = [self._key(pair) for pair in pairs]
        known = self._journal.replies
        missing = {
            key: pair
            for key, pair in zip(keys, pairs, strict=True)
            if key not in known and not self._too_long(pair)
        }
        failed: dict[str, str] = {}
        pool = ThreadPoolExecutor(self._spec.concurrency, thread_name_prefix="assay-judge")
        try:
            asking = [pool.submit(self._ask, key, pair, failed) for key, pair in missing.items()]
            for one in asking:
                one.result()
        except Stopped:
            pass
        except BaseException as error:
            self._budget.stop(f"interrupted by {type(error).__name__}")
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self._journal.close()
        if self._budget.reason and any(key not in known for key in missing):
            answered = sum(key in known for key in keys)
            raise ModelError(
                f"judge {self.name}: {self._budget.reason}; {answered} of {len(pairs)} pairs are "
                "answered and stored. Mend the cause or raise the limit and run the same again: "
                "only the missing ones are asked"
            )
        return [self._opinion(key, pair, failed) for key, pair in zip(keys, pairs, strict=True)]

    def close(self) -> None:
        """Close the connections; may be called twice."""
        self._client.close()

    def _key(self, pair: Pair) -> str:
        return ids.digest({"judge": self._spec.identity, "row": pair.row, "item": pair.item})

    def _too_long(self, pair: Pair) -> bool:
        return max(len(pair.row), len(pair.item)) > self._spec.max_chars

    def _ask(self, key: str, pair: Pair, failed: dict[str, str]) -> None:
        """Ask for one pair and store what came of it."""
        if self._budget.reason:
            raise Stopped(self._budget.reason)
        prompt = asked(pair)
        most = len(prompt.encode()) + _FRAME_TOKENS + self._spec.max_tokens
        client = Metered(self._client, self._budget, most)
        request = Request(
            example=Example(id=pair.key, kind="text", question="", gold=""),
            replicate=0,
            prompt=prompt,
            images=(),
            seed=ids.seed(0, "judge", key),
        )
        reply: Reply | None = None
        reason = ""
        try:
            (found,) = Endpoint(client, self._model).generate([request], self._decoding)
            if found.status == "error":
                reason = str(found.error)
            else:
                reply = found
        except EndpointFailure as error:
            reason = str(error)
        except ModelError as error:
            told = str(error).removeprefix(f"model {self.name}: ").replace("source.", "")
            self._budget.stop(told)
        finally:
            record = None if reply is None else self._record(key, request, reply)
            if client.attempts:
                spent = {"key": key, "attempts": client.attempts, "tokens": client.tokens}
                self._journal.add({**spent, "failure": reason}, record)
        with self._lock:
            self._failures = 0 if reply is not None else self._failures + 1
            if reason:
                failed[key] = reason
            if reason and self._failures >= self._spec.max_failures:
                self._budget.stop(f"{self._failures} pairs in a row got no answer ({reason})")

    def _record(self, key: str, request: Request, reply: Reply) -> dict[str, Any]:
        secret = str(self._client.api_key)
        text = reply.text or ""
        if self._spec.api_key_env:
            text = text.replace(secret, "<hidden>")
        text = text[:_MOST_KEPT]
        options = {"max_tokens": self._spec.max_tokens, "temperature": self._spec.temperature}
        return {
            "key": key,
            "judge": self.identity,
            "request": {"prompt": request.prompt, "seed": request.seed, **options},
            "reply": {"status": reply.status, "text": text, "n_tokens": reply.n_tokens},
        }

    def _opinion(self, key: str, pair: Pair, failed: Mapping[str, str]) -> Opinion:
        reply = self._journal.replies.get(key)
        if reply is None:
            found = failed.get(key) or (
                f"a text has more than {self._spec.max_chars} characters; raise max_chars"
            )
            return Opinion(pair.key, self.name, None, found)
        text = str(reply.get("text") or "")
        match reply["status"]:
            case "ok":
                return Opinion(pair.key, self.name, *read(text))
            case "truncated":
                reason = f"the reply was cut at {self._spec.max_tokens} tokens; raise max_tokens"
            case status:
                reason = f"the reply is {status}: {text[:200]}".rstrip(": ")
        return Opinion(pair.key, self.name, None, reason)


__all__ = ["EndpointJudge", "open_endpoint_judge"]
