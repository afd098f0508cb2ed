# Everything happens in .venv; only Python (3.10 or newer), git and make are needed.
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

.PHONY: demo test test-nightly test-editors witness witness-tensorflow site test-site site-links clean

# Exit 1 means "there are findings", which is what a demonstration is for; anything else is a failure.
demo: .venv/installed
	@$(BIN)/ddl-lint check examples/ || [ $$? -eq 1 ]

test: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

# What random tests try beyond what fits into each run.
test-nightly: .venv/installed-dev
	$(BIN)/python -m pytest -m nightly

# Real editors, and random sequences of messages, against the real server; then the extension in a real VS Code. Installs
# the editors from Debian's archive and from npm (root is needed where Debian's are missing); SUITES="bookworm trixie
# forky" adds the newest ones. Nothing is skipped: where an editor cannot be installed, this fails and says so.
SUITES ?= bookworm trixie
SEQUENCES ?= 500
EDITS ?= 1800
test-editors: .venv/installed-dev
	tests/editors/install.sh $(SUITES)
	vscode-extension/scripts/editor-tools.sh
	DDL_LINT_EDITORS_REQUIRED=1 DDL_LINT_SEQUENCES=$(SEQUENCES) DDL_LINT_EDITS=$(EDITS) \
		$(BIN)/python -m pytest tests/server/test_clients.py tests/editors
	vscode-extension/scripts/test-all.sh

# The faults and their fixes under the real frameworks, in two processes on the CPU. Installs PyTorch, which is large, in
# the build for the CPU; elsewhere than on Linux that is the usual one. Then the frameworks on top of it, which ask for no
# more. What was seen is written down, and told on the rules' pages.
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
TRAINERS ?= accelerate==1.15.0 lightning==2.6.6 transformers==5.23.0
witness: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 --no-deps \
		--extra-index-url $(TORCH_INDEX) $(TORCH)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH) $(TRAINERS)
	DDL_LINT_WITNESSED=rules/ddl_lint_rules/witnessed.json $(BIN)/python -m pytest -n 2 -k "not tensorflow" tests/witness
	$(BIN)/python -m ddl_lint.pages.docs

# The same for TensorFlow and Keras, in an environment of its own: what they need does not go with the others.
TENSORFLOW ?= tensorflow==2.21.0 jax==0.10.2
witness-tensorflow: .venv/created
	$(PYTHON) -m venv .venv-tensorflow
	.venv-tensorflow/bin/python -m pip install --quiet --disable-pip-version-check $(TENSORFLOW) --editable ".[dev]"
	DDL_LINT_WITNESSED=rules/ddl_lint_rules/witnessed.json TF_CPP_MIN_LOG_LEVEL=3 \
		.venv-tensorflow/bin/python -m pytest -n 2 -k tensorflow tests/witness
	.venv-tensorflow/bin/python -m ddl_lint.pages.docs

# The documentation as a site, with search and the playground; broken links inside of it fail.
site: .venv/installed-site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -d build/doctrees docs build/site

# The playground and the search for error messages in a real browser, CHROMIUM.
CHROMIUM ?= chromium
test-site: site
	cd docs/playground && CHROMIUM=$(CHROMIUM) ../../$(BIN)/node --test

# The links that lead out of it, too: needs a network.
site-links: .venv/installed-site
	$(BIN)/sphinx-build --quiet -b linkcheck -d build/doctrees docs build/linkcheck

.venv/installed-site: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[site]"
	@touch $@

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
	rm -rf .venv .venv-tensorflow build dist .pytest_cache .ruff_cache .import_linter_cache
