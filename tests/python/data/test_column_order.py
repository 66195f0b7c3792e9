# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

import xgb_like as xgb

NAMES, ORDER = list("abcde"), [3, 0, 4, 1, 2]
MOVED = [NAMES[place] for place in ORDER]
PARAMS = {"max_depth": 3, "nthread": 1}


@pytest.fixture
def named(regression):
    """A model of columns a to e."""
    return xgb.train(PARAMS, xgb.DMatrix(*regression, feature_names=NAMES), 4)


def moved(features, label=None, **options):
    return xgb.DMatrix(np.asarray(features)[:, ORDER], label, feature_names=MOVED, **options)


def test_predictions_put_columns_in_order(named, holes):
    wanted = named.predict(xgb.DMatrix(holes[0], feature_names=NAMES))
    np.testing.assert_array_equal(named.predict(moved(holes[0])), wanted)


@pytest.mark.parametrize("layout", ["csr_matrix", "csc_matrix"])
def test_sparse_columns_are_put_in_order(named, holes, layout):
    sparse = pytest.importorskip("scipy.sparse")
    filled = np.nan_to_num(holes[0])
    wanted = named.predict(xgb.DMatrix(filled, feature_names=NAMES, missing=0))
    data = xgb.DMatrix(getattr(sparse, layout)(filled[:, ORDER]), feature_names=MOVED)
    np.testing.assert_array_equal(named.predict(data), wanted)


def test_frames_are_put_in_order_in_place(named, regression):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(regression[0], columns=NAMES)
    np.testing.assert_array_equal(named.inplace_predict(frame[MOVED]), named.inplace_predict(frame))


def test_without_validation_columns_go_by_position(named, regression):
    as_given = named.predict(xgb.DMatrix(regression[0][:, ORDER], feature_names=NAMES))
    np.testing.assert_array_equal(named.predict(moved(regression[0]), validate_features=False), as_given)


def test_quantised_columns_are_put_in_order(named, regression):
    data = xgb.QuantileDMatrix(regression[0][:, ORDER], feature_names=MOVED)
    plain = xgb.QuantileDMatrix(regression[0], feature_names=NAMES)
    np.testing.assert_array_equal(named.predict(data), named.predict(plain))


def test_margins_and_labels_go_with_the_rows(named, regression):
    features, label = regression
    options = {"base_margin": np.arange(300.0)}
    plain = xgb.DMatrix(features, label, feature_names=NAMES, **options)
    np.testing.assert_array_equal(named.predict(moved(features, **options)), named.predict(plain))
    assert named.eval(moved(features, label, **options)) == named.eval(plain)


def test_categories_are_put_in_order_and_recoded():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"x": np.arange(40.0), "c": pd.Categorical(["u", "v", "w", "u"] * 10)})
    booster = xgb.train(PARAMS, xgb.DMatrix(frame, [1, 2, 3, 1] * 10), 3)
    other = pd.DataFrame({"c": pd.Categorical(["u", "v", "w", "u"] * 10, categories=["w", "v", "u"]), "x": frame["x"]})
    wanted = booster.predict(xgb.DMatrix(frame))
    np.testing.assert_array_equal(booster.predict(xgb.DMatrix(other)), wanted)
    np.testing.assert_array_equal(booster.inplace_predict(other), wanted)


def test_evals_and_continued_training_are_put_in_order(named, regression):
    log, plain_log = {}, {}
    data, plain = moved(*regression), xgb.DMatrix(*regression, feature_names=NAMES)
    more = xgb.train(PARAMS, data, 2, xgb_model=named, evals=[(plain, "v")], evals_result=log, verbose_eval=False)
    same = xgb.train(PARAMS, plain, 2, xgb_model=named, evals=[(data, "v")], evals_result=plain_log, verbose_eval=False)
    assert more.save_raw() == same.save_raw()
    assert log == plain_log


def test_weights_of_columns_move_with_them(regression):
    options = {"colsample_bytree": 0.4, "seed": 1, **PARAMS}
    plain = xgb.DMatrix(*regression, feature_names=NAMES, feature_weights=[1, 0, 0, 0, 1])
    start = xgb.train(options, plain, 1)
    weights = np.array([1, 0, 0, 0, 1])[ORDER]
    more = xgb.train(options, moved(*regression, feature_weights=weights), 3, xgb_model=start)
    assert more.save_raw() == xgb.train(options, plain, 3, xgb_model=start).save_raw()


def test_refit_puts_columns_in_order(named, regression):
    wanted = named.refit(xgb.DMatrix(*regression, feature_names=NAMES), decay=0.5)
    assert named.refit(moved(*regression), decay=0.5).save_raw() == wanted.save_raw()


def test_a_round_by_hand_refuses_another_order(named, regression):
    with pytest.raises(xgb.DataError, match="same, in another order. Train on data.*or by train"):
        named.update(moved(*regression), 4)


def test_long_differences_are_cut(regression):
    wide = xgb.DMatrix(np.zeros((2, 20)), [0, 1], feature_names=[f"n{i}" for i in range(20)])
    booster = xgb.train({}, wide, 1)
    with pytest.raises(xgb.DataError, match="expected n0, n1, n2, n3, n4 and 15 more in the data"):
        booster.predict(xgb.DMatrix(regression[0], feature_names=NAMES))


def test_categories_go_by_name_in_evaluation_and_continued_training():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("sklearn")
    kind, size = np.arange(300) % 4, np.arange(300) % 3
    frame = pd.DataFrame({
        "x": np.linspace(0, 1, 300),
        "kind": pd.Categorical.from_codes(kind, list("abcd")),
        "size": pd.Categorical.from_codes(size, list("SML")),
    })  # fmt: skip
    moved_frame, label = frame[["size", "x", "kind"]], kind + size / 5
    straight = xgb.XGBRegressor(n_estimators=3).fit(frame, label, eval_set=[(frame.copy(), label)], verbose=False)
    crossed = xgb.XGBRegressor(n_estimators=3).fit(frame, label, eval_set=[(moved_frame, label)], verbose=False)
    assert crossed.evals_result() == straight.evals_result()
    longer = [xgb.XGBRegressor(n_estimators=2).fit(data, label, xgb_model=straight) for data in (frame, moved_frame)]
    assert longer[0].get_booster().save_raw() == longer[1].get_booster().save_raw()
