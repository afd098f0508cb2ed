// On the page of all rules: filters over its tables, kept in the address, so that a view can be linked. Without
// JavaScript the tables are read as they are.
(() => {
  const article = document.querySelector("article");
  const tables = [...document.querySelectorAll("article table")].filter((table) => /acted on/.test(table.tHead?.textContent));
  if (!article || !tables.length) {
    return;
  }
  document.body.classList.add("rule-tables");
  const heads = [...tables[0].tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const column = Object.fromEntries(heads.map((name, index) => [name, index]));
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  const text = (row, name) => row.cells[column[name]].textContent.trim();
  const words = (row, name) => text(row, name).split(", ");
  for (const row of rows) {
    [...row.cells].forEach((cell, index) => cell.setAttribute("data-label", heads[index])); // A phone has no header row.
  }

  const share = (row) => {
    const [acted, of] = text(row, "acted on").split(" of ").map(Number);
    return of ? acted / of : -1;
  };
  const all = (name) => [...new Set(rows.flatMap((row) => words(row, name)))].filter((word) => word !== "-").sort();
  const SHARES = { "any rule": -2, "half or more": 0.5, "three quarters or more": 0.75 };

  const controls = document.createElement("form");
  controls.className = "rule-filters";
  controls.setAttribute("aria-label", "Filter the rules");
  const fields = {};
  function add(name, label, control) {
    const wrapper = document.createElement("label");
    wrapper.append(label, control);
    control.name = name;
    fields[name] = control;
    controls.append(wrapper);
  }
  function choice(name, label, options, any) {
    const select = document.createElement("select");
    select.append(new Option(any, ""), ...options.map((option) => new Option(option, option)));
    add(name, label, select);
  }
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "name, code or word";
  add("find", "Find", search);
  choice("costs", "Consequence", all("costs"), "any");
  choice("level", "Level", all("level"), "any");
  choice("fix", "Fix", all("fix"), "any");
  choice("frameworks", "Framework", all("frameworks").filter((name) => name !== "all"), "any");
  choice("acted", "Acted on", Object.keys(SHARES).slice(1), "any rule");
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  const reset = document.createElement("button");
  reset.type = "reset";
  reset.textContent = "Clear";
  controls.append(reset);
  const first = tables[0].closest("section");
  first.before(controls, status);

  const wanted = new URLSearchParams(location.search);
  for (const [name, field] of Object.entries(fields)) {
    field.value = wanted.get(name) ?? "";
  }

  function matches(row) {
    const find = search.value.trim().toLowerCase();
    const shown = `${text(row, "code")} ${text(row, "name")} ${text(row, "finds")}`.toLowerCase();
    return (
      (!find || find.split(/\s+/).every((word) => shown.includes(word))) &&
      ["costs", "level", "fix"].every((name) => !fields[name].value || words(row, name).includes(fields[name].value)) &&
      (!fields.frameworks.value || [fields.frameworks.value, "all"].some((name) => words(row, "frameworks").includes(name))) &&
      share(row) >= SHARES[fields.acted.value || "any rule"]
    );
  }

  function apply() {
    let count = 0;
    for (const row of rows) {
      row.hidden = !matches(row);
      count += row.hidden ? 0 : 1;
    }
    for (const table of tables) {
      table.closest("section").hidden = [...table.tBodies[0].rows].every((row) => row.hidden);
    }
    status.textContent = count === rows.length ? `${rows.length} rules.` : `${count} of ${rows.length} rules.`;
    const query = new URLSearchParams(
      Object.entries(fields).map(([name, field]) => [name, field.value]).filter(([, value]) => value),
    );
    history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  }

  controls.addEventListener("input", apply);
  controls.addEventListener("reset", () => setTimeout(apply));
  controls.addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
