# SPDX-License-Identifier: Apache-2.0
"""Models and matrices of other libraries that a program has at hand."""

import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb

pytestmark = pytest.mark.peer


def models(library, features, label):
    """A booster and an estimator."""
    if library == "xgboost":
        peer = pytest.importorskip("xgboost")
        booster = peer.train({"max_depth": 3}, peer.DMatrix(features, label), 4)
        return booster, peer.XGBRegressor(n_estimators=4, max_depth=3).fit(features, label)
    peer = pytest.importorskip("lightgbm")
    booster = peer.train({"verbose": -1}, peer.Dataset(features, label), 4)
    return booster, peer.LGBMRegressor(n_estimators=4, verbose=-1).fit(features, label)


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_models_are_taken_in_place_of_files(regression, library):
    features, label = regression
    data = xgb.DMatrix(features, label)
    for model in models(library, features, label):
        start = xgb.Booster(model_file=model)
        estimator = hasattr(model, "fit")
        expected = model.predict(features) if estimator or library == "lightgbm" else model.inplace_predict(features)
        np.testing.assert_allclose(start.inplace_predict(features), expected, rtol=1e-5, atol=1e-6)
        further = xgb.train({}, data, 2, xgb_model=start)
        assert further.num_boosted_rounds() == 6
        assert xgb.train({}, data, 2, xgb_model=model).save_raw() == further.save_raw()
        fitted = xgb.XGBRegressor(n_estimators=2).fit(features, label, xgb_model=model).get_booster()
        assert fitted.get_dump() == further.get_dump()
        assert xgb.export.to_c(model) == xgb.export.to_c(start)


def test_our_estimators_are_taken_in_place_of_boosters(regression, dtrain):
    model = xgb.XGBRegressor(n_estimators=2).fit(*regression)
    assert xgb.train({}, dtrain, 3, xgb_model=model).num_boosted_rounds() == 5
    assert xgb.Booster(model_file=model).save_raw() == model.get_booster().save_raw()


def test_best_rounds_and_names_come_along(binary):
    peer = pytest.importorskip("xgboost")
    data = peer.DMatrix(*binary, feature_names=list("abcde"))
    params = {"objective": "binary:logistic", "eta": 1, "max_depth": 6}
    other = peer.DMatrix(binary[0][::-1].copy(), binary[1], feature_names=list("abcde"))
    model = peer.train(params, data, 30, evals=[(other, "x")], early_stopping_rounds=2, verbose_eval=False)
    ours = xgb.Booster(model_file=model)
    assert (ours.feature_names, ours.best_iteration) == (list("abcde"), model.best_iteration)


def foreign_matrix(library):
    peer = pytest.importorskip(library)
    return getattr(peer, {"xgboost": "DMatrix", "lightgbm": "Dataset"}[library])(np.ones((3, 2)), np.ones(3))


@pytest.mark.parametrize(
    "use",
    [
        lambda data: xgb.train({}, data, 1),
        lambda data: xgb.cv({}, data, 1),
        lambda data: xgb.train({}, xgb.DMatrix(np.ones((3, 2)), np.ones(3)), 1, evals=[(data, "a")]),
        lambda data: xgb.Booster({}, [data]),
        xgb.DMatrix,
        lambda data: xgb.QuantileDMatrix(np.ones((3, 2)), ref=data),
        lambda data: xgb.XGBRegressor().fit(data, np.ones(3)),
        lambda data: xgb.XGBRegressor().fit(np.ones((3, 2)), np.ones(3), eval_set=[data]),
        lambda data: xgb.XGBRegressor(n_estimators=1).fit(np.ones((3, 2)), np.ones(3)).predict(data),
        lambda data: xgb.XGBRegressor(n_estimators=1).fit(np.ones((3, 2)), np.ones(3)).get_booster().predict(data),
    ],
)
@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
def test_matrices_are_refused_by_their_library(library, use):
    with pytest.raises(TypeError, match=f"got a D.* of {library}.|: a D.* of {library}.") as refused:
        use(foreign_matrix(library))
    assert "make one with xgb_like.DMatrix(...) of the same data" in str(refused.value)


def test_what_the_message_says_of_xgboosts_matrices_is_so(holes):
    peer = pytest.importorskip("xgboost")
    theirs = peer.DMatrix(*holes)
    ours = xgb.DMatrix(theirs.get_data(), theirs.get_label())
    assert xgb.train({}, ours, 2).save_raw() == xgb.train({}, xgb.DMatrix(*holes), 2).save_raw()


def test_no_library_is_imported_for_that():
    program = """
import sys
import numpy as np
import xgb_like as xgb
data = xgb.DMatrix(np.ones((3, 2)), np.ones(3))
xgb.train({}, data, 1, xgb_model=xgb.train({}, data, 1))
print([name for name in ("xgboost", "lightgbm", "catboost") if name in sys.modules])
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("library", ["xgboost", "lightgbm"])
@pytest.mark.usefixtures("plt")
def test_pictures_and_curves_take_their_models(binary, library):
    data = xgb.DMatrix(*binary)
    for model in models(library, *binary):
        ours = xgb.Booster(model_file=model)
        found, expected = (xgb.plotting.lorenz_curve(data, one) for one in (model, ours))
        assert found.gini == expected.gini
        drawn, wanted = (xgb.plotting.plot_shap_summary(one, binary[0], kind="bars") for one in (model, ours))
        assert [bar.get_width() for bar in drawn.patches] == [bar.get_width() for bar in wanted.patches]
