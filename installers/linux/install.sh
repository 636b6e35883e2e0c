#!/usr/bin/env bash
# Installs Madeleine for the person who runs it, without root: ./install.sh [--remove]
# Libraries (photos, databases, weights) are never touched, also not by --remove.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
program=$share/madeleine-program
link=$HOME/.local/bin/madeleine
entry=$share/applications/madeleine.desktop
icon=$share/icons/hicolor/scalable/apps/madeleine.svg

if [ "${1:-}" = --remove ]; then
    rm -rf "$program"
    rm -f "$link" "$entry" "$icon"
    echo "Removed. Your library and the models are where they were."
    exit 0
fi

# The old program stays until the new one is complete.
rm -rf "$program.incoming"
mkdir -p "$(dirname "$program")" "$(dirname "$link")" "$(dirname "$entry")" "$(dirname "$icon")"
cp -a "$here/program" "$program.incoming"
rm -rf "$program"
mv "$program.incoming" "$program"
ln -sfn "$program/madeleine" "$link"
sed "s#^Exec=.*#Exec=\"$program/madeleine\"#" "$here/madeleine.desktop" >"$entry"
if [ -f "$here/madeleine.svg" ]; then
    cp "$here/madeleine.svg" "$icon"
fi
echo "Installed. Open Madeleine from the menu, or run: $link"
