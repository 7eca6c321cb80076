"""`python -m harness.bridge COMMAND`."""

import sys

from harness.bridge.command import main

if __name__ == "__main__":
    sys.exit(main())
