// Which documents are the server's.
import type { DocumentSelector } from "vscode-languageclient/node";

/**
 * Files that say how training is launched, configured and installed, by their names: what their language is called depends
 * on other extensions. The server looks into them and lets those be that say nothing of a launch.
 */
export const LAUNCH_FILES = [
  "**/*.{sh,bash,sbatch,slurm,pbs,job,lsf}",
  "**/*.{yaml,yml,json}",
  "**/*{requirement,constraint}*.{txt,in,pip}",
  "**/requirements/*.{txt,in,pip}",
  "**/{Dockerfile,dockerfile,Containerfile,containerfile}*",
  "**/*.{dockerfile,Dockerfile}",
  "**/{Makefile,makefile,GNUmakefile}",
  "**/*.mk",
  "**/{pyproject,ddl-lint,.ddl-lint}.toml",
];

/** Python files, new files that have no name yet, the Python cells of notebooks, and launch files. */
export const SELECTOR = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { notebook: "*", language: "python" },
  ...LAUNCH_FILES.map((pattern) => ({ scheme: "file", pattern })),
] satisfies DocumentSelector;
