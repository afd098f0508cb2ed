"use strict";
// In a panel of an editor, places open there, and what only an editor can do is offered. Elsewhere this does nothing.
const editor = (() => {
  if (typeof acquireVsCodeApi !== "function") {
    return undefined;
  }
  const host = acquireVsCodeApi();
  for (const place of document.querySelectorAll("[data-file]:not(a)")) {
    place.setAttribute("role", "link");
    place.tabIndex = 0;
    place.classList.add("opens");
  }
  for (const offered of document.querySelectorAll("[data-trace]")) {
    offered.hidden = false;
  }
  document.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  const act = (event) => {
    const traced = event.target.closest?.("[data-trace]");
    const place = event.target.closest?.("[data-file]");
    if (!traced && !place) {
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // the source lines of the page stay folded
    if (traced) {
      host.postMessage({ type: "trace", file: traced.dataset.trace });
      return;
    }
    const { file, line, column, cell } = place.dataset;
    host.postMessage({ type: "open", file, line: Number(line), column: Number(column), cell: Number(cell ?? 0) });
  };
  document.addEventListener("click", act, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("[data-file]:not(a)")) {
      act(event);
    }
  });
  return host;
})();
