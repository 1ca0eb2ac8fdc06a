"""`python -m linecaster.json`: the command-line tool, as `python -m json` from 3.14 on."""

import sys

from linecaster.json import tool

if __name__ == "__main__":
    try:
        tool.main()
    except BrokenPipeError as error:
        sys.exit(error.errno)
