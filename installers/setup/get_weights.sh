#!/usr/bin/env bash
# Fetches weights that are not there yet into $MADELEINE_MODELS: get_weights.sh MADELEINE_COMMAND MODEL_ID...
set -euo pipefail
madeleine=$1
shift

# The command checks every hash; a folder that passed once is not read again at each `make`.
stamps=$MADELEINE_MODELS/.complete
mkdir -p "$stamps"
for model in "$@"; do
    if [ -e "$stamps/$model" ] && [ -d "$MADELEINE_MODELS/$model" ]; then
        continue
    fi
    echo "Weights of $model:"
    "$madeleine" models get "$model"
    touch "$stamps/$model"
done
