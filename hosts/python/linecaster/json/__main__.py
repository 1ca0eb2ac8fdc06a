"""`python -m linecaster.json`: the command-line tool, as `python -m json` from 3.14 on."""

from linecaster.json import tool

if __name__ == "__main__":
    tool._run()
