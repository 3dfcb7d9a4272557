"""Notebooks as pages of the site: ``python -m support.notebook_pages DIR`` writes each with its stored outputs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def write_pages(folder: Path) -> list[Path]:
    """Write a page of Markdown for each notebook, and its pictures beside it; nothing is run."""
    exporter: Any = import_module("nbconvert").MarkdownExporter()  # of the extra "docs"
    pages: list[Path] = []
    for notebook in NOTEBOOKS:
        pictures = folder / f"{notebook.stem}_files"
        pictures.mkdir(parents=True, exist_ok=True)
        resources = {"output_files_dir": pictures.name, "unique_key": notebook.stem}
        text, made = exporter.from_filename(str(notebook), resources=resources)
        for name, content in made["outputs"].items():
            (folder / name).write_bytes(content)
        pages.append(folder / f"{notebook.stem}.md")
        pages[-1].write_text(text.replace(".ipynb)", ".md)"), encoding="utf-8")
    return pages


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
