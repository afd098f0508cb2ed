-- ~/.config/nvim/plugin/ddl_lint.lua
local markers = { "ddl-lint.toml", "pyproject.toml", ".git" }
local types = { "python", "sh", "bash", "yaml", "json", "jsonc", "dockerfile", "make", "requirements", "toml" }
local clients = {} -- by root, for Neovim 0.7, which does not know by itself that a server runs already

local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  local parent = folder
  repeat
    folder, parent = parent, vim.fn.fnamemodify(parent, ":h")
    for _, marker in ipairs(markers) do
      if vim.loop.fs_stat(folder .. "/" .. marker) then
        return folder
      end
    end
  until folder == parent
  return vim.fn.fnamemodify(file, ":p:h")
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = types,
  callback = function(event)
    if vim.bo[event.buf].buftype ~= "" then
      return
    end
    local root = root_of(event.file)
    local config = { name = "ddl-lint", cmd = { "ddl-lint", "server" }, root_dir = root }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
      return
    end
    local client = clients[root]
    if not client or not vim.lsp.get_client_by_id(client) then
      client = vim.lsp.start_client(config)
      clients[root] = client
    end
    if client then
      vim.lsp.buf_attach_client(event.buf, client)
    end
  end,
})
