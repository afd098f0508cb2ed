"""How the files around a program are named that say how it is launched and installed.

Apart from what reads them, for a check whose report is stored asks for names only.
"""

from __future__ import annotations

SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".pbs")
"""Of launch files."""

RECIPES = ("Dockerfile",)
"""The names of the files that say how the job's image is made."""

PACKAGING = ("pyproject.toml", "setup.cfg", "setup.py")
"""The names of the files that may declare commands."""
