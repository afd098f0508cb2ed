-- What a person does in Neovim, without the person: open, wait for the finding, quick fix, save. Runs in 0.7 and newer.
-- The environment names the file to mend, the file whose text must not matter, and where to write what was seen.
local seen = { steps = {} }

local function step(name)
  table.insert(seen.steps, name)
end

local function finish(failure)
  seen.failure = failure
  vim.fn.writefile({ vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen) }, vim.env.DRIVE_REPORT)
  vim.cmd("qall!")
end

local function wait(what, ready)
  if not vim.wait(tonumber(vim.env.DRIVE_PATIENCE or 60) * 1000, ready, 20) then
    error("waited in vain for " .. what)
  end
end

local function shown(buffer)
  local result = {}
  for _, finding in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(result, { line = finding.lnum, from = finding.col, to = finding.end_col, code = finding.code, source = finding.source })
  end
  return result
end

local function drive()
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.DRIVE_TARGET))
  local target = vim.api.nvim_get_current_buf()
  wait("findings", function() return #vim.diagnostic.get(target) > 0 end)
  seen.first = shown(target)
  step("found")

  -- A change of the other file, which is not saved: without the wrapper there is nothing to say, with it there is.
  vim.cmd("split " .. vim.fn.fnameescape(vim.env.DRIVE_OTHER))
  local other = vim.api.nvim_get_current_buf()
  local lines = vim.api.nvim_buf_get_lines(other, 0, -1, false)
  local changed = vim.tbl_map(function(line) return (line:gsub("DistributedDataParallel%b()", "nn.Linear(8, 8)")) end, lines)
  vim.api.nvim_buf_set_lines(other, 0, -1, false, changed)
  wait("the finding to go with its cause in the other file", function() return #vim.diagnostic.get(target) == 0 end)
  step("gone with its cause")
  vim.api.nvim_buf_set_lines(other, 0, -1, false, lines)
  wait("the finding to come back", function() return #vim.diagnostic.get(target) > 0 end)
  seen.again = shown(target)
  step("back with its cause")
  vim.cmd("close!")

  local finding = vim.diagnostic.get(target)[1]
  vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
  vim.ui.select = function(items, options, choose)
    seen.menu = vim.tbl_map(options.format_item, items)
    for index, title in ipairs(seen.menu) do
      if title:find(vim.env.DRIVE_TITLE, 1, true) then
        return choose(items[index], index)
      end
    end
    choose(nil, nil)
  end
  local before = vim.api.nvim_buf_get_changedtick(target)
  vim.lsp.buf.code_action()
  wait("the quick fix", function() return vim.api.nvim_buf_get_changedtick(target) ~= before or (seen.menu and #seen.menu == 0) end)
  step("fixed")
  wait("the finding to go", function() return #vim.diagnostic.get(target) == 0 end)
  step("clean")
  vim.cmd("silent write")
  step("saved")
end

local fine, failure = xpcall(drive, debug.traceback)
finish(not fine and tostring(failure) or nil)
