# SPDX-License-Identifier: Apache-2.0
"""What to learn: guessed from the label, and remembered in the model."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._base._exceptions import DataError
from .._base._typing import Array
from .._data._matrix import DMatrix
from .._estimators._facts import classes_of, read_description
from .._model._booster import Booster
from ._column import Column
from ._meanings import meaning_of

_MOST_CLASSES = 30
_ATTRIBUTE = "xgb_like_command"


class Task(NamedTuple):
    """What there may be to learn."""

    name: str
    objective: str
    watched: list[str]  # metrics while training; the last one decides when to stop
    reported: list[str]  # what `evaluate` tells


TASKS = {
    "binary": Task(
        "binary classification", "binary:logistic", ["error", "auc", "logloss"], ["accuracy", "auc", "logloss"]
    ),
    "multiclass": Task("classification", "multi:softprob", ["merror", "mlogloss"], ["accuracy", "mlogloss"]),
    "regression": Task("regression", "reg:squarederror", ["mae", "rmse"], ["rmse", "mae", "r2"]),
    "ranking": Task("ranking", "rank:ndcg", ["ndcg", "ndcg@10"], ["ndcg@10", "ndcg"]),
}


@dataclass(frozen=True)
class Facts:
    """What the commands after `train` need to know.

    Columns of label and queries, names of the classes, the sign before decimals if it was no matter of course, the
    texts that count as missing in columns of numbers, the order of day and month in columns of dates, what else is
    missing anywhere, and the encoding of files that are not in UTF-8.
    """

    task: str
    label: str
    classes: list[str] = field(default_factory=list)
    query: str = ""
    decimal: str = ""
    missing: dict[str, list[str]] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=dict)
    na: list[str] = field(default_factory=list)
    encoding: str = ""

    def store(self, model: Booster) -> None:
        """Keep them as an attribute of the model, which its file has, too."""
        model.set_attr(**{_ATTRIBUTE: json.dumps(asdict(self), ensure_ascii=False)})

    @property
    def label_is_text(self) -> bool:
        """Whether some class is no number, or a text that a number would not have, such as 01."""
        return any(not _is_number_text(name) for name in self.classes)

    @staticmethod
    def of(model: Booster) -> "Facts":
        """Return those that a model has, or what its objective tells."""
        try:
            return Facts(**json.loads(model.attr(_ATTRIBUTE) or ""))
        except (ValueError, TypeError):  # not trained by this command
            task = task_of(model._handle.objective())
            classes = classes_of(model, read_description(model)).values.tolist()
            return Facts(task, "", [_name_of(value) for value in classes] if task in ("binary", "multiclass") else [])


def task_of(objective: str) -> str:
    """Return the task of an objective, given by its name or an alias."""
    name = next((name for name, facts in _core.objectives().items() if objective in facts["aliases"]), objective)
    prefix = name.partition(":")[0]
    if name == "binary:crossentropy":  # labels are probabilities
        return "regression"
    return {"binary": "binary", "multi": "multiclass", "rank": "ranking"}.get(prefix, "regression")


def need_queries(matrix: DMatrix) -> None:
    """Raise unless the rows of data are those of queries."""
    if not len(matrix.get_uint_info("group_ptr")):
        raise DataError("Ranking needs to know which rows are to be ranked together: name their column by --query.")


def reports_of(model: Booster, facts: Facts) -> list[str]:
    """Return the metrics of the task, or none, for the objective's own, if it does not predict what the label is."""
    own = model._handle.num_outputs() > 1 or model._handle.objective().startswith("survival:")
    return [] if facts.task == "regression" and own else TASKS[facts.task].reported


def guess_task(label: Column, has_queries: bool) -> tuple[str, str]:
    if has_queries:
        return "ranking", "there are queries"
    if label.labels is not None:
        count, rows = len(label.labels), len(label.values)
        if (stranger := _stranger(label)) is not None:
            raise DataError(
                f"The label is a number in nearly all rows, but not in {stranger[0]}: {stranger[1]!r}. Correct or "
                "remove such rows, or use --task multiclass if these are classes."
            )
        if count > max(_MOST_CLASSES, rows / 2):
            raise DataError(f"The label has {count} different texts in {rows} rows: name another column by --label.")
        return ("binary" if count == 2 else "multiclass"), f"the label has {count} different texts"
    different = np.unique(label.values[~label.missing])
    if len(different) == 2:
        return "binary", "the label has two different values"
    consecutive = np.array_equal(different, np.arange(len(different)))
    if 2 < len(different) <= _MOST_CLASSES and consecutive and len(label.values) >= 10 * len(different):
        return "multiclass", f"the label is one of the numbers 0 to {len(different) - 1}"
    return "regression", "the label is a number"


def _stranger(label: Column) -> tuple[str, str] | None:
    """Return where a label of numbers has none, and what it has; None if it is no label of numbers."""
    meaning = meaning_of(label, ".") or meaning_of(label, ",")
    if meaning is None or meaning.numbers.is_time or not len(meaning.strangers):
        return None
    row = int(meaning.strangers[0])
    return label.place(row), label.text(row)


def encode(label: Column, task: str, classes: list[str] | None = None) -> tuple[Array, list[str]]:
    """Return the label as numbers, and the names of the classes: those of a model, or those in the label."""
    if label.missing.any():
        row = int(np.flatnonzero(label.missing)[0])
        raise DataError(
            f"The label is missing in {int(label.missing.sum())} rows, the first of them is {label.place(row)}. Remove "
            "them."
        )
    if task not in ("binary", "multiclass"):
        if label.labels is not None:
            place, text = _stranger(label) or (label.place(0), label.text(0))  # none is missing here
            raise DataError(f"The label has texts such as {text!r} in {place}; {TASKS[task].name} needs numbers.")
        return label.values, []
    texts, codes = names_of_classes(label)
    known = texts if classes is None else classes
    unknown = [text for text in texts if text not in known]
    if unknown:
        raise DataError(f"The label has classes that the model does not know: {', '.join(unknown[:10])}.")
    if classes is None and len(texts) < 2:
        raise DataError(f"The label is {texts[0]!r} in all rows: there is nothing to learn.")
    if classes is None and task == "binary" and len(texts) > 2:
        raise DataError(f"The label has {len(texts)} different values, and binary takes two. Use --task multiclass.")
    return np.array([known.index(text) for text in texts], dtype=np.float64)[codes], known


def names_of_classes(label: Column) -> tuple[list[str], Array]:
    """Return the different values of a label as texts, and which of them each row has."""
    if label.labels is not None:
        used, codes = np.unique(label.values, return_inverse=True)
        return [label.labels[code] for code in used], codes
    different, codes = np.unique(label.values, return_inverse=True)
    return [_name_of(value) for value in different.tolist()], codes


def _name_of(value: Any) -> str:
    if not isinstance(value, (int, float)):
        return str(value)
    return f"{value:.0f}" if float(value).is_integer() else f"{value:g}"


def _is_number_text(text: str) -> bool:
    try:
        return _name_of(float(text)) == text
    except (ValueError, OverflowError):
        return False
