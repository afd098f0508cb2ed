#!/usr/bin/env bash
# Pins the Python packages that are bundled, with the hashes of all their files, in bundled/requirements/*.txt.
# To be run by hand, when newer ones are wanted.
set -euo pipefail
cd "$(dirname "$0")/../bundled/requirements"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pip-tools
for list in pure compiled; do
    # The option keeps addresses and options of this machine's pip out of the file.
    "$work/venv/bin/pip-compile" --quiet --upgrade --generate-hashes --no-annotate --no-header --strip-extras \
        --no-emit-index-url --no-emit-find-links --no-emit-options --output-file "$work/$list.txt" "$list.in"
    { echo "# Made by scripts/lock.sh from $list.in."; cat "$work/$list.txt"; } >"$list.txt"
done
