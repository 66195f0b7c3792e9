# SPDX-License-Identifier: Apache-2.0
"""Progress of training as a bar; metrics of each round in MLflow, Optuna and TensorBoard."""

import importlib.util
import os
import sys
from typing import Any, TextIO

from .._base._exceptions import ParameterError
from .._base._libraries import require
from .._base._typing import EvalsLog
from .._training._callbacks import OutsideCallback, latest


class MLflowLogging(OutsideCallback):
    """Logs the metrics of each round to the active MLflow run, and the number of rounds at the end.

    Parameters
    ----------
    prefix
        A prefix for the names of metrics.
    client : optional
        An object with the functions ``log_metrics`` and ``log_param``. The default is the module ``mlflow``.

    Examples
    --------
    ::

        with mlflow.start_run():
            xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[xgb.callback.MLflowLogging()])
    """

    _outside = ("_client",)

    def __init__(self, prefix: str = "", *, client: Any = None) -> None:
        self._prefix = prefix
        self._client = client

    def before_training(self, model: Any) -> Any:
        """Look for MLflow."""
        self._client = self._client or require("mlflow", "MLflowLogging")
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Log the latest values."""
        values: dict[str, float] = {}
        for data, name, (mean, deviation) in latest(evals_log):
            key = f"{self._prefix}{data}-{name}".replace("@", "_at_")  # MLflow takes no @
            values |= {key: float(mean)} | ({} if deviation is None else {f"{key}-std": float(deviation)})
        if values:
            self._client.log_metrics(values, step=epoch)
        return False

    def after_training(self, model: Any) -> Any:
        """Log how many rounds there are, and which was the best if training was to stop early."""
        self._client.log_param(f"{self._prefix}num_boosted_rounds", model.num_boosted_rounds())
        best = model.attr("best_iteration")
        if best is not None:
            self._client.log_param(f"{self._prefix}best_iteration", int(best))
        return model


class OptunaPruning(OutsideCallback):
    """Reports a metric to an Optuna trial after each round, and ends training when the trial should be pruned.

    Parameters
    ----------
    trial : optuna.trial.Trial
        The trial. An unpickled copy has none, and does nothing.
    observation_key
        Data and metric, as they are printed: ``test-rmse``.

    Examples
    --------
    ::

        def objective(trial):
            params = {"eta": trial.suggest_float("eta", 0.01, 1, log=True)}
            pruning = xgb.callback.OptunaPruning(trial, "test-rmse")
            booster = xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[pruning])
            return booster.best_score
    """

    _outside = ("_trial",)

    def __init__(self, trial: Any, observation_key: str) -> None:
        self._trial = trial
        self._key = observation_key

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Report the latest score, and raise ``optuna.TrialPruned`` if it is not good enough."""
        if self._trial is None:
            return False
        scores = {f"{data}-{name}": value for data, name, (value, _) in latest(evals_log)}
        if self._key not in scores:
            raise ParameterError(
                f"`observation_key` {self._key!r} is not among the metrics: {', '.join(scores) or 'there are none'}. "
                "Name data of `evals` and a metric, such as 'test-rmse'."
            )
        self._trial.report(scores[self._key], step=epoch)
        if self._trial.should_prune():
            optuna = require("optuna", "OptunaPruning")
            raise optuna.TrialPruned(f"Trial was pruned at round {epoch}.")
        return False


class TensorBoardLogging(OutsideCallback):
    """Writes the metrics of each round for TensorBoard, using tensorboardX or torch.

    Parameters
    ----------
    log_dir : path or SummaryWriter
        The folder to write to, or a writer, which stays open.

    Examples
    --------
    ::

        logging = xgb.callback.TensorBoardLogging("runs/first")
        xgb.train(params, dtrain, 100, evals=[(dtest, "test")], callbacks=[logging])
    """

    _outside = ("_given", "_writer")

    def __init__(self, log_dir: Any) -> None:
        self._given = log_dir
        self._writer: Any = None
        if not isinstance(log_dir, (str, os.PathLike)) and not hasattr(log_dir, "add_scalar"):
            raise ParameterError(f"`log_dir` must be a path or a SummaryWriter; got {type(log_dir).__name__}.")

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if state["_given"] is None:  # a writer, whose folder will do; the attribute's name depends on the library
            state["_given"] = getattr(self._given, "logdir", None) or getattr(self._given, "log_dir", "runs")
        return state

    def before_training(self, model: Any) -> Any:
        """Open the files."""
        self._writer = self._given
        if not hasattr(self._given, "add_scalar"):
            library = "tensorboardX" if importlib.util.find_spec("tensorboardX") else "torch.utils.tensorboard"
            try:
                self._writer = require(library, "TensorBoardLogging").SummaryWriter(os.fspath(self._given))
            except ImportError as error:
                raise ImportError(
                    "TensorBoardLogging needs tensorboardX or torch. Install it with `pip install tensorboardX`."
                ) from error
        return model

    def after_iteration(self, model: Any, epoch: int, evals_log: EvalsLog) -> bool:  # noqa: ARG002
        """Write the latest values."""
        for data, name, (value, _) in latest(evals_log):
            self._writer.add_scalar(f"{data}/{name}", float(value), epoch)
        return False

    def after_training(self, model: Any) -> Any:
        """Close the files, or flush a writer of the user's."""
        if self._writer is self._given:
            self._writer.flush()
        else:
            self._writer.close()
        return model


_STYLES = ("auto", "tqdm", "rich", "plain")
_WIDTH = 30


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
        self._bar: Any = None  # a _Tqdm, _Rich or _Plain, while it is shown

    def before_training(self, model: Any) -> Any:
        """Draw an empty bar."""
        file = self._file or sys.stderr
        in_notebook = "ipykernel" in sys.modules and file is sys.stderr
        watched = in_notebook or (hasattr(file, "isatty") and file.isatty())
        self._bar = None
        if watched if self.show is None else self.show:
            found = (name for name in ("tqdm", "rich") if importlib.util.find_spec(name) is not None)
            style = next(found, "plain") if self.style == "auto" else self.style
            kinds: dict[str, Any] = {"tqdm": _Tqdm, "rich": _Rich, "plain": _Plain}
            self._bar = kinds[style](self.planned_rounds or 0, file)
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
