"""`python -m ddl_lint`: the same as the `ddl-lint` command."""

from __future__ import annotations

import os
import sys

# `-m` puts the working directory in front of the path, and that is where the checked code lies: nothing may be imported
# from it, unless it is the checkout that this very package is started from.
if sys.path and sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(os.path.abspath(__file__))):
    del sys.path[0]

from ddl_lint.cli import main

if __name__ == "__main__":  # the processes that lower files import this module, too
    sys.exit(main())
