#!/usr/bin/env bash
# Installs the editors that tests/editors drives, from Debian's archive and from nowhere else.
#
#     tests/editors/install.sh [SUITE...]        default: bookworm trixie
#
# The editors of the release that this machine runs are installed with apt (root is needed). Those of other releases
# are unpacked, with their own C library, into .venv/editors/<suite>, where they disturb nobody: bookworm has the
# Neovim 0.7 that findings must be sent to, trixie the Neovim 0.10 that asks for them, and Helix. `forky` (testing)
# adds the newest ones. A second run only looks whether all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

[ -r /etc/os-release ] || fail "this is no Debian: there is no /etc/os-release"
# shellcheck source=/dev/null
. /etc/os-release
[ "${ID:-}" = debian ] || fail "this installs on Debian only, and this is ${PRETTY_NAME:-something else}"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "$keyring is missing: apt-get install debian-archive-keyring"

packages_of() { # of a suite, where it is not the one that the machine runs
    case "$1" in
    bookworm) echo neovim ;;
    *) echo neovim hx ;;
    esac
}

install_here() {
    local wanted missing=() package
    # emacs-nox brings eglot along from Emacs 29 (trixie) on. Helix is driven in a terminal that tmux makes.
    case "$VERSION_CODENAME" in
    bookworm) wanted="neovim emacs-nox elpa-eglot tmux" ;;
    *) wanted="neovim emacs-nox hx tmux" ;;
    esac
    for package in $wanted; do
        dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed \
            || missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ]; then
        echo "install.sh: $VERSION_CODENAME: already installed: $wanted"
        return
    fi
    [ "$(id -u)" = 0 ] || fail "${missing[*]} must be installed with apt, which needs root"
    echo "install.sh: $VERSION_CODENAME: installing ${missing[*]}"
    apt-get update -qq || fail "apt-get update failed"
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null \
        || fail "apt-get could not install ${missing[*]}"
}

unpack() {
    local suite=$1 home work packages archive
    packages=$(packages_of "$suite")
    home=$PWD/.venv/editors/$suite
    if [ -e "$home/complete" ]; then
        echo "install.sh: $suite: already unpacked in .venv/editors/$suite: $packages"
        return
    fi
    echo "install.sh: $suite: unpacking $packages into .venv/editors/$suite"
    rm -rf "$home"
    mkdir -p "$home"
    work=$(mktemp -d)
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
    : >"$work/status" # apt is told that nothing is installed, so it fetches the C library as well
    echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >"$work/sources.list"
    local apt=(apt-get -qq -o "Dir::State=$work/state" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache"
        -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Acquire::Languages=none)
    [ "$(id -u)" != 0 ] || apt+=(-o APT::Sandbox::User=root) # the folder is ours, apt's own user may not enter it
    "${apt[@]}" update || fail "the package lists of $suite cannot be had"
    # shellcheck disable=SC2086 # a list of words
    "${apt[@]}" -y --no-install-recommends --download-only install $packages >/dev/null \
        || fail "$packages of $suite cannot be had"
    for archive in "$work"/cache/archives/*.deb; do
        dpkg-deb --extract "$archive" "$home" || fail "$archive cannot be unpacked"
    done
    rm -rf "$work"
    touch "$home/complete"
}

[ $# -gt 0 ] || set -- bookworm trixie
for suite in "$@"; do
    [ "$suite" = "${VERSION_CODENAME:-}" ] || unpack "$suite"
done
install_here
