# SPDX-License-Identifier: Apache-2.0
"""Calibration, lift and Lorenz curves: the numbers and the pictures."""

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like import plotting


@pytest.fixture
def claims():
    """Claims per year, the years that rows were insured for, and what was predicted."""
    rng = np.random.default_rng(0)
    years, mean = rng.uniform(0.1, 2, 600), rng.gamma(2, 0.1, 600)
    return rng.poisson(mean * years) / years, mean, years


def test_calibration_is_that_of_scikit_learn():
    calibration = pytest.importorskip("sklearn.calibration")
    rng = np.random.default_rng(0)
    probability = rng.random(1000)
    label = rng.random(1000) < probability
    for strategy in ("quantile", "uniform"):
        observed, predicted = calibration.calibration_curve(label, probability, n_bins=10, strategy=strategy)
        found = plotting.calibration_curve(label, probability, n_bins=10, strategy=strategy)
        if strategy == "uniform":  # from 0 to 1 there, from the least to the largest here
            np.testing.assert_allclose(found.observed, observed, atol=0.03)
        else:
            np.testing.assert_allclose(found.observed, observed)
            np.testing.assert_allclose(found.predicted, predicted)
            assert found.weight.tolist() == [100] * 10


def test_bins_have_equal_weight_and_weighted_means(claims):
    label, mean, years = claims
    found = plotting.calibration_curve(label, mean, sample_weight=years, n_bins=5)
    order = np.argsort(mean)
    middle = np.cumsum(years[order]) - years[order] / 2
    parts = np.split(order, np.searchsorted(middle, years.sum() * np.arange(1, 5) / 5))
    for name, values in (("observed", label), ("predicted", mean)):
        expected = [np.average(values[part], weights=years[part]) for part in parts]
        np.testing.assert_allclose(getattr(found, name), expected)
    assert np.ptp(found.weight) < 4
    assert np.sum(found.observed * found.weight) == pytest.approx(np.sum(label * years))


def test_a_weight_is_as_good_as_so_many_rows(claims):
    label, mean, _ = claims
    times = np.random.default_rng(1).integers(0, 4, len(label))
    repeated = np.repeat(label, times), np.repeat(mean, times)
    for curve in (plotting.calibration_curve, plotting.lorenz_curve):
        for ours, theirs in zip(curve(label, mean, sample_weight=times), curve(*repeated), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("curve", [plotting.calibration_curve, plotting.lorenz_curve])
def test_nothing_depends_on_the_order_of_rows(claims, curve):
    label, mean, years = claims
    coarse = np.round(mean, 1)  # many rows of equal predictions
    order = np.random.default_rng(1).permutation(len(label))
    before = curve(label, coarse, sample_weight=years)
    after = curve(label[order], coarse[order], sample_weight=years[order])
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one, other)


def test_equal_predictions_are_one_bin():
    assert plotting.calibration_curve([1, 2, 3], [5, 5, 5]) == (2, 5, 3)
    assert plotting.calibration_curve([1, 2, 3], [5, 5, 5], strategy="uniform") == (2, 5, 3)
    found = plotting.calibration_curve([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.9], n_bins=4)
    assert found.weight.tolist() == [3, 1]
    assert plotting.calibration_curve([4], [2]) == (4, 2, 1)


def test_labels_may_be_classes():
    found = plotting.calibration_curve(["no", "yes", "no", "yes"], [0.1, 0.4, 0.2, 0.8], n_bins=2, pos_label="yes")
    assert found.observed.tolist() == [0, 1]


def test_the_gini_coefficient_is_that_of_the_area_under_the_roc_curve():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    score = np.round(rng.random(500), 1)
    label, weight = rng.random(500) < score, rng.uniform(0, 2, 500)
    area = metrics.roc_auc_score(label, score, sample_weight=weight)
    found = plotting.gini_coefficient(label, score, sample_weight=weight, normalized=True)
    assert found == pytest.approx(2 * area - 1)
    curve = plotting.lorenz_curve(label, score, sample_weight=weight)
    assert curve.gini == pytest.approx(1 - 2 * metrics.auc(curve.population, curve.observed))
    assert plotting.gini_coefficient(label, -score, sample_weight=weight) == pytest.approx(-curve.gini)


