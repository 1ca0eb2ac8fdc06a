"""``python -m bench.python``."""

import sys

from bench.python.run import main

if __name__ == "__main__":
    sys.exit(main())
