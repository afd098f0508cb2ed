"""Edits of configuration and launch texts: JSON, YAML and shell, at key paths, comments and formatting kept."""
