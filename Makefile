# Everything happens in .venv; only Python (3.10 or newer), git and make are needed.
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

.PHONY: demo test witness clean

# Exit 1 means "there are findings", which is what a demonstration is for; anything else is a failure.
demo: .venv/installed
	@$(BIN)/ddl-lint check examples/ || [ $$? -eq 1 ]

test: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

# The faults and their fixes under the real framework, in two processes on the CPU. Installs PyTorch, which is large.
witness: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "torch>=2.9"
	$(BIN)/python -m pytest -n 1 tests/witness

.venv/created:
	$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: .venv/created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

clean:
	rm -rf .venv build dist .pytest_cache .ruff_cache .import_linter_cache
