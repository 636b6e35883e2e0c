# Two commands do everything on a fresh machine: `make demo` and `make test`. `make help` lists the rest.
#
# Expensive things are made once and kept outside the tree, so that a clean clone finds them again: the compiled llama.cpp
# wheel and the weights. Every step leaves a stamp only when it succeeded: an interrupted run goes on where it stopped.

CACHE   := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/madeleine
export MADELEINE_MODELS := $(or $(MADELEINE_MODELS),$(CACHE)/models)

VENV    := .venv
BIN     := $(VENV)/bin
STAMPS  := $(VENV)/stamps
WEIGHTS := minilm-l6-v2-int8 efficientnet-lite0 dlib-face whisper-base qwen2.5-coder-1.5b-instruct-q4_k_m
# The smaller language model is only asked for by the tests.
TEST_WEIGHTS := $(WEIGHTS) qwen2.5-coder-0.5b-instruct-q4_k_m

.PHONY: help demo test check-fast unit integration lint setup weights test-weights bundle clean system
.DEFAULT_GOAL := help

help:
	@echo "make demo        set everything up, draw the sample album, answer questions about it and open the window"
	@echo "make test        set everything up and run every check: style, types, layers, dead code, unit and integration tests"
	@echo "make check-fast  the same without weights and without integration tests"
	@echo "make setup       only install (needs the network once; afterwards nothing does)"
	@echo "make weights     only fetch the starter weights into $(MADELEINE_MODELS)"
	@echo "make bundle      freeze the program into dist/ and try it"
	@echo "make clean       remove what was made in this folder (wheels and weights outside it are kept)"

demo: setup weights
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname -s)" = Darwin ]; then \
	    $(BIN)/madeleine demo; else $(BIN)/madeleine demo --headless; fi

# One after the other also under `make -j`: two test runs at once would only take each other's processor.
test: setup
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory integration

check-fast: setup
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory unit

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture

unit: setup
	$(BIN)/python -m pytest -m "not integration"

integration: setup test-weights
	$(BIN)/python -m pytest -m integration

# ---- set-up ------------------------------------------------------------------------------------------------------------

setup: system $(STAMPS)/installed

# Cheap when nothing is missing, so it runs every time.
system:
	@bash installers/setup/system_packages.sh

$(VENV)/bin/python: | system
	@bash installers/setup/create_venv.sh $(VENV)

# llama-cpp-python comes as source only; it is compiled once for this kind of processor.
$(STAMPS)/llama: pyproject.toml installers/setup/llama_wheel.sh | $(VENV)/bin/python
	@mkdir -p $(STAMPS)
	bash installers/setup/llama_wheel.sh $(BIN)/python $(CACHE)/wheels
	@touch $@

$(STAMPS)/installed: pyproject.toml $(STAMPS)/llama
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

weights: $(STAMPS)/installed
	@bash installers/setup/get_weights.sh $(BIN)/madeleine $(WEIGHTS)

test-weights: $(STAMPS)/installed
	@bash installers/setup/get_weights.sh $(BIN)/madeleine $(TEST_WEIGHTS)

# ---- the frozen program ------------------------------------------------------------------------------------------------

bundle: setup
	$(BIN)/python -m installers.build
	$(BIN)/python -m installers.smoke_test dist/madeleine

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
