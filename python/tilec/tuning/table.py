"""Trials as a table."""
from __future__ import annotations

from typing import TYPE_CHECKING, Sequence

if TYPE_CHECKING:
    from .search import Trial


def format_table(trials: Sequence[Trial], rank: str) -> str:
    """A line for each trial: its score, what bounds it, what its kernels take, parameters."""
    names = list(dict.fromkeys(name for trial in trials for name in trial.parameters))
    header = ["", "us" if rank == "time" else "cycles", "bound by", "registers", "shared",
              "blocks/SM", *names]
    rows = [_get_row(number, trial, names) for number, trial in enumerate(trials, 1)]
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = []
    for row, trial in zip([header, *rows], [None, *trials]):
        line = "  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip()
        if trial is not None and trial.message:
            line += f"  {trial.status}: {trial.message.splitlines()[0]}"
        lines.append(line)
    return "\n".join(lines)


def _get_row(number: int, trial: Trial, names: Sequence[str]) -> list[str]:
    kernels = trial.outcome.kernels
    score = ""
    if trial.outcome.seconds is not None:
        score = f"{trial.outcome.seconds * 1e6:.1f}"
    elif trial.estimate:
        score = f"{trial.estimate.cycles:.0f}"
    bounds = ", ".join(dict.fromkeys(trial.estimate.bounds)) if trial.estimate else ""

    def largest(key: str) -> str:
        known = [kernel[key] for kernel in kernels if kernel[key] is not None]
        return str(max(known)) if known else ""

    fitting = [kernel["occupancy"] for kernel in kernels if kernel["occupancy"] is not None]
    occupancy = str(min(fitting)) if fitting else ""
    return [str(number) if trial.status == "ok" else "-", score, bounds, largest("registers"),
            largest("shared_bytes"), occupancy,
            *(str(trial.parameters.get(name, "")) for name in names)]
