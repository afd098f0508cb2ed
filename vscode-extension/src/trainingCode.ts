// Tells training code from other Python by what it imports.

const FRAMEWORKS = [
  "accelerate",
  "colossalai",
  "deepspeed",
  "fairscale",
  "horovod",
  "keras",
  "lightning",
  "lightning_fabric",
  "megatron",
  "pytorch_lightning",
  "ray",
  "tensorflow",
  "tf_keras",
  "torch",
  "transformers",
];

// An import at any depth: it often stands in a function or a `try`.
const IMPORT = new RegExp(
  `^[ \\t]*(?:import|from)[ \\t]+(?:\\w[\\w.]*[ \\t]*,[ \\t]*)*(?:${FRAMEWORKS.join("|")})\\b`,
  "m",
);

/** Whether a Python text imports one of the frameworks that ddl-lint knows. */
export function importsFramework(text: string): boolean {
  return IMPORT.test(text);
}

// The programs that start several processes, and no others that are as common in scripts as `python` or `srun`.
const LAUNCHERS =
  /(?<![\w.-])(?:torchrun|deepspeed|horovodrun|colossalai\s+run|accelerate\s+launch|torch\.distributed\.(?:run|launch))(?![\w-])|^#SBATCH\s[^\n]*(?:--gres|--gpus)/m;

/** Whether the text of a script, a recipe or a workload starts training on several processes. */
export function startsTraining(text: string): boolean {
  return LAUNCHERS.test(text);
}

/** Files whose presence says that a folder is meant for ddl-lint, or trains on many devices. */
export const TELLING_FILES = "**/{ddl-lint.toml,.ddl-lint.toml,ds_config*.json,*.sbatch,*.slurm}";

/** Whether a pyproject.toml configures ddl-lint. */
export function configuresUs(pyproject: string): boolean {
  return /^\s*\[tool\.ddl-lint[\].]/m.test(pyproject);
}
