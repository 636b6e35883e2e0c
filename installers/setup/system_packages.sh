#!/usr/bin/env bash
# Sees to the system packages: installs the missing ones as root, else prints the one line to run.
set -euo pipefail

# Without these nothing can be installed or no window toolkit loads, not even off screen.
needed=(
    python3-venv  # Debian's Python comes without ensurepip
    g++ make      # compile llama.cpp
    libegl1 libgl1 libglib2.0-0 libfontconfig1 libdbus-1-3 libxkbcommon0  # loaded by QtGui itself
)
# Without these something is missing: windows under X11, legible text, real-window tests, the sample album's spoken clips.
wanted=(
    libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xinerama0 libxcb-image0 libxcb-randr0
    libxcb-render-util0 libxkbcommon-x11-0
    libwayland-cursor0 libwayland-egl1
    fonts-dejavu-core
    xvfb xauth
    espeak-ng
)

PATH=$PATH:/sbin:/usr/sbin  # ldconfig, which a person's own PATH lacks on Debian

if ! command -v dpkg-query >/dev/null; then
    # Another system: say it once, and go on; what is really missing shows itself by name.
    if [ "$(uname -s)" = Linux ]; then
        echo "Not a Debian system: if a library is missing below, install your system's counterparts of: ${needed[*]} ${wanted[*]}" >&2
    fi
    exit 0
fi

missing() {
    local package
    for package in "$@"; do
        case $package in
            python3-venv) if python3 -c 'import ensurepip' 2>/dev/null; then continue; fi ;;
            g++) if command -v c++ >/dev/null; then continue; fi ;;
            libglib2.0-0) if ldconfig -p | grep -q libglib-2.0.so.0; then continue; fi ;;  # libglib2.0-0t64 on newer Debian
        esac
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed'; then
            echo "$package"
        fi
    done
}

mapfile -t lacking < <(missing "${needed[@]}")
mapfile -t lacking_comfort < <(missing "${wanted[@]}")
if [ $((${#lacking[@]} + ${#lacking_comfort[@]})) -eq 0 ]; then
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -q -y --no-install-recommends "${lacking[@]}" "${lacking_comfort[@]}"
    exit 0
fi

echo "System packages are missing. Run this line, then the same make command again:" >&2
echo "    sudo apt-get install --no-install-recommends ${lacking[*]} ${lacking_comfort[*]}" >&2
if [ ${#lacking[@]} -gt 0 ]; then
    exit 1
fi
echo "Going on without them: nothing needed is missing, but windows or the spoken clips may be." >&2
