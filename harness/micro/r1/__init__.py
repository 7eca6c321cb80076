"""Three checkpoints of the robustness study: Base, SFT and RL at micro scale."""
