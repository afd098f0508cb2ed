const findings = [...document.querySelectorAll("[data-finding]")];
page.jumps(findings, "start");
page.folding([...document.querySelectorAll("details")]);
const [severity, owner] = ["by-severity", "by-owner"].map(page.byId);
function filter() {
  for (const finding of findings) {
    const { severity: level, owners } = finding.dataset;
    finding.hidden = !((!severity?.value || level === severity.value) && (!owner?.value || owners.split(" ").includes(owner.value)));
  }
  for (const group of document.querySelectorAll(".group")) {
    const mine = [...group.querySelectorAll("[data-finding]")];
    group.hidden = mine.length > 0 && mine.every((finding) => finding.hidden);
  }
  page.byId("position").textContent = `${findings.filter((finding) => !finding.hidden).length} of ${findings.length} shown`;
}
severity?.addEventListener("change", filter);
owner?.addEventListener("change", filter);
