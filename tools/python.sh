#!/bin/sh
# Runs its arguments with the first Python (3.8 or newer) that really starts.
#
# The scripts in tools/ only need some Python 3; which CPythons Linecaster is
# built for is found out by tools/interpreters.py. A name on PATH proves
# nothing: a pyenv shim may be there and fail.
set -eu
first_listed=${PYTHONS:-}
first_listed=${first_listed%%[ :,]*}
for candidate in "$first_listed" python3 /usr/bin/python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
    [ -n "$candidate" ] || continue
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 8))' >/dev/null 2>&1; then
        exec "$candidate" -B "$@"
    fi
done
echo "error: no Python 3 (3.8 or newer) that starts was found." >&2
echo "  Debian and Ubuntu: apt-get install python3 python3-venv" >&2
exit 1
