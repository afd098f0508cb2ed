-- The same for a launch file: what is wrong in the buffer is shown, and gone once it is right there, saved or not.
local seen = { steps = {} }

local function finish(failure)
  seen.failure = failure
  vim.fn.writefile({ vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen) }, vim.env.DRIVE_REPORT)
  vim.cmd("qall!")
end

local function wait(what, ready)
  if not vim.wait(tonumber(vim.env.DRIVE_PATIENCE or 60) * 1000, ready, 20) then
    error("waited in vain for " .. what)
  end
  table.insert(seen.steps, what)
end

local function drive()
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.DRIVE_TARGET))
  local buffer = vim.api.nvim_get_current_buf()
  wait("a finding", function() return #vim.diagnostic.get(buffer) > 0 end)
  seen.code = vim.diagnostic.get(buffer)[1].code
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local right = vim.tbl_map(function(line) return (line:gsub("per_nodes", "per_node")) end, lines)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, right)
  wait("none in the text that is right", function() return #vim.diagnostic.get(buffer) == 0 end)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  wait("a finding again", function() return #vim.diagnostic.get(buffer) > 0 end)
  local finding = vim.diagnostic.get(buffer)[1]
  vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
  vim.ui.select = function(items, _, choose)
    seen.menu = #items
    choose(items[1], 1)
  end
  vim.lsp.buf.code_action()
  wait("the fix", function() return #vim.diagnostic.get(buffer) == 0 end)
  vim.cmd("silent write")
end

local fine, failure = xpcall(drive, debug.traceback)
finish(not fine and tostring(failure) or nil)
