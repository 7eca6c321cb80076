"""WAV files decoded in one stated way: float samples, one channel, resampled by straight lines."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_BYTES = 512 * 2**20
_HEAD_BYTES = 12
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
# The last 14 bytes of the sub-format of WAVE_FORMAT_EXTENSIBLE; its first two are the codec.
_GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")
_BITS = {_PCM: (8, 16, 24, 32), _FLOAT: (32, 64)}
_CODECS = {2: "ADPCM", 6: "A-law", 7: "mu-law", 17: "IMA ADPCM", 85: "MP3"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Clip:
    """One decoded clip: `samples` of shape (n,), float32, one channel, at `rate_hz`.

    `n_channels` and `bits` are those of the file before the channels were averaged.
    """

    samples: NDArray[np.float32]
    rate_hz: int
    n_channels: int
    bits: int

    @property
    def duration_s(self) -> float:
        return len(self.samples) / self.rate_hz


@dataclass(frozen=True, slots=True)
class _Format:
    codec: int
    n_channels: int
    rate_hz: int
    bits: int


def read_wav(source: Path | bytes, name: str = "WAV bytes") -> Clip:
    """Decode a WAV file.

    Unsigned 8-bit samples become (s - 128) / 128, signed ones of 16, 24 and 32 bits s / 2**(bits -
    1), and floats of 32 and 64 bits stay as they are. Several channels are averaged, each weighing
    the same. Nothing is dithered, clipped or made louder.

    Parameters
    ----------
    source : a file, or the bytes of one; PCM or float, plain or "extensible".
    name : what messages call it when `source` is bytes; a file goes by its base name.

    Returns
    -------
    Clip
        Integers lie in [-1, 1).

    Raises
    ------
    DataError
        For a file that is missing, larger than 512 MiB or no RIFF/WAVE; without a format or
        samples; cut short, or with a size that its writer left open; compressed; with a sample
        size that is not named above, no channel or no rate; and for floats that are not finite.

    References
    ----------
    IBM and Microsoft, Multimedia Programming Interface and Data Specifications 1.0 (1991).

    Examples
    --------
    >>> import struct
    >>> body = struct.pack("<HHIIHH", 1, 2, 8000, 16000, 2, 8)
    >>> raw = (b"RIFF" + bytes(4) + b"WAVEfmt " + struct.pack("<I", 16) + body
    ...     + b"data" + struct.pack("<I", 4) + bytes([128, 192, 0, 0]))
    >>> clip = read_wav(raw)
    >>> clip.samples.tolist(), clip.rate_hz, clip.n_channels
    ([0.25, -1.0], 8000, 2)
    """
    if isinstance(source, Path):
        name = source.name
    raw = _bytes(source, name)
    form, data = _chunks(raw, name)
    width = form.bits // 8
    n_frames, rest = divmod(len(data), width * form.n_channels)
    if rest:
        raise DataError(
            f"{name}: expected whole frames of {width * form.n_channels} bytes, found {rest} "
            f"byte(s) more after {n_frames}; replace it by a whole copy"
        )
    if not n_frames:
        raise DataError(f"{name}: expected samples, found none; leave the clip out or replace it")
    values = _values(data, form).reshape(n_frames, form.n_channels)
    if not np.isfinite(values).all():
        raise DataError(f"{name}: expected finite samples, found NaN or infinity; replace it")
    return Clip(
        samples=np.ascontiguousarray(values.mean(axis=1), dtype=np.float32),
        rate_hz=form.rate_hz,
        n_channels=form.n_channels,
        bits=form.bits,
    )


def resample(samples: NDArray[np.float32], rate_hz: int, target_hz: int) -> NDArray[np.float32]:
    """Bring samples to another rate by straight lines between neighbours, as published.

    There are max(1, round(n · target / rate)) new samples, halves to the even number; sample j
    is read at place j · n / n_new of the old ones, and beyond the last old sample its value stays.
    No filter goes before it: tones above half the target rate fold back. The rule is kept for
    the published figures, not for its sound.

    Parameters
    ----------
    samples : shape (n,), n ≥ 1.
    rate_hz, target_hz : samples a second, at least 1.

    Returns
    -------
    array of float32, shape (n_new,)
        The samples themselves where the rates are equal.

    Raises
    ------
    DataError
        For no samples, more than one axis, or a rate below 1.

    Examples
    --------
    >>> resample(np.array([0, 1, 0, -1], dtype=np.float32), 4, 8).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0, -0.5, -1.0, -1.0]
    """
    if samples.ndim != 1 or not len(samples) or rate_hz < 1 or target_hz < 1:
        raise DataError(
            f"expected samples of one channel and rates of at least 1 Hz, found shape "
            f"{samples.shape}, {rate_hz} Hz and {target_hz} Hz"
        )
    if rate_hz == target_hz:
        return samples
    n = len(samples)
    n_new = max(1, round(n * target_hz / rate_hz))
    places = np.arange(n_new, dtype=np.float64) * (n / n_new)
    return np.interp(places, np.arange(n), samples).astype(np.float32)


def _bytes(source: Path | bytes, name: str) -> bytes:
    if not isinstance(source, Path):
        return source
    try:
        if source.stat().st_size > MAX_BYTES:
            raise DataError(f"{name}: expected at most {MAX_BYTES} bytes, found more; cut it")
        return source.read_bytes()
    except OSError as error:
        raise DataError(
            f"{name}: expected a WAV file, found no readable one ({type(error).__name__}); check "
            "the audio folder"
        ) from error


def _chunks(raw: bytes, name: str) -> tuple[_Format, bytes]:
    """The format and the samples' bytes; the size in the file's head is not relied on."""
    if len(raw) < _HEAD_BYTES or raw[:4] != b"RIFF" or raw[8:_HEAD_BYTES] != b"WAVE":
        raise DataError(
            f"{name}: expected a RIFF/WAVE file, found one that starts with {raw[:4]!r}; convert "
            "it to 16-bit PCM WAV, or fetch the file itself"
        )
    form: _Format | None = None
    at = _HEAD_BYTES
    while at + 8 <= len(raw):
        kind, size = raw[at : at + 4], struct.unpack_from("<I", raw, at + 4)[0]
        body = raw[at + 8 : at + 8 + size]
        if len(body) < size:
            raise DataError(
                f"{name}: expected {size} bytes of {kind.decode('latin-1').strip()!r}, found "
                f"{len(body)}; the file is cut short, or its writer never stated the size: replace "
                "it by a whole copy"
            )
        if kind == b"fmt ":
            form = _format(body, name)
        elif kind == b"data":
            if form is None:
                raise DataError(f"{name}: expected the format before the samples, found it nowhere")
            return form, body
        at += 8 + size + size % 2
    raise DataError(f"{name}: expected a data chunk, found none; the file is cut short")


def _format(body: bytes, name: str) -> _Format:
    if len(body) < 16:
        raise DataError(f"{name}: expected 16 bytes of format or more, found {len(body)}")
    codec, n_channels, rate_hz, _, block, bits = struct.unpack_from("<HHIIHH", body)
    if codec == _EXTENSIBLE and len(body) >= 40 and body[26:40] == _GUID_TAIL:
        codec = struct.unpack_from("<H", body, 24)[0]
    if codec not in _BITS:
        raise DataError(
            f"{name}: expected PCM or float samples, found codec {codec} "
            f"({_CODECS.get(codec, 'unknown')}); convert it to 16-bit PCM WAV"
        )
    if bits not in _BITS[codec] or not n_channels or not rate_hz:
        allowed = ", ".join(map(str, _BITS[codec]))
        raise DataError(
            f"{name}: expected samples of {allowed} bits, a channel and a rate, found {bits} bits, "
            f"{n_channels} channel(s) and {rate_hz} Hz; convert it to 16-bit PCM WAV"
        )
    if block != n_channels * bits // 8:
        raise DataError(
            f"{name}: expected frames of {n_channels * bits // 8} bytes for {n_channels} "
            f"channel(s) of {bits} bits, found {block}; the head is damaged: replace the file"
        )
    return _Format(codec, n_channels, rate_hz, bits)


def _values(data: bytes, form: _Format) -> NDArray[np.float64]:
    if form.codec == _FLOAT:
        return np.frombuffer(data, dtype=f"<f{form.bits // 8}").astype(np.float64)
    if form.bits == 8:
        return (np.frombuffer(data, dtype=np.uint8).astype(np.float64) - 128) / 128
    if form.bits == 24:
        # A zero byte below each sample makes it one of 32 bits, 256 times as large.
        wide = np.zeros((len(data) // 3, 4), dtype=np.uint8)
        wide[:, 1:] = np.frombuffer(data, dtype=np.uint8).reshape(-1, 3)
        return wide.view("<i4").reshape(-1).astype(np.float64) / 2**31
    values = np.frombuffer(data, dtype=f"<i{form.bits // 8}").astype(np.float64)
    return values / float(2 ** (form.bits - 1))


__all__ = ["MAX_BYTES", "Clip", "read_wav", "resample"]
