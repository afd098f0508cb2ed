// What the page of a trace does: it opens at the trouble, and copies the picture.
(() => {
  const { byId, reveal } = page;
  const troubles = [...document.querySelectorAll("[data-trouble]")];
  page.jumps(troubles, "center");
  page.folding([...document.querySelectorAll(".steps details")]);

  const first = document.querySelector("[data-focus]") ?? troubles[0];
  if (first && !location.hash) {
    reveal(first);
    const place = first.getBoundingClientRect();
    if (place.bottom > innerHeight) {
      first.scrollIntoView({ block: "center" });
    }
  }

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
