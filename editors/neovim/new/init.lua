-- ~/.config/nvim/init.lua
vim.lsp.enable("ddl_lint")
