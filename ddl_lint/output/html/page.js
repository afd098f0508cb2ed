"use strict";
// What all pages add to themselves: jumps from place to place, and blocks that open. All can be read without.
const page = (() => {
  const byId = (id) => document.getElementById(id);

  /** Opens the blocks around an element. */
  function reveal(element) {
    for (let around = element.closest("details"); around; around = around.parentElement.closest("details")) {
      around.open = true;
    }
  }

  /** Jumps between elements, round and round, by buttons and by the keys `n` and `p`. */
  function jumps(stops, block) {
    let current = -1;
    function go(wanted) {
      const shown = stops.filter((stop) => !stop.hidden);
      if (shown.length === 0) {
        return;
      }
      current = (wanted + shown.length) % shown.length;
      reveal(shown[current]);
      shown[current].focus({ preventScroll: true });
      shown[current].scrollIntoView({ block });
      byId("position").textContent = `${current + 1} of ${shown.length}`;
    }
    const next = () => go(current + 1);
    const previous = () => go(current < 0 ? -1 : current - 1);
    byId("next")?.addEventListener("click", next);
    byId("previous")?.addEventListener("click", previous);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select")) {
        return;
      }
      const action = { n: next, p: previous }[event.key];
      if (action) {
        event.preventDefault();
        action();
      }
    });
  }

  /** Opens blocks all at once, by a button, and on paper. */
  function folding(blocks) {
    const asMade = blocks.map((block) => block.open);
    byId("unfold").addEventListener("click", (event) => {
      const all = event.currentTarget.getAttribute("aria-pressed") !== "true";
      event.currentTarget.setAttribute("aria-pressed", String(all));
      blocks.forEach((block, index) => {
        block.open = all || asMade[index];
      });
    });
    let before = [];
    addEventListener("beforeprint", () => {
      before = blocks.map((block) => block.open);
      blocks.forEach((block) => {
        block.open = true;
      });
    });
    addEventListener("afterprint", () => {
      blocks.forEach((block, index) => {
        block.open = before[index];
      });
    });
  }

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("a[href^='#']");
    const target = place && byId(place.hash.slice(1));
    if (target) {
      reveal(target);
    }
  });

  byId("tools").hidden = false;
  return { byId, reveal, jumps, folding };
})();
