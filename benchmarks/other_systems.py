"""The system next to ours, in a Python of its own: it shares no installation with what it is measured against."""

from __future__ import annotations

import subprocess
import venv

from benchmarks.figures import RESULTS


def ragspine_python() -> str:
    """A Python that has RAGSpine 0.11, made once."""
    home = RESULTS / "ragspine"
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "rag-spine==0.11.*"], check=True)
    return str(python)
