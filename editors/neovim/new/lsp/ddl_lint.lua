-- ~/.config/nvim/lsp/ddl_lint.lua
return {
  cmd = { "ddl-lint", "server" },
  filetypes = { "python", "sh", "bash", "yaml", "json", "jsonc", "dockerfile", "make", "requirements", "toml" },
  root_markers = { "ddl-lint.toml", "pyproject.toml", ".git" },
}
