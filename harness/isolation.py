"""The process's own state, which no cell may change for the next one."""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def preserved() -> Iterator[None]:
    """Put the environment and the global random generators back as they were.

    The generators are those of `random` and, where they are loaded already, of NumPy and of
    torch on the CPU. Inside, a warning is shown and is no error: what a library says of itself
    is not a failure of the model.
    """
    environment = dict(os.environ)
    python_state = random.getstate()
    numpy_random, torch = sys.modules.get("numpy.random"), sys.modules.get("torch")
    numpy_state = numpy_random.get_state() if numpy_random else None
    torch_state = torch.get_rng_state() if torch else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            yield
    finally:
        random.setstate(python_state)
        if numpy_random:
            numpy_random.set_state(numpy_state)
        if torch:
            torch.set_rng_state(torch_state)
        _restore_environment(environment)


def _restore_environment(environment: dict[str, str]) -> None:
    for name in set(os.environ).difference(environment):
        del os.environ[name]
    for name, value in environment.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


__all__ = ["preserved"]
