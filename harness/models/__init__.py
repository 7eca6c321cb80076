"""Models: loaded checkpoints, replayed predictions, baselines and stand-ins behind one protocol."""
