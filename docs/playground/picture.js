// What the ranks do, as a drawing whose places lead to their lines. The drawing is made of what somebody has pasted, or of
// a link that somebody else has made: only shapes and text of it come into the page.
const NAMESPACE = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "line", "rect", "circle", "text", "tspan", "title", "desc", "style", "polygon", "polyline", "defs"]);
const PLACE = /^(\S+\.py):(\d+)$/;

/** Shows a drawing in an element; `go` is called with the file and the line of a place that is chosen. */
export function draw(host, svg, go) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (parsed.namespaceURI !== NAMESPACE || parsed.localName !== "svg") {
    root.replaceChildren();
    return false;
  }
  const drawing = copy(parsed);
  drawing.style.maxWidth = "100%";
  drawing.style.height = "auto";
  for (const text of drawing.querySelectorAll("text, tspan")) {
    const place = text.childElementCount ? null : PLACE.exec(text.textContent.trim());
    if (place) {
      const [, file, line] = place;
      text.style.cursor = "pointer";
      text.style.textDecoration = "underline";
      text.setAttribute("tabindex", "0");
      text.setAttribute("role", "link");
      text.addEventListener("click", () => go(file, Number(line)));
      text.addEventListener("keydown", (event) => event.key === "Enter" && go(file, Number(line)));
    }
  }
  root.replaceChildren(drawing);
  return true;
}

function copy(node) {
  const made = document.createElementNS(NAMESPACE, node.localName);
  for (const { name, value } of node.attributes) {
    if (!/^on|href|^xmlns/i.test(name) && !/url\(|javascript:/i.test(value)) {
      made.setAttribute(name, value);
    }
  }
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      made.append(child.data);
    } else if (child.nodeType === Node.ELEMENT_NODE && SHAPES.has(child.localName)) {
      made.append(copy(child));
    }
  }
  return made;
}
