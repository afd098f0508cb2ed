// Runs in a page: the texts that stand out from their ground less than WCAG asks for (4.5 to 1).
export function poorContrasts() {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((each) => (each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let around = element; around; around = around.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(around).backgroundColor);
      if (a > 0.5) {
        return [r, g, b];
      }
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll("main *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (own && element.checkVisibility() && !["TEXTAREA"].includes(element.tagName)) {
      const [one, other] = [light(channels(getComputedStyle(element).color)), light(ground(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < 4.5) {
        found.push(`${element.className || element.tagName}: ${contrast.toFixed(2)}`);
      }
    }
  }
  return [...new Set(found)];
}
