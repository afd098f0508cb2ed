"""The language server of ddl-lint."""
