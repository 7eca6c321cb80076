"""Sets of scenes as files: made, verified, frozen, shown. `python -m harness scenes`."""
