# SPDX-License-Identifier: Apache-2.0
"""A bar that shows the progress of training."""

import importlib.util
import sys
from typing import Any, Protocol, TextIO

from .._base._exceptions import ParameterError
from .._base._libraries import require
from .._base._typing import EvalsLog
from .._training._callbacks import OutsideCallback, latest

_STYLES = ("auto", "tqdm", "rich", "plain")
_WIDTH = 30


class _Bar(Protocol):
    def advance(self, done: int, text: str) -> None: ...

    def close(self) -> None: ...


class ProgressBar(OutsideCallback):
    """Shows a progress bar with the latest metrics, on the standard error stream.

    Nothing is shown if that is neither a terminal nor in a notebook, so that logs stay clean.

    Parameters
    ----------
    style : {"auto", "tqdm", "rich", "plain"}
        What draws it: by default tqdm if it is installed, otherwise rich, otherwise this class itself.
    show : bool, optional
        Whether it is shown; decided by the stream if not given.
    file : optional
        The stream to write to. Copies of the callback share it; pickles do without it.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> dtrain = xgb.DMatrix(np.eye(9), np.arange(9))
    >>> bar = xgb.callback.ProgressBar()
    >>> booster = xgb.train({}, dtrain, 3, evals=[(dtrain, "train")], callbacks=[bar], verbose_eval=False)
    """

    _outside = ("_file", "_bar")

    def __init__(self, style: str = "auto", *, show: bool | None = None, file: TextIO | None = None) -> None:
        if style not in _STYLES:
            raise ParameterError(f"`style` must be one of {', '.join(_STYLES)}; got {style!r}.")
        self.style, self.show = style, show
        self._file = file
        self._bar: _Bar | None = None

    def before_training(self, model: Any) -> Any:
        """Draw an empty bar."""
        file = self._file or sys.stderr
        shown = _is_watched(file) if self.show is None else self.show
        self._bar = _make_bar(self.style, self.planned_rounds or 0, file) if shown else None
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Draw a longer bar."""
        if self._bar is not None:
            scores = (f"{data}-{name}: {value:.5g}" for data, name, (value, _) in latest(evals_log))
            self._bar.advance(epoch + 1, ", ".join(scores))
        return False

    def after_training(self, model: Any) -> Any:
        """Leave the line."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        return model


def _is_watched(file: TextIO) -> bool:
    in_notebook = "ipykernel" in sys.modules and file is sys.stderr
    return in_notebook or (hasattr(file, "isatty") and file.isatty())


def _make_bar(style: str, total: int, file: TextIO) -> _Bar:
    if style == "auto":
        style = next((name for name in ("tqdm", "rich") if importlib.util.find_spec(name) is not None), "plain")
    kinds: dict[str, Any] = {"tqdm": _Tqdm, "rich": _Rich, "plain": _Plain}
    bar: _Bar = kinds[style](total, file)
    return bar


class _Tqdm:
    def __init__(self, total: int, file: TextIO) -> None:
        module = "tqdm.auto" if "ipykernel" in sys.modules else "tqdm"
        self._bar = require(module, "ProgressBar(style='tqdm')").tqdm(total=total, file=file, unit="round")

    def advance(self, done: int, text: str) -> None:
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class _Rich:
    def __init__(self, total: int, file: TextIO) -> None:
        progress = require("rich.progress", "ProgressBar(style='rich')")
        console = require("rich.console", "ProgressBar(style='rich')").Console(file=file)
        self._bar = progress.Progress(*progress.Progress.get_default_columns(), console=console, auto_refresh=False)
        self._bar.start()
        console.show_cursor(True)  # should training fail, nobody closes the bar
        self._task = self._bar.add_task("training", total=total)

    def advance(self, done: int, text: str) -> None:
        self._bar.update(self._task, completed=done, description=text or "training", refresh=True)

    def close(self) -> None:
        self._bar.stop()


class _Plain:
    def __init__(self, total: int, file: TextIO) -> None:
        self._total, self._file = total, file
        self._before = 0

    def advance(self, done: int, text: str) -> None:
        filled = _WIDTH * done // max(self._total, done, 1)
        line = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{self._total} {text}"
        self._file.write("\r" + line.ljust(self._before))
        self._file.flush()
        self._before = len(line)

    def close(self) -> None:
        if self._before:
            self._file.write("\n")
            self._file.flush()
