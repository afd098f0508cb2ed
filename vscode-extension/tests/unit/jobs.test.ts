import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf, type Job, jobsOf, sizeOf } from "../../src/jobs";

const JOB: Job = {
  file: "train.sbatch",
  line: 5,
  launchers: ["srun", "torchrun"],
  script: "train.py",
  is_found: true,
  nodes: 4,
  processes: 8,
  world_size: 32,
  engine: "ZeRO-3 (--zero_stage 3)",
  batch: "",
  versions: "",
  container: "",
  unknown: ["versions: nothing pins them"],
};

test("a table of jobs is read, and nothing else", () => {
  assert.deepEqual(jobsOf(JSON.stringify({ version: 1, files: 1, jobs: [JOB] })), [JOB]);
  assert.deepEqual(jobsOf(JSON.stringify({ jobs: [JOB, { file: 1 }, null, "x"] })), [JOB]);
  for (const text of ["", "[]", "{}", '{"jobs": 3}', "no launch lines"]) {
    assert.deepEqual(jobsOf(text), []);
  }
});

test("the size of a job is told as far as it is known", () => {
  assert.equal(sizeOf(JOB), "32 ranks: 4 x 8");
  assert.equal(sizeOf({ ...JOB, nodes: null, processes: 8, world_size: 8 }), "8 ranks");
  assert.equal(sizeOf({ ...JOB, nodes: 1, processes: 1, world_size: 1 }), "1 rank");
  assert.equal(sizeOf({ ...JOB, world_size: null }), "ranks not known");
});

test("what is known comes before what is not", () => {
  assert.deepEqual(
    factsOf(JOB).map(({ name, isKnown }) => [name, isKnown]),
    [
      ["started by", true],
      ["engine", true],
      ["not known", false],
    ],
  );
});
