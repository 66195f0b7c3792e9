# SPDX-License-Identifier: Apache-2.0
"""Learning curves."""

import numpy as np
import pytest

from xgb_like import plotting

pytestmark = pytest.mark.usefixtures("plt")


def test_learning_curves_have_a_line_a_data_set():
    history = {"train": {"auc": [0.5, 0.7, 0.8]}, "test": {"auc": [0.5, 0.6, 0.55]}}
    ax = plotting.plot_metrics(history)
    assert [line.get_ydata().tolist() for line in ax.lines[:2]] == [[0.5, 0.7, 0.8], [0.5, 0.6, 0.55]]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["train", "test", "best: 0.6 in round 1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Round", "auc")


def test_the_legend_of_learning_curves_hides_the_line_of_the_best_round():
    frame = plotting.plot_metrics({"test": {"auc": [0.5, 0.6, 0.55]}}).get_legend().get_frame()
    assert frame.get_visible()
    assert frame.get_alpha() > 0.8


@pytest.mark.parametrize(("metric", "best"), [("auc_mine", 2), ("map_at_5", 2), ("mape", 0), ("loss", 0)])
def test_the_best_round_is_that_of_early_stopping(metric, best):
    ax = plotting.plot_metrics({"test": {metric: [0.1, 0.2, 0.3]}})
    assert ax.get_legend().get_texts()[-1].get_text().endswith(f"in round {best}")


def test_several_metrics_have_a_panel_each():
    history = {"train": {"auc": [0.5], "rmse": [1.0]}, "test": {"rmse": [np.nan]}}
    axes = plotting.plot_metrics(history)
    assert [ax.get_ylabel() for ax in axes] == ["auc", "rmse"]
    axes[0].get_figure().canvas.draw()
    assert len(plotting.plot_metrics(history, metric="rmse", data=["train"], mark_best=False).lines) == 1


def test_cross_validation_has_bands():
    results = {
        "train-my-err-mean": [2, 1],
        "train-my-err-std": [0, 0],
        "test-my-err-mean": [3, 2],
        "test-my-err-std": [1, 1],
    }
    ax = plotting.plot_metrics(results)
    assert ax.get_ylabel() == "my-err"
    assert len(ax.collections) == 2


@pytest.mark.parametrize(
    ("source", "options", "text"),
    [
        ({}, {}, "is empty"),
        (3, {}, "must be the dict that train"),
        ({"a": {"rmse": [1]}}, {"metric": "auc"}, "There is no metric 'auc'; there are rmse"),
        ({"a": {"rmse": [1]}}, {"data": ["b"]}, "no data 'b'; there are a"),
        ({"a": {"rmse": [1], "mae": [1]}}, {"ax": 1}, "`ax` is for one metric"),
    ],
)
def test_learning_curves_refuse(source, options, text):
    with pytest.raises(ValueError, match=text):
        plotting.plot_metrics(source, **options)
