// The page of the playground: a script in an editor, what ddl-lint finds in it, and what the ranks do.
import { python } from "@codemirror/lang-python";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import { EditorView, basicSetup } from "codemirror";

const PAUSE_MS = 400; // After the last key, before the script is checked.
const SEVERITIES = { error: "error", warning: "warning", info: "info" };

const find = (name) => document.getElementById(`playground-${name}`);
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
let asked = 0;
let timer;

const colours = new Compartment();
const systemDark = matchMedia("(prefers-color-scheme: dark)");

const editor = new EditorView({
  doc: find("example").content.textContent.replace(/^\n/, ""),
  parent: find("editor"),
  extensions: [
    basicSetup,
    python(),
    lintGutter(),
    colours.of(theme()),
    EditorView.contentAttributes.of({ "aria-label": "Training script" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        clearTimeout(timer);
        timer = setTimeout(ask, PAUSE_MS);
      }
    }),
  ],
});

new MutationObserver(recolour).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
systemDark.addEventListener("change", recolour);

/** The editor's colours for what the reader has chosen for the site; "auto" is what the system says. */
function theme() {
  const chosen = document.body.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && systemDark.matches) ? oneDark : [];
}

function recolour() {
  editor.dispatch({ effects: colours.reconfigure(theme()) });
}

worker.onmessage = ({ data }) => {
  if (data.failed) {
    say(`The checker could not be loaded (${data.failed}). It needs WebAssembly and a recent browser.`);
  } else if (data.ready) {
    ask();
  } else if (data.id === asked) {
    show(data.answer);
  }
};

function ask() {
  asked += 1;
  say("Checking …");
  worker.postMessage({ id: asked, text: editor.state.doc.toString() });
}

function say(text) {
  find("status").textContent = text;
}

function show({ problem, findings, trace }) {
  say(problem || summary(findings));
  find("findings").replaceChildren(...findings.map(item));
  const picture = find("ranks");
  picture.parentElement.hidden = !trace;
  if (trace) {
    URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(new Blob([trace], { type: "image/svg+xml" }));
  }
  editor.dispatch(setDiagnostics(editor.state, findings.map(diagnostic)));
}

function summary(findings) {
  if (findings.length === 0) {
    return "No problems found.";
  }
  return findings.length === 1 ? "1 problem found." : `${findings.length} problems found.`;
}

function item(finding) {
  const entry = document.createElement("li");
  entry.className = finding.severity;
  const place = document.createElement("button");
  place.type = "button";
  place.textContent = `line ${finding.range.start.line}`;
  place.onclick = () => {
    const from = offset(finding.range.start);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    editor.focus();
  };
  const rule = document.createElement("a");
  rule.href = `rules/${finding.name}.html`;
  rule.textContent = finding.name;
  const message = document.createElement("p");
  message.append(...withCode(finding.message));
  entry.append(place, " ", rule, message);
  if (finding.fix) {
    const fix = document.createElement("button");
    fix.type = "button";
    fix.className = "fix";
    fix.append("Fix: ", ...withCode(finding.fix.title));
    fix.title = finding.fix.reason ?? "";
    fix.onclick = () => apply(finding.fix);
    entry.append(fix);
  }
  return entry;
}

/** A message as nodes of the page: what it quotes in backticks is code. */
function withCode(text) {
  return text.split("`").map((part, index) => {
    if (index % 2 === 0) {
      return part;
    }
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

function apply(fix) {
  editor.dispatch({
    changes: fix.edits.map((edit) => ({
      from: offset(edit.range.start),
      to: offset(edit.range.end),
      insert: edit.text,
    })),
  });
}

function diagnostic(finding) {
  return {
    from: offset(finding.range.start),
    to: offset(finding.range.end),
    severity: SEVERITIES[finding.severity],
    source: finding.name,
    message: finding.message,
  };
}

/** Where a place of a finding is in the document; lines and columns count from 1, columns in characters. */
function offset({ line, column }) {
  const found = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
  const characters = [...found.text].slice(0, column - 1).join("");
  return found.from + characters.length;
}
