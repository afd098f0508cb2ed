"""Edits of Python files: places in a program, statements, arguments, names, in the layout that is there."""
