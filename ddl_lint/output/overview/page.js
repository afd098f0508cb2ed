"use strict";
// What the page adds to itself: jumps from finding to finding, and blocks that open all at once. All can be read without.
(() => {
  const byId = (id) => document.getElementById(id);
  const findings = [...document.querySelectorAll("[data-finding]")];
  const blocks = [...document.querySelectorAll("details")];
  const asMade = blocks.map((block) => block.open);
  let current = -1;

  byId("tools").hidden = false;

  function reveal(element) {
    for (let around = element.closest("details"); around; around = around.parentElement.closest("details")) {
      around.open = true;
    }
  }

  function go(index) {
    if (findings.length === 0) {
      return;
    }
    current = (index + findings.length) % findings.length;
    findings[current].focus({ preventScroll: true });
    findings[current].scrollIntoView({ block: "start" });
    byId("position").textContent = `${current + 1} of ${findings.length}`;
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

  byId("unfold").addEventListener("click", (event) => {
    const all = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", String(all));
    blocks.forEach((block, index) => {
      block.open = all || asMade[index];
    });
  });

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("a[href^='#']");
    const target = place && byId(place.hash.slice(1));
    if (target) {
      reveal(target);
    }
  });

  let beforePrint = [];
  addEventListener("beforeprint", () => {
    beforePrint = blocks.map((block) => block.open);
    blocks.forEach((block) => {
      block.open = true;
    });
  });
  addEventListener("afterprint", () => {
    blocks.forEach((block, index) => {
      block.open = beforePrint[index];
    });
  });
})();