def test_lorenz_curves_by_hand():
    curve = plotting.lorenz_curve([0, 2, 0, 2], [1, 2, 1, 3], sample_weight=[1, 1, 2, 0])
    assert curve.population.tolist() == [0, 0.75, 1]
    assert curve.observed.tolist() == [0, 0, 1]
    assert curve.gini == pytest.approx(0.75)
    assert plotting.lorenz_curve([1, 3], [7, 7]).gini == pytest.approx(0)
    assert plotting.lorenz_curve([1], [1]).gini == pytest.approx(0)


def test_double_lift_by_hand():
    found = plotting.double_lift([1, 2, 3, 4], [2, 2, 2, 2], [1, 1, 4, 4], sample_weight=[1, 3, 1, 1], n_bins=2)
    assert found.weight.tolist() == [4, 2]
    assert found.observed.tolist() == [1.75, 3.5]
    assert (found.first.tolist(), found.second.tolist()) == ([2, 2], [1, 4])
    assert found.ratio.tolist() == [0.5, 2]


def test_models_predict_for_a_matrix_with_labels_and_weights(claims):
    label, mean, years = claims
    data = xgb.DMatrix(mean[:, None], label, weight=years)
    model = xgb.train({"objective": "count:poisson", "max_depth": 2}, data, 5)
    by_arrays = plotting.lorenz_curve(data.get_label(), model.predict(data), sample_weight=data.get_weight())
    assert plotting.lorenz_curve(data, model).gini == by_arrays.gini
    own = plotting.lorenz_curve(data, model, sample_weight=np.ones(600)).gini
    assert own == plotting.gini_coefficient(data.get_label(), model.predict(data))
    assert own != by_arrays.gini
    with pytest.raises(ValueError, match="`y_pred` is a model: `y_true` must be a DMatrix"):
        plotting.lorenz_curve(label, model)
    with pytest.raises(ValueError, match="`y_true` is a DMatrix without labels"):
        plotting.lorenz_curve(xgb.DMatrix(mean[:, None]), model)


def test_models_predict_by_their_best_rounds(claims):
    label, mean, _ = claims
    data = xgb.DMatrix(mean[:, None], label)
    model = xgb.train({"max_depth": 2}, data, 5)
    model.set_attr(best_iteration="0")
    assert plotting.calibration_curve(data, model).predicted.tolist() == (
        plotting.calibration_curve(data, model[:1]).predicted.tolist()
    )


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"y_true": [0, np.nan]}, "`y_true` must be finite numbers; got nan in row 1"),
        ({"y_pred": [np.inf, 1]}, "`y_pred` must be finite numbers; got inf in row 0"),
        ({"sample_weight": [1, np.nan]}, "`sample_weight` must be finite"),
        ({"sample_weight": [1, -1]}, "`sample_weight` must not be negative; got -1"),
        ({"sample_weight": [0, 0]}, "`sample_weight` is 0 in all rows"),
        ({"sample_weight": [1]}, "`sample_weight` has 1 rows, but `y_true` has 2"),
        ({"y_pred": [1, 2, 3]}, "`y_pred` has 3 rows, but `y_true` has 2"),
        ({"y_pred": [[1, 2], [3, 4]]}, "`y_pred` must have one number for each row; got the shape"),
        ({"y_true": [], "y_pred": []}, "`y_true` has no rows"),
        ({"y_true": ["a", "b"]}, "`y_true` must be numbers.*`pos_label`"),
    ],
)
def test_what_is_no_number_is_refused(given, text):
    given = {"y_true": [0, 1], "y_pred": [0.1, 0.2], **given}
    for curve in (plotting.calibration_curve, plotting.lorenz_curve, plotting.gini_coefficient):
        with pytest.raises(ValueError, match=text):
            curve(**given)
    with pytest.raises(ValueError, match=text):
        plotting.double_lift(**given, y_pred_other=given["y_pred"])


