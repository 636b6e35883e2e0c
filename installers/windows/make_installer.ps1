# Builds, tries and packs the program on Windows. Not run yet: see the README.
# Needs Python 3.11-3.13, the C++ build tools of Visual Studio (llama.cpp is compiled) and Inno Setup 6 (iscc on the PATH).
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Checked([string] $Program, [string[]] $Arguments) {
    & $Program @Arguments
    if ($LASTEXITCODE -ne 0) { throw "$Program $Arguments ended with $LASTEXITCODE" }
}

if (-not (Test-Path .venv)) { Invoke-Checked "py" @("-3", "-m", "venv", ".venv") }
$python = ".venv\Scripts\python.exe"
# Named instruction sets: a default build runs only on the machine that built it.
$env:CMAKE_ARGS = "-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_SERVER=OFF"
Invoke-Checked $python @("-m", "pip", "install", "--editable", ".[dev]")
Invoke-Checked $python @("-m", "installers.build")
Invoke-Checked $python @("-m", "installers.smoke_test", "dist\madeleine")

$version = (Select-String -Path pyproject.toml -Pattern '^version = "(.*)"').Matches[0].Groups[1].Value
Invoke-Checked "iscc" @("/DVersion=$version", "installers\windows\madeleine.iss")
