"""`python -m ddl_lint`: the same as the `ddl-lint` command."""

import sys

from ddl_lint import search_path

search_path.leave_checked_code_out(sys.argv[1:])  # `-m` has put the working directory first


def main() -> int:
    """Run the command line and return the exit code."""
    from ddl_lint.commands import main as cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
