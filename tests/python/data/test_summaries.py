# SPDX-License-Identifier: Apache-2.0
"""What models and matrices tell of themselves."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import xgb_like as xgb


class Checker(HTMLParser):
    """Collects the text, and fails unless tags are closed in their order."""

    def __init__(self, html):
        super().__init__()
        self.open, self.text = [], ""
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, _):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += f"{data}|"


def html_of(thing):
    return Checker(thing._repr_html_()).text


@pytest.mark.parametrize(
    ("params", "label", "text"),
    [
        ({}, "regression", "reg:squarederror, 2 rounds, 5 features"),
        ({"objective": "multi:softprob", "num_class": 3}, "classes", "multi:softprob, 2 rounds of 3 trees, 5 features"),
        ({"booster": "gblinear"}, "regression", "reg:squarederror, linear, 2 rounds, 5 features"),
    ],
)
def test_a_booster_in_a_line(request, params, label, text):
    model = xgb.train(params, xgb.DMatrix(*request.getfixturevalue(label)), 2)
    assert repr(model) == f"<xgb_like.Booster: {text}>"
    assert "objective|" + params.get("objective", "reg:squarederror") in html_of(model)


def test_the_best_round_is_told(dtrain):
    options = {"evals": [(dtrain, "train")], "early_stopping_rounds": 2, "verbose_eval": False}
    model = xgb.train({}, dtrain, 3, **options)
    assert repr(model).endswith(", best round 2>")
    assert re.search(r"best round\|2 \(score 0\.\d+\)", html_of(model))


def test_a_booster_in_a_notebook_has_names_and_importances(regression):
    features, label = regression
    names = ["<script>alert(1)</script>", "a&b", '"quoted"', "d", "e"]
    model = xgb.train({}, xgb.DMatrix(features, label, feature_names=[n.replace("<", "{") for n in names]), 3)
    html = model._repr_html_()
    assert "importance (total gain), 5 of 5 used features" in html_of(model)
    assert "a&amp;b" in html
    assert "script>" not in html


def test_long_names_and_numbers_are_short_in_a_notebook():
    rows = np.random.default_rng(0).normal(size=(100, 2))
    names = ["how often do you read the whole of a question before you answer it?", "b"]
    data = xgb.DMatrix(rows, 1e3 * rows[:, 0], feature_names=names)
    model = xgb.train({}, data, 5, evals=[(data, "train")], early_stopping_rounds=2, verbose_eval=False)
    for thing in (model, data):
        assert names[0] not in html_of(thing)
        assert "how often" in html_of(thing)
        assert f'title="{names[0]}"' in thing._repr_html_()
    assert "e+" not in html_of(model)
    assert len(re.search(r"score (.*?)\)", html_of(model))[1]) <= 8
    model.set_attr(best_score="of my own")
    assert "(score of my own)" in html_of(model)


@pytest.mark.parametrize("thing", [xgb.Booster(), xgb.DMatrix(np.empty((0, 2))), xgb.DMatrix(np.full((2, 1), np.nan))])
def test_nothing_yet_is_no_error(thing):
    assert repr(thing).startswith("<xgb_like.")
    assert html_of(thing)


def test_a_matrix_in_a_line_and_in_a_notebook():
    data = xgb.DMatrix(
        [[1, np.nan], [2, 3], [4, 5]], [0, 1, 1], weight=[1, 2], group=[1, 2], feature_names=["a&b", "c"]
    )  # fmt: skip
    assert repr(data) == "<xgb_like.DMatrix: 3 rows, 2 columns, with label, weight, 2 queries>"
    text = html_of(data)
    for part in ("missing cells|16.7 % of 6", "label|0 (1), 1 (2)", "queries|2", "2 named columns|a&b|"):
        assert part in text


def test_labels_of_few_values_are_counted_however_many_there_are():
    data = xgb.DMatrix(np.zeros((30_000, 1)), np.arange(30_000) % 3 == 0)
    assert "label|0 (20,000), 1 (10,000)" in html_of(data)
    late = xgb.DMatrix(np.zeros((30_000, 1)), np.arange(30_000) // 15_000 * 0.5)
    assert "label|0 to 0.5, 0.25 on average" in html_of(late)


def test_labels_of_many_values_are_ranges():
    data = xgb.QuantileDMatrix(np.arange(50)[:, None], np.arange(50), max_bin=16)
    assert "label|0 to 49, 24.5 on average" in html_of(data)
    assert "bins|at most 16 a column" in html_of(data)
    targets = xgb.DMatrix(np.arange(50)[:, None], np.column_stack([np.arange(50), np.arange(50)]))
    assert "24.5 on average, 2 columns" in html_of(targets)


def test_no_colour_is_that_of_a_light_page_only(booster, dtrain):
    for html in (booster._repr_html_(), dtrain._repr_html_()):
        assert not re.search(r"(?<!-)color:(?!inherit)|#[0-9a-fA-F]{3,6}", html)
        assert "background:white" not in html
