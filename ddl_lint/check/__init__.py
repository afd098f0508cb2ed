"""The service for the command line and the language server: checks projects, fixes files, keeps results."""
