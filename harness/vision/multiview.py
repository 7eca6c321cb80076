"""Several views of one picture: the whole and its four quadrants."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

N_VIEWS = 5
Box = tuple[int, int, int, int]


def quadrant_boxes(width: int, height: int, overlap: float) -> tuple[Box, Box, Box, Box]:
    """Boxes (left, top, right, bottom) of the four quadrants, in reading order.

    The picture is split at (width // 2, height // 2), and each quadrant reaches over the split
    by round(side·`overlap`) px (halves to the even number), so two neighbours share twice that.

    Parameters
    ----------
    width, height : px, at least 1.
    overlap : share of the side, in [0, 0.5].

    Returns
    -------
    tuple of four boxes
        Inside the picture, together all of it, none empty: of a side of 1 px both halves are
        that pixel.

    References
    ----------
    The R1-Onevision robustness study, image mode global_plus_quadrants (overlap 0.12).

    Examples
    --------
    >>> quadrant_boxes(640, 480, 0.12)[0]
    (0, 0, 397, 298)
    >>> quadrant_boxes(640, 480, 0.12)[3]
    (243, 182, 640, 480)
    """
    (x0, x1), (y0, y1) = (_inner(side, overlap) for side in (width, height))
    return (
        (0, 0, x1, y1),
        (x0, 0, width, y1),
        (0, y0, x1, height),
        (x0, y0, width, height),
    )


def _inner(side: int, overlap: float) -> tuple[int, int]:
    """Where the far half begins and the near half ends."""
    reach = round(side * overlap)
    return max(0, side // 2 - reach), max(1, min(side, side // 2 + reach))


def with_quadrants(image: Image, overlap: float) -> tuple[Image, ...]:
    """The picture itself and its four quadrants, in reading order: five pictures.

    Examples
    --------
    >>> from PIL import Image
    >>> [view.size for view in with_quadrants(Image.new("RGB", (100, 10)), 0.12)]
    [(100, 10), (62, 6), (62, 6), (62, 6), (62, 6)]
    """
    boxes = quadrant_boxes(image.width, image.height, overlap)
    return (image, *(image.crop(box) for box in boxes))


__all__ = ["N_VIEWS", "quadrant_boxes", "with_quadrants"]
