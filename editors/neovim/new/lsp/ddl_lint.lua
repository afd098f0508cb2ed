-- ~/.config/nvim/lsp/ddl_lint.lua
return {
  cmd = { "ddl-lint", "server" },
  filetypes = { "python" },
  root_markers = { "ddl-lint.toml", "pyproject.toml", ".git" },
}