def test_what_has_no_curve_is_refused():
    for bins in (0, 2.5, "ten"):
        with pytest.raises((ValueError, TypeError), match="`n_bins`"):
            plotting.calibration_curve([0, 1], [0, 1], n_bins=bins)
    with pytest.raises(ValueError, match="`strategy` must be one of quantile, uniform; got 'kmeans'"):
        plotting.calibration_curve([0, 1], [0, 1], strategy="kmeans")
    with pytest.raises(ValueError, match="`y_true` must not be negative"):
        plotting.lorenz_curve([-1, 1], [0, 1])
    with pytest.raises(ValueError, match="`y_true` is 0 in all rows that have a weight"):
        plotting.lorenz_curve([0, 1], [0, 1], sample_weight=[1, 0])
    with pytest.raises(ValueError, match="the same in all rows"):
        plotting.gini_coefficient([2, 2], [0, 1], normalized=True)
    with pytest.raises(ValueError, match="`y_pred_other` must be above 0"):
        plotting.double_lift([2, 2], [1, 1], [0, 1])


def test_frames_and_series_of_other_libraries(claims):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    label, mean, years = claims
    plain = plotting.gini_coefficient(label, mean, sample_weight=years)
    for series in (pandas.Series, polars.Series, list):
        columns = [series(values.tolist()) for values in claims]
        assert plotting.gini_coefficient(columns[0], columns[1], sample_weight=columns[2]) == pytest.approx(plain)
    with pytest.raises(ValueError, match="`y_true` must be finite numbers; got nan in row 1"):
        plotting.gini_coefficient(pandas.array([1, None], dtype="Int64"), [1, 2])


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.usefixtures("plt")
def test_pictures_show_the_numbers(claims):
    label, mean, years = claims
    ax = plotting.plot_calibration(label, {"ours": mean, "$ theirs": mean**2}, sample_weight=years, n_bins=4)
    assert legend_of(ax) == ["perfect", "ours", r"\$ theirs"]
    curve = plotting.calibration_curve(label, mean, sample_weight=years, n_bins=4)
    assert ax.lines[1].get_xydata().tolist() == np.column_stack([curve.predicted, curve.observed]).tolist()
    ax = plotting.plot_lift(label, mean, sample_weight=years, n_bins=4)
    assert [line.get_ydata().tolist() for line in ax.lines[1:]] == [curve.observed.tolist(), curve.predicted.tolist()]
    assert ax.lines[0].get_ydata()[0] == pytest.approx(np.average(label, weights=years))
    ax = plotting.plot_double_lift(label, mean, mean**2, sample_weight=years, names=("a", "b"), n_bins=30)
    found = plotting.double_lift(label, mean, mean**2, sample_weight=years, n_bins=30)
    assert [line.get_ydata().tolist() for line in ax.lines] == [column.tolist() for column in found[:3]]
    assert (legend_of(ax), ax.get_xlabel()) == (["observed", "a", "b"], "Mean ratio of the predictions, b / a")
    assert len(ax.get_xticks()) <= 12
    ax = plotting.plot_lorenz(label, {"ours": mean}, sample_weight=years)
    curve = plotting.lorenz_curve(label, mean, sample_weight=years)
    assert ax.lines[-1].get_xydata().tolist() == np.column_stack(curve[:2]).tolist()
    assert legend_of(ax)[-1] == f"ours: Gini {curve.gini:.3f}"
    ax.get_figure().canvas.draw()


def test_pictures_take_axes_and_texts(claims, plt):
    label, mean, _ = claims
    for draw in (plotting.plot_calibration, plotting.plot_lift, plotting.plot_lorenz, plotting.plot_double_lift):
        own = plt.subplots()[1]
        others = (mean, mean) if draw is plotting.plot_double_lift else (mean,)
        ax = draw(label, *others, ax=own, title=None, xlabel=None, ylabel="Y", grid=False)
        assert ax is own
        assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("", "", "Y")


def test_double_lifts_are_of_two_models(claims, plt):
    label, mean, _ = claims
    for given in ((mean,), ({"a": mean},), ({"a": mean, "b": mean, "c": mean},)):
        with pytest.raises(ValueError, match="compares two models"):
            plotting.plot_double_lift(label, *given)
    with pytest.raises(ValueError, match="`names` must be two names; got 'ab'"):
        plotting.plot_double_lift(label, mean, mean, names="ab")
    with pytest.raises(ValueError, match="`y_pred` is empty"):
        plotting.plot_lorenz(label, {})
    assert not plt.get_fignums()
