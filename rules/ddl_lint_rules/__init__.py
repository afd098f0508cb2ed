"""The built-in rules: one folder per rule, found through the entry point group `ddl_lint.registry.rules`."""
