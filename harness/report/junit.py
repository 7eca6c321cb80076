"""JUnit files without the names of machines, people and folders."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from harness.errors import AssayError
from harness.provenance import scrub

_KEPT_AS_IT_IS = frozenset({"timestamp", "time", "tests", "failures", "errors", "skipped"})


def scrub_junit(xml: str, clean: Callable[[str], str] = scrub) -> str:
    """Remove host names, and clean every text and attribute of a JUnit document.

    Elements, their order, counts, times, time stamps and the properties of each case stay.
    What XML cannot hold stays as pytest has written it (``#x1B``).

    Parameters
    ----------
    xml : a document that pytest wrote (``xunit1``).
    clean : what is done to each text; idempotent.

    Raises
    ------
    AssayError
        When the text is no JUnit document, or declares a document type.
    """
    # The document is pytest's own, and a type declaration, the way to entity attacks, is
    # refused: so the standard parser is enough.
    if "<!DOCTYPE" in xml:
        raise AssayError("JUnit file: expected a document of pytest, found a type declaration")
    try:
        tree = ElementTree.fromstring(xml)
    except ElementTree.ParseError as error:
        raise AssayError(f"JUnit file: expected well-formed XML, found: {error}") from None
    if tree.tag not in ("testsuites", "testsuite"):
        raise AssayError(f"JUnit file: expected <testsuites>, found <{tree.tag}>")
    for element in tree.iter():
        element.attrib.pop("hostname", None)
        for name, value in list(element.attrib.items()):
            if name not in _KEPT_AS_IT_IS:
                element.set(name, clean(value))
        element.text = _clean(element.text, clean)
        element.tail = _clean(element.tail, clean)
    body = ElementTree.tostring(tree, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _clean(text: str | None, clean: Callable[[str], str]) -> str | None:
    return clean(text) if text else text


__all__ = ["scrub_junit"]
