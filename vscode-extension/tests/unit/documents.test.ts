import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { LAUNCH_FILES } from "../../src/documents";

const isLaunchFile = (name: string): boolean => LAUNCH_FILES.some((pattern) => path.matchesGlob(name, pattern));

test("files that say how training is launched, configured and installed are the server's", () => {
  for (const name of [
    "run.sh",
    "jobs/train.sbatch",
    "jobs/train.slurm",
    "train.pbs",
    "train.job",
    "ds_config.json",
    "configs/fsdp.yaml",
    "k8s/job.yml",
    "Dockerfile",
    "docker/Dockerfile.gpu",
    "gpu.Dockerfile",
    "Containerfile",
    "requirements.txt",
    "requirements-gpu.txt",
    "requirements/base.in",
    "constraints.txt",
    "Makefile",
    "pyproject.toml",
    "ddl-lint.toml",
  ]) {
    assert.ok(isLaunchFile(`project/${name}`), name);
  }
});

test("other files are not", () => {
  for (const name of ["README.md", "notes.txt", "train.log", "main.c", "Cargo.toml", "page.html"]) {
    assert.ok(!isLaunchFile(`project/${name}`), name);
  }
});
