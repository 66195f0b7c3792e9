# SPDX-License-Identifier: Apache-2.0
"""A model as a C file that needs nothing but the C library."""

import json
import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._base._exceptions import ParameterError, names_of
from ._forest import Forest, TreeTable, forest_of

_LINE_LENGTH = 116
_WORD_BITS = 32

# From the margins of one row to what the model predicts. Exponentials are computed in double and rounded once.
_LINKS = {
    "identity": "  for (int k = 0; k < {outputs}; ++k) out[k] = margins[k];",
    "step": "  for (int k = 0; k < {outputs}; ++k) out[k] = margins[k] > 0.0f ? 1.0f : 0.0f;",
    "sigmoid": "  for (int k = 0; k < {outputs}; ++k) out[k] = (float)(1.0 / (1.0 + exp(-(double)margins[k])));",
    "sigmoid of twice": (
        "  for (int k = 0; k < {outputs}; ++k) out[k] = (float)(1.0 / (1.0 + exp(-2.0 * (double)margins[k])));"
    ),
    "exp": "  for (int k = 0; k < {outputs}; ++k) out[k] = (float)fmin(exp((double)margins[k]), (double)FLT_MAX);",
    "variances": """\
  for (int k = 0; k < {outputs}; k += 2) {{ /* a mean and the logarithm of a standard deviation */
    out[k] = margins[k];
    out[k + 1] = (float)exp(2.0 * fmax(-40.0, fmin(40.0, (double)margins[k + 1])));
  }}""",
    "steps": """\
  double level = 0.0;
  for (int k = 0; k < {outputs}; ++k) {{ /* the first level, then how far the next ones are above */
    double x = (double)margins[k];
    level = k % {levels} == 0 ? x : level + 1e-6 + fmax(x, 0.0) + log1p(exp(-fabs(x)));
    out[k] = (float)level;
  }}""",
    "sorted": """\
  static const int places[] = {{{order}}};
  for (int k = 0; k < {outputs}; k += {levels}) {{
    for (int i = 1; i < {levels}; ++i) {{
      float x = margins[k + i];
      int j = i;
      for (; j > 0 && margins[k + j - 1] > x; --j) margins[k + j] = margins[k + j - 1];
      margins[k + j] = x;
    }}
    for (int i = 0; i < {levels}; ++i) out[k + places[i]] = margins[k + i];
  }}""",
    "shares": """\
  double sum = 0.0;
  for (int k = 0; k < {outputs}; ++k) {{
    out[k] = (float)(1.0 / (1.0 + exp(-(double)margins[k])));
    sum += (double)out[k];
  }}
  for (int k = 0; k < {outputs}; ++k) out[k] = sum > 0.0 ? (float)((double)out[k] / sum) : 1.0f / {outputs};""",
    "softmax": """\
  float largest = margins[0];
  for (int k = 1; k < {outputs}; ++k) largest = margins[k] > largest ? margins[k] : largest;
  double sum = 0.0;
  for (int k = 0; k < {outputs}; ++k) sum += exp((double)margins[k] - (double)largest);
  for (int k = 0; k < {outputs}; ++k) out[k] = (float)(exp((double)margins[k] - (double)largest) / sum);""",
    "class": """\
  int best = 0;
  for (int k = 1; k < {outputs}; ++k) best = margins[k] > margins[best] ? k : best;
  out[0] = (float)best;""",
}

_HEAD = """\
/* {objective}: {features} features, {rounds}; written by xgb_like {version}.

   C99, and no more than its library; compile with optimisation and without -ffast-math, link with -lm.

     void {name}_margins(const float *row, float *margins);   {margins} numbers: sums of {summed}
     void {name}_predict(const float *row, float *out);       {outs}: what `predict` gives

   A row has {features} numbers; NaN is a missing value, categories are their codes. Safe from any thread.{names} */
#include <float.h>
#include <math.h>
#include <stdint.h>

void {name}_margins(const float *row, float *margins);
void {name}_predict(const float *row, float *out);
"""

