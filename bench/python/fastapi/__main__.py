"""``python -m bench.python.fastapi``."""

import sys

from bench.python.fastapi.run import main

if __name__ == "__main__":
    sys.exit(main())
