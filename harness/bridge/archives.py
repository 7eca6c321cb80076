"""Zip files from elsewhere, read in memory: nothing is unpacked, and every size has a limit."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PureWindowsPath
from typing import Any

from harness.bridge.faults import BridgeError

MOST_MEMBERS = 1_000_000
MOST_BYTES = 8 << 30
LARGEST_MEMBER_BYTES = 512 << 20
_ZSTANDARD = 93
_LOCAL = struct.Struct("<4s5H3L2H")  # of a file in a zip file; its last two are lengths
_DAMAGED = (
    *(EOFError, OSError, RuntimeError, ValueError),
    *(lzma.LZMAError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True, slots=True)
class Archive:
    """A checked zip file; `names` are its files, in the order of its directory."""

    file: zipfile.ZipFile
    name: str
    names: tuple[str, ...]

    def read(self, member: str) -> bytes:
        """The bytes of one file.

        Raises
        ------
        BridgeError
            When it is not there, is damaged, holds more than it says, or is packed in a way
            that this Python cannot read.
        """
        try:
            info = self.file.getinfo(member)
            if info.compress_type == _ZSTANDARD:
                return self._zstandard(info)
            with self.file.open(info) as handle:
                data = handle.read(info.file_size + 1)
        except KeyError:
            raise BridgeError(f"{self.name}: expected a file {member}, found none") from None
        except NotImplementedError as error:
            raise BridgeError(
                f"{self.name}: {member} is packed in a way that this Python cannot read ({error}); "
                "convert the log to JSON with the tool that wrote it"
            ) from error
        except _DAMAGED as error:
            raise BridgeError(f"{self.name}: {member} is damaged: {error}") from error
        if len(data) > info.file_size:
            raise BridgeError(
                f"{self.name}: {member} holds more than the {info.file_size} B it says"
            )
        return data

    def _zstandard(self, info: zipfile.ZipInfo) -> bytes:
        """Method 93, which Inspect writes and Python knows from 3.14 on; unpacked by pyarrow."""
        try:
            arrow: Any = import_module("pyarrow")
        except ImportError:
            raise NotImplementedError("Zstandard needs the extra `parquet`") from None
        handle = self.file.fp
        assert handle is not None
        handle.seek(info.header_offset)
        header = handle.read(_LOCAL.size)
        if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("no local header")
        handle.seek(sum(_LOCAL.unpack(header)[-2:]), 1)
        packed = handle.read(info.compress_size)
        unpacked = arrow.decompress(packed, info.file_size, codec="zstd", asbytes=True)
        if len(unpacked) != info.file_size or zlib.crc32(unpacked) != info.CRC:
            raise zipfile.BadZipFile("the checksum is another one")
        return bytes(unpacked)


@contextmanager
def archive(path: Path) -> Iterator[Archive]:
    """Open a zip file after its directory was checked.

    Raises
    ------
    BridgeError
        For what is no whole zip file; a name that is absolute, has `..` or a drive, or stands
        twice; more than a million members; a member above 512 MiB or a total above 8 GiB,
        unpacked.
    """
    try:
        opened = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise BridgeError(f"{path.name}: expected a whole zip file: {error}") from error
    with opened:
        infos = [info for info in opened.infolist() if not info.is_dir()]
        for info in infos:
            _check_name(info.filename, path.name)
            if info.file_size > LARGEST_MEMBER_BYTES:
                raise BridgeError(
                    f"{path.name}: expected files of at most {LARGEST_MEMBER_BYTES >> 20} MiB, "
                    f"found {info.filename} with {info.file_size} B"
                )
        names = [info.filename for info in infos]
        if len(set(names)) != len(names):
            raise BridgeError(f"{path.name}: expected each name once, found one twice")
        total = sum(info.file_size for info in infos)
        if len(names) > MOST_MEMBERS or total > MOST_BYTES:
            raise BridgeError(
                f"{path.name}: expected at most {MOST_MEMBERS} files and {MOST_BYTES >> 30} GiB, "
                f"found {len(names)} with {total} B"
            )
        yield Archive(opened, path.name, tuple(names))


def _check_name(name: str, where: str) -> None:
    path = PureWindowsPath(name)  # takes both kinds of slash, and drives
    if path.anchor or ".." in path.parts:
        raise BridgeError(f"{where}: expected names inside the archive, found {name!r}")


__all__ = ["LARGEST_MEMBER_BYTES", "MOST_BYTES", "MOST_MEMBERS", "Archive", "archive"]
