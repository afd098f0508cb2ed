"""Measures ddl-lint: `python -m benchmarks` makes the tables of `README.md`, others answer one question."""
