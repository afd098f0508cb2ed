"""Start the language server: `start_server.py environment|TAG [ARGUMENT ...]`.

`environment` runs the ddl-lint that is installed for this interpreter. A tag such as `cp312` runs the bundled one, with
the compiled libraries of that folder. Starting a script instead of `-m` keeps the working directory off the module
path: the folder that is checked must not be able to offer a module.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = HERE.parent / "libs"

# The folder of this script: nothing is imported from it.
sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != HERE]

choice, arguments = sys.argv[1], sys.argv[2:]
if choice != "environment":
    sys.path[:0] = [str(LIBRARIES / "common"), str(LIBRARIES / choice)]

import ddl_lint.__main__  # noqa: E402, F401 - the path is set only now; this takes the working directory off it
from ddl_lint.commands.main import main  # noqa: E402

if __name__ == "__main__":
    # A worker of an older ddl-lint imports this file again, and must not start a second server.
    sys.exit(main(["server", *arguments]))