_IN_SET = """
/* `set` begins with its number of words, a bit of which stands for each category. A fraction counts as the category
   below it. */
static int is_in_set(const uint32_t *set, float x) {
  if (!(x >= 0.0f && x < 16777216.0f)) return 0;
  uint32_t category = (uint32_t)x;
  return category / 32 < set[0] && (set[1 + category / 32] >> (category % 32) & 1);
}
"""

_LEAF_OF = """
static const struct node *leaf_of(const struct node *at, const float *row) {{
  while (at->left != 0) {{
    float x = row[at->feature];
    int goes_left = isnan(x) ? (int)at->missing_left : {test};
    at = nodes + at->left + (goes_left ? 0 : 1);
  }}
  return at;
}}
"""

_LINEAR = """
void {name}_margins(const float *row, float *margins) {{
  for (int k = 0; k < {outputs}; ++k) {{
    double sum = (double)starts[k] + (double)weights[{features} * {outputs} + k];
    for (int feature = 0; feature < {features}; ++feature) {{
      if (!isnan(row[feature])) sum += (double)weights[feature * {outputs} + k] * (double)row[feature];
    }}
    margins[k] = (float)sum;
  }}
}}
"""

_SUM = """
void {name}_margins(const float *row, float *margins) {{
  for (int k = 0; k < {outputs}; ++k) margins[k] = starts[k];
  for (int tree = 0; tree < {trees}; ++tree) {{
    const struct node *leaf = leaf_of(nodes + roots[tree], row);
    {add}
  }}
}}
"""

_PREDICT = """
void {name}_predict(const float *row, float *out) {{
  float margins[{outputs}];
  {name}_margins(row, margins);
{link}
}}
"""


def to_c(booster: Any, *, name: str = "model") -> str:
    """Write a model as a standalone C file.

    The file defines ``void model_predict(const float *row, float *out)``, the prediction for one row, and
    ``model_margins``, which leaves out the objective's last step. Margins of trees are the same floats as
    ``predict(..., output_margin=True)`` gives.

    Parameters
    ----------
    booster
        A :class:`Booster`, or an estimator that has one. After early stopping, the rounds up to the best are written.
    name
        A prefix for the names of the functions.

    Returns
    -------
    str
        The text of the file, C99.

    Examples
    --------
    >>> import numpy as np
    >>> import xgb_like as xgb
    >>> rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    >>> booster = xgb.train({"max_depth": 2}, xgb.DMatrix(rows, label=rows[:, 0]), num_boost_round=3)
    >>> text = xgb.export.to_c(booster, name="price")
    >>> "void price_predict(const float *row, float *out)" in text
    True
    """
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        raise ParameterError(f"`name` must be a name in C: letters, digits and underscores; got {name!r}.")
    forest = forest_of(booster)
    if forest.weights is None:
        body = _trees(forest, name)
    else:
        body = _array("float", "weights", map(_number, forest.weights.ravel().tolist()))
        body += _LINEAR.format(name=name, features=forest.features, outputs=forest.outputs)
    order = ", ".join(map(str, np.argsort(forest.levels, kind="stable")))
    link = _LINKS[forest.link].format(outputs=forest.outputs, levels=len(forest.levels), order=order)
    starts = _array("float", "starts", map(_number, forest.starts))
    return _head(forest, name) + starts + body + _PREDICT.format(name=name, outputs=forest.outputs, link=link)


def _head(forest: Forest, name: str) -> str:
    outs = 1 if forest.link == "class" else forest.outputs
    told = forest.names or any(labels is not None for labels in forest.labels)
    listed = "".join(map(_feature_line, range(forest.features), names_of(forest.names, forest.features), forest.labels))
    return _HEAD.format(
        name=name,
        objective=_plain(forest.objective),
        features=forest.features,
        rounds="linear" if forest.weights is not None else f"{len(forest.trees)} trees",
        version=_core.__version__,
        margins=forest.outputs,
        summed="weighted features" if forest.weights is not None else "leaves",
        outs=outs,
        names=f"\n   The features:{listed}\n" if told else "",
    )


def _feature_line(number: int, name: str, labels: list[Any] | None) -> str:
    """Return a line of the opening comment, and one for each code of a category."""
    line = f"\n     {number} {_plain(name)}"
    if labels is None:
        return line
    codes = "".join(f"\n         {code} {_quoted(label)}" for code, label in enumerate(labels))
    return f"{line}, a category{':' if codes else ''}{codes}"


