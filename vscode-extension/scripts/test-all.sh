#!/usr/bin/env bash
# All tests of the extension, for continuous integration on Debian: unit tests, the suites inside the extension host, and
# the journey with the package. Needs ddl-lint in ../.venv (`make demo` puts it there), or DDL_LINT_PYTHON.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/with-editor.sh npm ci --no-audit --no-fund
scripts/with-editor.sh npm test
scripts/with-editor.sh node tests/host.mjs
# Debian's own Python has no pip, which fetches what is bundled.
PATH="$PWD/../.venv/bin:$PATH" scripts/with-editor.sh npm run package
scripts/with-editor.sh node tests/journey/journey.mjs
