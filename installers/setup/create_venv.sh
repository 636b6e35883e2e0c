#!/usr/bin/env bash
# Makes the virtual environment with a Python that the project supports: create_venv.sh FOLDER
set -euo pipefail
folder=$1

is_supported() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

for python in ${PYTHON:-} python3 python3.11 python3.12 python3.13; do
    if command -v "$python" >/dev/null && is_supported "$python"; then
        # --clear: a folder left by an interrupted run has a python but no pip.
        "$python" -m venv --clear "$folder"
        # Upgraded because Debian 12 ships a pip that knows no dependency groups and resolves slowly.
        "$folder/bin/python" -m pip install --quiet --upgrade pip
        exit 0
    fi
done

echo "Madeleine needs Python 3.11, 3.12 or 3.13, and none was found on this machine's PATH." >&2
echo "Install one (on Debian and Ubuntu: sudo apt-get install python3 python3-venv), or name one: make PYTHON=/path/to/python3.12 ..." >&2
exit 1
