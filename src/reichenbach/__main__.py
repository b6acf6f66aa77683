"""`python -m reichenbach`: the same as the console script."""

from __future__ import annotations

import sys

from reichenbach.training.cli import main

if __name__ == "__main__":
    sys.exit(main())
