"""`python -m ddl_lint`: the same as the `ddl-lint` command."""

from __future__ import annotations

import sys

from ddl_lint.cli import main

sys.exit(main())
