"""Resolution: down-sampling at an unchanged size, and fitting into a box or a square."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image, Resampling

_WHITE = (255, 255, 255)


def downsampled(image: Image, ratio: float) -> Image:
    """Lose detail and keep the size: bilinear down, then bilinear back up.

    Parameters
    ----------
    image : RGB, of any size.
    ratio : in (0, 1]; the small side is max(1, round(side·ratio)), halves to the even number.

    Returns
    -------
    Image
        A new RGB picture of the size of `image`; one of 1 × 1 is unchanged.

    References
    ----------
    The R1-Onevision robustness study, conditions downsample_50 and downsample_25.

    Examples
    --------
    >>> from PIL import Image
    >>> downsampled(Image.new("RGB", (7, 1), "red"), 0.25).size
    (7, 1)
    """
    from PIL.Image import Resampling

    small = tuple(max(1, round(side * ratio)) for side in image.size)
    down = _scaled(image, (small[0], small[1]), Resampling.BILINEAR)
    return _scaled(down, image.size, Resampling.BILINEAR)


def fitted(image: Image, box: tuple[int, int]) -> Image:
    """Scale a picture, up or down, until it touches a box; the aspect is kept (Lanczos).

    Parameters
    ----------
    image : RGB, of any size.
    box : width and height in px, at least 1 each. The side that touches is exactly the box's,
        the other one rounded (halves to the even number), at least 1.

    Examples
    --------
    >>> from PIL import Image
    >>> fitted(Image.new("RGB", (2000, 37)), (488, 466)).size
    (488, 9)
    """
    from PIL.Image import Resampling

    width, height = image.size
    if width * box[1] >= height * box[0]:
        size = (box[0], max(1, round(height * box[0] / width)))
    else:
        size = (max(1, round(width * box[1] / height)), box[1])
    return _scaled(image, size, Resampling.LANCZOS)


def _scaled(image: Image, size: tuple[int, int], method: Resampling) -> Image:
    """Across, then down: which comes first in one call differs between versions of Pillow."""
    return image.resize((size[0], image.height), method).resize(size, method)


def squared(image: Image, side: int) -> Image:
    """Fit a picture into the middle of a white square of `side` px.

    Parameters
    ----------
    image : RGB, of any size; a small one is enlarged.
    side : px, at least 1. An odd remainder goes to the right and the bottom.

    References
    ----------
    The R1-Onevision robustness study, budgeted views: one of 864 px or five of 384 px.

    Examples
    --------
    >>> from PIL import Image
    >>> squared(Image.new("RGB", (3, 2)), 384).size
    (384, 384)
    """
    from PIL import Image as PillowImage

    inner = fitted(image, (side, side))
    square = PillowImage.new("RGB", (side, side), _WHITE)
    square.paste(inner, ((side - inner.width) // 2, (side - inner.height) // 2))
    return square


__all__ = ["downsampled", "fitted", "squared"]
