"""``python -m bench.jsonnet``."""

import sys

from bench.jsonnet.run import main

if __name__ == "__main__":
    sys.exit(main())
