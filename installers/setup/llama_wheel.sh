#!/usr/bin/env bash
# Installs llama-cpp-python from a wheel compiled once for this kind of processor: llama_wheel.sh PYTHON WHEEL_FOLDER
#
# The package comes as source only. A default build uses every instruction of the machine it ran on and crashes on others, so
# the instruction set is named: AVX2 (every x86-64 processor since about 2014), the plain one where that is missing.
# These flags build in 5-8 minutes on two cores instead of 12 and still hold the vision library.
set -euo pipefail
python=$1
wheels=$2

version=$(sed -n 's/.*"llama-cpp-python==\([0-9.]*\)".*/\1/p' pyproject.toml)
flags="-DGGML_NATIVE=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_SERVER=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O2"
if [ "$(uname -s)" = Linux ] && [ "$(uname -m)" = x86_64 ]; then
    if grep -q -w avx2 /proc/cpuinfo; then
        flags="$flags -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON"
    else
        wheels=$wheels/without-avx2
        flags="$flags -DGGML_AVX=OFF -DGGML_AVX2=OFF -DGGML_BMI2=OFF -DGGML_FMA=OFF -DGGML_F16C=OFF"
    fi
fi
mkdir -p "$wheels"

find_wheel() {
    # The name of a wheel ends in the processor it is for.
    find "$wheels" -maxdepth 1 -name "llama_cpp_python-$version-*$(uname -m).whl" | head -n 1
}

wheel=$(find_wheel)
if [ -z "$wheel" ]; then
    echo "Compiling llama.cpp once (5-12 minutes on two cores); the wheel is kept in $wheels"
    building=$(mktemp -d)
    trap 'rm -rf "$building"' EXIT
    # Never from pip's own cache: a wheel in there may have been built with other flags.
    CMAKE_ARGS=$flags CMAKE_BUILD_PARALLEL_LEVEL=$(nproc 2>/dev/null || sysctl -n hw.ncpu) \
        "$python" -m pip wheel --quiet --no-cache-dir --no-deps --wheel-dir "$building" "llama-cpp-python==$version"
    # Moved in one step under its final name: an interrupted build leaves nothing behind that looks finished.
    for built in "$building"/*.whl; do
        cp "$built" "$wheels/.incoming.$$"
        mv "$wheels/.incoming.$$" "$wheels/$(basename "$built")"
    done
    wheel=$(find_wheel)
fi
"$python" -m pip install --quiet --no-deps "$wheel"
