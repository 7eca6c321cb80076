"""WAV: every sample format against arithmetic by hand and the standard library, and torn files."""

from __future__ import annotations

import io
import struct
import wave
from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from harness.data.wav import read_wav, resample
from harness.errors import DataError

_GUID = bytes.fromhex("000000001000800000aa00389b71")


def wav(
    data: bytes,
    *,
    codec: int = 1,
    channels: int = 1,
    rate: int = 8000,
    bits: int = 16,
    block: int | None = None,
    size: int | None = None,
    extensible: bool = False,
    before: bytes = b"",
) -> bytes:
    step = channels * bits // 8 if block is None else block
    head = struct.pack(
        "<HHIIHH", 0xFFFE if extensible else codec, channels, rate, rate * step, step, bits
    )
    if extensible:
        head += struct.pack("<HHIH", 22, bits, 0, codec) + _GUID
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(head)) + head
    body += b"data" + struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


@pytest.mark.parametrize(
    ("codec", "bits", "data", "expected"),
    [
        (1, 8, bytes([0, 128, 192, 255]), [-1, 0, 0.5, 127 / 128]),
        (1, 16, struct.pack("<4h", -32768, 0, 16384, 32767), [-1, 0, 0.5, 32767 / 32768]),
        (1, 24, b"\x00\x00\x80\x00\x00\x00\x00\x00\x40\xff\xff\x7f", [-1, 0, 0.5, 1 - 2**-23]),
        (1, 32, struct.pack("<4i", -(2**31), 0, 2**30, -(2**29)), [-1, 0, 0.5, -0.25]),
        (3, 32, struct.pack("<4f", -1.5, 0, 0.5, 0.25), [-1.5, 0, 0.5, 0.25]),
        (3, 64, struct.pack("<4d", -1.5, 0, 0.5, 0.25), [-1.5, 0, 0.5, 0.25]),
    ],
)
@pytest.mark.parametrize("extensible", [False, True])
def test_each_format(
    codec: int, bits: int, data: bytes, expected: list[float], extensible: bool
) -> None:
    clip = read_wav(wav(data, codec=codec, bits=bits, extensible=extensible))
    assert clip.samples.dtype == np.float32
    assert clip.samples.tolist() == np.array(expected, dtype=np.float32).tolist()
    assert (clip.rate_hz, clip.n_channels, clip.bits) == (8000, 1, bits)
    assert clip.duration_s == 4 / 8000
    stereo = read_wav(wav(data, codec=codec, bits=bits, extensible=extensible, channels=2))
    left, right = expected[::2], expected[1::2]
    mean = [(a + b) / 2 for a, b in zip(left, right, strict=True)]
    assert stereo.samples.tolist() == np.array(mean, dtype=np.float32).tolist()


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_files_of_the_standard_library(width: int, channels: int) -> None:
    drawn = np.random.Generator(np.random.PCG64(width)).integers(0, 256, 30 * width * channels)
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(44100)
        file.writeframes(drawn.astype(np.uint8).tobytes())
    clip = read_wav(made.getvalue())
    made.seek(0)
    rate, values = wavfile.read(made)
    scaled = values.reshape(30, channels).astype(np.float64)
    # scipy gives 24 bits in the upper three bytes of 32.
    scaled = (scaled - 128) / 128 if width == 1 else scaled / 2 ** (15 if width == 2 else 31)
    assert (clip.rate_hz, clip.n_channels) == (rate, channels)
    np.testing.assert_allclose(clip.samples, scaled.mean(axis=1), rtol=0, atol=1e-7)


def test_other_chunks_are_passed_over() -> None:
    other = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    assert len(read_wav(wav(bytes(4), before=other) + b"junk").samples) == 2


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "starts with b''"),
        (b"OggS" + bytes(40), "RIFF/WAVE"),
        (b"RIFX" + wav(bytes(4))[4:], "RIFF/WAVE"),
        (wav(bytes(100))[:-1], "expected 100 bytes of 'data', found 99"),
        (wav(bytes(4), size=0xFFFFFFFF), "never stated the size"),
        (wav(bytes(4))[:20], "cut short"),
        (b"RIFF" + bytes(4) + b"WAVE", "expected a data chunk, found none"),
        (b"RIFF" + bytes(4) + b"WAVEdata" + bytes(4), "format before the samples"),
        (b"RIFF" + bytes(4) + b"WAVEfmt \x02\0\0\0\1\0", "16 bytes of format"),
        (wav(b""), "expected samples, found none"),
        (wav(bytes(5)), "1 byte(s) more after 2"),
        (wav(bytes(4), codec=2), "codec 2 (ADPCM)"),
        (wav(bytes(4), codec=99), "codec 99 (unknown)"),
        (wav(bytes(4), extensible=True).replace(_GUID, bytes(14)), "codec 65534 (unknown)"),
        (wav(bytes(4), bits=12), "found 12 bits"),
        (wav(bytes(4), channels=0), "0 channel(s)"),
        (wav(bytes(4), rate=0), "0 Hz"),
        (wav(bytes(4), block=4), "frames of 2 bytes for 1 channel(s) of 16 bits, found 4"),
        (wav(struct.pack("<f", float("nan")), codec=3, bits=32), "finite samples"),
    ],
)
def test_bad_files_are_refused(raw: bytes, said: str) -> None:
    with pytest.raises(DataError) as caught:
        read_wav(raw, "x.wav")
    assert said in str(caught.value)
    assert str(caught.value).startswith("x.wav: ")


def test_every_shorter_file_is_refused() -> None:
    whole = wav(bytes(6), channels=1)
    for n in range(len(whole)):
        with pytest.raises(DataError):
            read_wav(whole[:n])


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.wav: expected a WAV file") as caught:
        read_wav(tmp_path / "a.wav")
    assert str(tmp_path) not in str(caught.value)
    (tmp_path / "a.wav").write_bytes(wav(bytes(4)))
    assert len(read_wav(tmp_path / "a.wav").samples) == 2


def test_resampling_follows_the_stated_rule() -> None:
    line = np.arange(441, dtype=np.float32)
    found = resample(line, 44100, 48000)
    assert len(found) == 480
    places = [min(j * 441 / 480, 440) for j in range(480)]
    np.testing.assert_allclose(found, places, atol=1e-4)
    assert resample(line, 8000, 8000) is line
    # Half a sample goes to the even number; at least one is left.
    assert [len(resample(line[:n], 2, 1)) for n in (1, 3, 5, 7)] == [1, 2, 2, 4]
    for bad in ((line[:0], 1, 1), (line, 0, 1), (line, 1, 0), (line.reshape(1, -1), 1, 1)):
        with pytest.raises(DataError, match="expected samples of one channel"):
            resample(*bad)
