"""`python -m ddl_lint`: the same as the `ddl-lint` command."""

import gc
import sys

from ddl_lint import search_path

search_path.leave_checked_code_out(sys.argv[1:])  # `-m` has put the working directory first


def main() -> int:
    """Run the command line and return the exit code."""
    gc.set_threshold(500_000, 20, 100)  # what is loaded first lives as long as this process: collecting finds nothing
    from ddl_lint.commands import main as cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
