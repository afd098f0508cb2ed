"use strict";
// What the page of a trace does: it opens at the trouble, jumps from one to the next, and copies the picture.
(() => {
  const editor = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : undefined;
  const byId = (id) => document.getElementById(id);
  const troubles = [...document.querySelectorAll("[data-trouble]")];
  let current = -1;

  byId("tools").hidden = false;

  // --- folding and jumping -------------------------------------------------------------------------------------------

  function reveal(element) {
    for (let around = element.closest("details"); around; around = around.parentElement.closest("details")) {
      around.open = true;
    }
  }

  function go(index) {
    if (troubles.length === 0) {
      return;
    }
    current = (index + troubles.length) % troubles.length;
    const element = troubles[current];
    reveal(element);
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
    byId("position").textContent = `${current + 1} of ${troubles.length}`;
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

  const blocks = () => [...document.querySelectorAll(".steps details")];
  const asMade = blocks().map((block) => block.open);
  byId("unfold").addEventListener("click", (event) => {
    const all = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", String(all));
    blocks().forEach((block, index) => {
      block.open = all || asMade[index];
    });
  });

  let beforePrint = [];
  addEventListener("beforeprint", () => {
    beforePrint = blocks().map((block) => block.open);
    blocks().forEach((block) => {
      block.open = true;
    });
  });
  addEventListener("afterprint", () => {
    blocks().forEach((block, index) => {
      block.open = beforePrint[index];
    });
  });

  const first = document.querySelector("[data-focus]") ?? troubles[0];
  if (first && !location.hash) {
    reveal(first);
    const place = first.getBoundingClientRect();
    if (place.bottom > innerHeight) {
      first.scrollIntoView({ block: "center" });
    }
  }

  // --- places --------------------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("a.place");
    if (!place) {
      return;
    }
    if (editor) {
      event.preventDefault();
      const { file, line, column, cell } = place.dataset;
      editor.postMessage({ type: "open", file, line: Number(line), column: Number(column), cell: Number(cell ?? 0) });
    } else if (place.hash && place.getAttribute("href").startsWith("#")) {
      const target = byId(place.hash.slice(1));
      if (target) {
        reveal(target);
      }
    }
  });

  // --- copies --------------------------------------------------------------------------------------------------------

  const source = (format) => byId(`as-${format}`).value;

  /** The picture in the colours that the page has now: an image does not know them. */
  function picture() {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--ground").trim() !== "#fff";
    return source("svg").replace("@media (prefers-color-scheme: dark)", dark ? "@media all" : "@media not all");
  }

  const MOST_PIXELS = 16_000; // along a side; browsers draw no larger canvas

  async function png() {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture())}`;
    await image.decode();
    const scale = Math.min(2, MOST_PIXELS / image.width, MOST_PIXELS / image.height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
    });
  }

  const FORMATS = {
    mermaid: { name: "Mermaid", extension: "mmd", make: async () => new Blob([source("mermaid")], { type: "text/plain" }) },
    svg: { name: "SVG", extension: "svg", make: async () => new Blob([source("svg")], { type: "text/plain" }) },
    png: { name: "PNG", extension: "png", make: png },
  };

  const asAddress = (blob) =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });

  /** Where the clipboard is closed to us, the picture becomes a file. */
  async function save(blob, extension) {
    const name = `trace.${extension}`;
    const address = await asAddress(blob);
    if (editor) {
      editor.postMessage({ type: "save", name, content: address.slice(address.indexOf(",") + 1) });
      return;
    }
    const link = document.createElement("a");
    link.download = name;
    link.href = address;
    link.click();
  }

  async function copy(format) {
    const { name, extension, make } = FORMATS[format];
    const made = make();
    try {
      const type = format === "png" ? "image/png" : "text/plain";
      await navigator.clipboard.write([new ClipboardItem({ [type]: made })]);
      return `Copied as ${name}`;
    } catch {
      await save(await made, extension);
      return `Saved as ${name}`;
    }
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const said = byId("copied");
      try {
        said.textContent = await copy(button.dataset.copy);
      } catch (error) {
        said.textContent = `Not copied: ${error.message}`;
      }
    });
  }
})();
