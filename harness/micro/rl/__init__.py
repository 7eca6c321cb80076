"""GSPO with DAPO's clip and filter on the embedded model: a binary reward against a dense one."""
