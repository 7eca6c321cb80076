"""Operations on pictures: pure functions from images to images."""
