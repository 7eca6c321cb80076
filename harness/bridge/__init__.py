"""The bridge to other harnesses: run or read them, and score and compare what they stored."""