def _plain(text: str) -> str:
    return re.sub(r"[*/\\\s]", " ", text)


def _quoted(label: Any) -> str:
    """Return a label as JSON has it, which is no end of a comment, nor the beginning of one."""
    text = json.dumps(label, ensure_ascii=False)
    return re.sub(r"\*(?=/)|(?<=/)\*", r"\\u002a", text).removesuffix(".0")


def _trees(forest: Forest, name: str) -> str:
    nodes = _Nodes()
    for tree in forest.trees:
        nodes.add(tree)
    extra = "  uint32_t extra; /* where a node's set of categories begins, or a leaf's vector; else 0 */\n"
    struct = (
        "\nstruct node {\n  float number; /* the threshold, or what the leaf adds */\n"
        "  uint32_t left; /* the right child is the next; 0: a leaf */\n"
        "  unsigned feature : 31;\n  unsigned missing_left : 1;\n" + (extra if nodes.has_extra else "") + "};\n"
    )
    test = "x < at->number"
    if len(nodes.words) > 1:
        test = f"at->extra != 0 ? !is_in_set(words + at->extra, x) : {test}"
    several = forest.outputs > 1 and not nodes.vectors
    add = f"margins[{'outputs[tree]' if several else '0'}] += leaf->number;"
    if nodes.vectors:
        add = f"for (int k = 0; k < {forest.outputs}; ++k) margins[k] += vectors[leaf->extra + (uint32_t)k];"
    return "".join(
        [
            struct,
            _array("struct node", "nodes", nodes.texts),
            _array("uint32_t", "roots", map(str, nodes.roots)),
            _array("uint32_t", "outputs", (str(tree.output) for tree in forest.trees)) if several else "",
            _array("float", "vectors", map(_number, nodes.vectors)) if nodes.vectors else "",
            _array("uint32_t", "words", (f"{word}u" for word in nodes.words)) + _IN_SET if len(nodes.words) > 1 else "",
            _LEAF_OF.format(test=test),
            _SUM.format(name=name, outputs=forest.outputs, trees=len(forest.trees), add=add),
        ]
    )


class _Nodes:
    """The nodes of all trees in one table."""

    def __init__(self) -> None:
        self.roots: list[int] = []
        self.rows: list[tuple[str, int, int, int, int]] = []
        self.vectors: list[float] = []
        self.words = [0]  # so that no set begins at 0

    def add(self, tree: TreeTable) -> None:
        root = len(self.rows)
        self.roots.append(root)
        for node, left in enumerate(tree.left):
            number, extra = tree.threshold[node], 0
            categories, values = tree.categories[node], tree.values[node]
            if categories is not None:
                number, extra = 0.0, self._add_set(categories)
            elif len(values) > 1:
                extra = len(self.vectors)
                self.vectors += values
            elif values:
                number = values[0]
            link = root + left if left else 0
            self.rows.append((_number(number), link, tree.feature[node], int(tree.missing_left[node]), extra))

    @property
    def has_extra(self) -> bool:
        """Whether nodes need their last field."""
        return len(self.words) > 1 or bool(self.vectors)

    @property
    def texts(self) -> list[str]:
        """The nodes as C writes them."""
        width = 5 if self.has_extra else 4
        return ["{" + ", ".join(map(str, row[:width])) + "}" for row in self.rows]

    def _add_set(self, categories: list[int]) -> int:
        begin = len(self.words)
        words = [0] * (max(categories, default=-1) // _WORD_BITS + 1)
        for category in categories:
            words[category // _WORD_BITS] |= 1 << category % _WORD_BITS
        self.words += [len(words), *words]
        return begin


def _array(kind: str, name: str, items: Iterable[str]) -> str:
    lines, line = [], " "
    for item in items:
        if len(line) + len(item) + 2 > _LINE_LENGTH:
            lines.append(line)
            line = " "
        line += f" {item},"
    body = "\n".join([*lines, line])
    return f"\nstatic const {kind} {name}[] = {{\n{body}\n}};\n"


def _number(value: float) -> str:
    """Return the shortest of C's texts that nine digits are enough for."""
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    text = f"{value:.9g}"
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"
