// Runs the checker off the page's thread, so that typing stays smooth. Messages: {id, files} in; {id, answer}, {ready} or
// {step, steps, doing} out.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const STEPS = ["Loading Python", "Loading the checker", "Starting the checker"];
const python = load();

async function load() {
  if (typeof WebAssembly === "undefined") {
    throw new Error("no WebAssembly");
  }
  begin(0);
  // Pyodide waits forever for a file that cannot be loaded, so ask first.
  await fetchOrFail("./pyodide/pyodide.asm.wasm", { method: "HEAD" });
  const pyodide = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  begin(1);
  const [checker, session] = await Promise.all([
    fetchOrFail("./checker.zip").then((response) => response.arrayBuffer()),
    fetchOrFail("./session.py").then((response) => response.text()),
  ]);
  const site = pyodide.runPython("import site; site.getsitepackages()[0]");
  pyodide.unpackArchive(new Uint8Array(checker), "zip", { extractDir: site });
  pyodide.FS.writeFile(`${site}/session.py`, session);
  pyodide.FS.mkdirTree("/project");
  pyodide.runPython("import os; os.chdir('/project')");
  begin(2);
  const check = pyodide.pyimport("session").check;
  check('{"train.py": ""}'); // Imports the checker now rather than with the first script.
  postMessage({ ready: true });
  return check;
}

function begin(step) {
  postMessage({ step, steps: STEPS.length, doing: STEPS[step] });
}

async function fetchOrFail(name, options = {}) {
  const response = await fetch(new URL(name, import.meta.url), options);
  if (!response.ok) {
    throw new Error(`${name}: ${response.status}`);
  }
  return response;
}

python.catch((error) => postMessage({ failed: String(error) }));

onmessage = async ({ data: { id, files } }) => {
  try {
    const check = await python;
    postMessage({ id, answer: JSON.parse(check(JSON.stringify(files))) });
  } catch (error) {
    postMessage({ id, answer: { problem: String(error), findings: [], trace: "" } });
  }
};
