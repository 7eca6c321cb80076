"""The first sheet of an XLSX file as records of texts, for files that hold a plain table."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from harness.bridge.archives import Archive, archive
from harness.bridge.faults import BridgeError

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_SHEET = re.compile(r"xl/worksheets/sheet(\d+)\.xml")
_STRINGS = "xl/sharedStrings.xml"
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def read_xlsx(path: Path) -> list[dict[str, str]]:
    """Read a table whose first row names its columns.

    Parameters
    ----------
    path : as pandas and VLMEvalKit write it. Dates, styles and formulas are not interpreted: a
        cell is its stored text or number.

    Returns
    -------
    list of dict
        One record a row, with every column; an empty cell is "". A text that the writer took for
        a formula, such as "=1+1", comes back as it was.

    Raises
    ------
    BridgeError
        For what is no such file, a document type declaration, or a column that is named twice.
    """
    with archive(path) as opened:
        sheets = sorted(
            (int(found[1]), name) for name in opened.names if (found := _SHEET.fullmatch(name))
        )
        if not sheets:
            raise BridgeError(f"{path.name}: expected a worksheet, found none")
        strings = _strings(opened) if _STRINGS in opened.names else []
        root = _tree(opened, sheets[0][1])
    table = [_cells(row, strings, path.name) for row in root.iter(f"{_MAIN}row")]
    if not table:
        return []
    header = table[0]
    if len(set(header.values())) != len(header):
        raise BridgeError(f"{path.name}: expected each column once, found one twice")
    return [
        {name: cells.get(column, "") for column, name in header.items()}
        for cells in table[1:]
        if cells
    ]


def _tree(opened: Archive, member: str) -> ElementTree.Element:
    data = opened.read(member)
    if b"<!DOCTYPE" in data[:4096]:
        raise BridgeError(f"{opened.name}: expected no document type declaration in {member}")
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise BridgeError(f"{opened.name}: {member} is damaged: {error}") from error


def _strings(opened: Archive) -> list[str]:
    root = _tree(opened, _STRINGS)
    return [_joined(item) for item in root.iter(f"{_MAIN}si")]


def _joined(item: ElementTree.Element) -> str:
    """The text of a string, without the reading aids of East Asian text."""
    aids = {id(t) for aid in item.iter(f"{_MAIN}rPh") for t in aid.iter(f"{_MAIN}t")}
    text = "".join(t.text or "" for t in item.iter(f"{_MAIN}t") if id(t) not in aids)
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _cells(row: ElementTree.Element, strings: list[str], where: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for place, cell in enumerate(row.iter(f"{_MAIN}c"), 1):
        column = cell.get("r", "").rstrip("0123456789") or str(place)
        value, inline = cell.find(f"{_MAIN}v"), cell.find(f"{_MAIN}is")
        formula = cell.find(f"{_MAIN}f")
        if inline is not None:
            found[column] = _joined(inline)
        elif formula is not None and formula.text:
            found[column] = f"={formula.text}"
        elif value is not None and value.text is not None:
            text = value.text
            if cell.get("t") == "s":
                if not text.isdigit() or int(text) >= len(strings):
                    raise BridgeError(f"{where}: cell {cell.get('r')}: no shared text {text!r:.20}")
                text = strings[int(text)]
            elif cell.get("t") == "b":
                text = "true" if text == "1" else "false"
            found[column] = text
    return found


__all__ = ["read_xlsx"]
