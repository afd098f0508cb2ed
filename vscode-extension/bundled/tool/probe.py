"""Tell the extension about the interpreter that runs this: version, installed ddl-lint, bundled libraries that fit.

Runs under any Python since 2.7, so that an old one gets an answer instead of a syntax error. Imports nothing but the
standard library: what is installed is looked up, not loaded.
"""

# ruff: noqa: I002, UP031, UP036 - old versions know neither that import nor f-strings, and are what is asked about

import json
import os
import sys


def main(bundle):
    """Print what is known as one JSON object."""
    known = {
        "version": ".".join(str(part) for part in sys.version_info[:3]),
        "executable": sys.executable,
        "ddlLint": None,
        "hasServer": False,
        "bundle": None,
    }
    if sys.version_info >= (3, 10):
        known.update(_installed())
        known["bundle"] = _fitting_libraries(bundle)
    json.dump(known, sys.stdout)


def _installed():
    from importlib import metadata
    from importlib.util import find_spec

    try:
        version = metadata.version("ddl-lint")
    except metadata.PackageNotFoundError:
        return {}
    # The parent package is what a dotted name would import, so it is asked for the top level only.
    needed = ("ddl_lint_server", "lsprotocol", "pygls")  # the last two are an extra
    return {"ddlLint": version, "hasServer": all(find_spec(name) is not None for name in needed)}


def _fitting_libraries(bundle):
    """Return the folder of compiled libraries that this interpreter can load, or None.

    The file name of a compiled module names implementation, version, processor and C library, so a package that was
    bundled for another platform is noticed here and not in a crash.
    """
    from importlib.machinery import EXTENSION_SUFFIXES

    tag = "cp%d%d" % sys.version_info[:2]
    package = os.path.join(bundle, tag, "libcst")
    for suffix in EXTENSION_SUFFIXES:
        if suffix.count(".") > 1 and os.path.exists(os.path.join(package, "native" + suffix)):
            return tag
    return None


if __name__ == "__main__":
    main(sys.argv[1])
