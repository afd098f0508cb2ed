// On the page of error messages: paste a log, see the messages in it first. Without JavaScript the table is read as it is.
(() => {
  const table = document.querySelector("#find-a-rule-by-error-message table");
  if (!table) {
    return;
  }
  const LEAST_SHARE = 0.5; // Of the words of a message that the log must contain, or that a piece of one has in common with it.
  const LEAST_WORDS = 2; // Of a piece.
  const words = (text) => new Set(text.toLowerCase().match(/[a-z_]{2,}/g) ?? []);
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, words: words(row.cells[0].textContent) }));

  const label = document.createElement("label");
  label.className = "error-search";
  label.textContent = "Paste the message, or the end of your log:";
  const input = document.createElement("textarea");
  input.rows = 4;
  input.spellcheck = false;
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  label.append(input);
  table.closest(".table-wrapper, table").before(label, status);

  input.addEventListener("input", () => {
    const pasted = words(input.value);
    const scored = rows.map(({ row, words: wanted }) => {
      const found = [...wanted].filter((word) => pasted.has(word)).length;
      const ofMessage = wanted.size ? found / wanted.size : 0;
      const ofPiece = found >= LEAST_WORDS ? found / pasted.size : 0;
      return { row, found, share: Math.max(ofMessage, ofPiece) };
    });
    const hits = scored.filter(({ share }) => share >= LEAST_SHARE).sort((a, b) => b.share - a.share || b.found - a.found);
    const shown = input.value.trim() ? hits : scored;
    for (const { row } of rows) {
      row.hidden = true;
    }
    for (const { row } of shown) {
      row.hidden = false;
      table.tBodies[0].append(row);
    }
    status.textContent = !input.value.trim()
      ? ""
      : hits.length === 0
        ? "No message here is like this one."
        : `${hits.length} of ${rows.length} messages are like it, the closest first.`;
  });
})();
