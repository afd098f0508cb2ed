// The page of the playground: a script, and what starts or configures it, in an editor; what ddl-lint finds in them, and
// what the ranks do.
import { python } from "@codemirror/lang-python";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import { EditorView, basicSetup } from "codemirror";
import { draw } from "./picture.js";
import { packed, unpacked } from "./share.js";

const PAUSE_MS = 400; // After the last key, before the files are checked.
const SEVERITIES = { error: "error", warning: "warning", info: "info" };
const SCRIPT = "train.py";
const SECOND = ["launch.sh", "ds_config.json", "requirements.txt"];

const find = (name) => document.getElementById(`playground-${name}`);
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const examples = await (await fetch(new URL("./examples.json", import.meta.url))).json();
let asked = 0;
let timer;
let isReady = false;

/** The states of the editor by file; that of the open one is in the editor. */
const states = new Map();
let open = SCRIPT;
let findings = [];

const colours = new Compartment();
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const editor = new EditorView({ parent: find("editor") });

new MutationObserver(recolour).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
systemDark.addEventListener("change", recolour);
find("example").replaceChildren(...Object.keys(examples).map((name) => new Option(name, name)));
find("example").addEventListener("change", () => load(examples[find("example").value]));
find("share").addEventListener("click", share);
addEventListener("hashchange", fromAddress);
load(Object.values(examples)[0]);
fromAddress();

/** The editor's colours for what the reader has chosen for the site; "auto" is what the system says. */
function theme() {
  const chosen = document.body.dataset.theme;
  return chosen === "dark" || (chosen !== "light" && systemDark.matches) ? oneDark : [];
}

function recolour() {
  keep();
  for (const [name, state] of states) {
    states.set(name, state.update({ effects: colours.reconfigure(theme()) }).state);
  }
  editor.setState(states.get(open));
}

function stateOf(name, text) {
  return EditorState.create({
    doc: text,
    extensions: [
      basicSetup,
      name.endsWith(".py") ? python() : [],
      lintGutter(),
      colours.of(theme()),
      EditorView.contentAttributes.of({ "aria-label": name === SCRIPT ? "Training script" : name }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          clearTimeout(timer);
          timer = setTimeout(ask, PAUSE_MS);
        }
      }),
    ],
  });
}

function keep() {
  states.set(open, editor.state);
}

/** Open a project in place of what is there. */
function load(files) {
  states.clear();
  for (const [name, text] of Object.entries(files)) {
    states.set(name, stateOf(name, text));
  }
  open = SCRIPT;
  editor.setState(states.get(open));
  tabs();
  if (isReady) {
    ask();
  }
}

function show(name) {
  if (!states.has(name)) {
    return;
  }
  keep();
  open = name;
  editor.setState(states.get(name));
  mark();
  tabs();
}

function tabs() {
  const made = [...states.keys()].map((name) => {
    const tab = button(name, () => show(name));
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(name === open));
    return tab;
  });
  const more = SECOND.filter((name) => !states.has(name));
  if (more.length) {
    const add = document.createElement("select");
    add.setAttribute("aria-label", "Add a file");
    add.append(new Option("+ file", ""), ...more.map((name) => new Option(name, name)));
    add.onchange = () => {
      states.set(add.value, stateOf(add.value, ""));
      show(add.value);
      editor.focus();
    };
    made.push(add);
  }
  if (open !== SCRIPT) {
    const remove = button("remove", () => {
      const gone = open;
      show(SCRIPT);
      states.delete(gone);
      tabs();
      ask();
    });
    remove.title = `Remove ${open}`;
    made.push(remove);
  }
  find("tabs").replaceChildren(...made);
}

function button(text, onclick) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.onclick = onclick;
  return made;
}

/** The text of each file. */
function files() {
  keep();
  return Object.fromEntries([...states].map(([name, state]) => [name, state.doc.toString()]));
}

async function share() {
  const address = new URL(location.href);
  address.hash = await packed(files());
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address.href);
    find("share").textContent = "Link copied";
  } catch {
    find("share").textContent = "Link is in the address bar";
  }
}

async function fromAddress() {
  const shared = location.hash.length > 1 ? await unpacked(location.hash.slice(1)) : null;
  if (shared) {
    load(shared);
  }
}

worker.onmessage = ({ data }) => {
  if (data.failed) {
    find("progress").hidden = true;
    say(`The checker could not be loaded (${data.failed}). It needs WebAssembly and a recent browser.`);
  } else if (data.doing) {
    Object.assign(find("progress"), { max: data.steps, value: data.step, hidden: false });
    say(`${data.doing} …`);
  } else if (data.ready) {
    isReady = true;
    find("progress").hidden = true;
    ask();
  } else if (data.id === asked) {
    answer(data.answer);
  }
};

function ask() {
  asked += 1;
  find("share").textContent = "Copy link";
  say("Checking …");
  worker.postMessage({ id: asked, files: files() });
}

function say(text) {
  find("status").textContent = text;
}

function answer({ problem, findings: found, trace }) {
  findings = found;
  say(problem || summary(found));
  find("findings").replaceChildren(...found.map(item));
  find("ranks").parentElement.hidden = !trace || !draw(find("ranks"), trace, go);
  mark();
}

function mark() {
  const here = findings.filter((finding) => finding.file === open);
  editor.dispatch(setDiagnostics(editor.state, here.map(diagnostic)));
}

function summary(found) {
  if (found.length === 0) {
    return "No problems found.";
  }
  return found.length === 1 ? "1 problem found." : `${found.length} problems found.`;
}

function item(finding) {
  const entry = document.createElement("li");
  entry.className = finding.severity;
  const where = finding.file === SCRIPT ? "" : `${finding.file}, `;
  const place = button(`${where}line ${finding.range.start.line}`, () => go(finding.file, finding.range.start.line));
  const rule = document.createElement("a");
  rule.href = `rules/${finding.name}.html`;
  rule.textContent = finding.name;
  const message = document.createElement("p");
  message.append(...withCode(finding.message));
  entry.append(place, " ", rule, message);
  if (finding.help) {
    const help = document.createElement("p");
    help.className = "help";
    help.append(...withCode(finding.help));
    entry.append(help);
  }
  if (finding.fix) {
    const fix = button("", () => apply(finding.fix, finding.file));
    fix.className = "fix";
    fix.append("Fix: ", ...withCode(finding.fix.title));
    fix.title = finding.fix.reason ?? "";
    entry.append(fix);
  }
  return entry;
}

function go(file, line) {
  show(file);
  const from = editor.state.doc.line(Math.min(line, editor.state.doc.lines)).from;
  editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  editor.focus();
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

function apply(fix, file) {
  const edited = new Set(fix.edits.map((edit) => edit.file ?? file));
  for (const name of edited) {
    show(name);
    const changes = fix.edits.filter((edit) => (edit.file ?? file) === name);
    editor.dispatch({
      changes: changes.map((edit) => ({
        from: offset(edit.range.start),
        to: offset(edit.range.end),
        insert: edit.text,
      })),
    });
  }
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

/** Where a place of a finding is in the open document; lines and columns count from 1, columns in characters. */
function offset({ line, column }) {
  const found = editor.state.doc.line(Math.min(line, editor.state.doc.lines));
  const characters = [...found.text].slice(0, column - 1).join("");
  return found.from + characters.length;
}
