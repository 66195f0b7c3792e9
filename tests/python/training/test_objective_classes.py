# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ARG002, ARG005  what is called has a fixed signature
import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._model._custom import derivatives

PARAMS = {"max_depth": 3, "nthread": 1, "base_score": 0.5}
VECTORS = {**PARAMS, "multi_strategy": "multi_output_tree"}


def squares(margin, data):
    return margin - data.get_label().reshape(margin.shape), np.ones(margin.shape, np.float32)


class Squares(xgb.objective.Objective):
    """Squared error that notes the rounds it was called for."""

    def __init__(self):
        self.rounds = []

    def __call__(self, iteration, y_pred, dtrain):
        self.rounds.append(iteration)
        return squares(y_pred, dtrain)


class Reduced(xgb.objective.TreeObjective):
    """Squared error whose splits are chosen by what a function makes of the derivatives."""

    def __init__(self, reduce):
        self.reduce = reduce

    def __call__(self, iteration, y_pred, dtrain):
        return squares(y_pred, dtrain)

    def split_grad(self, iteration, grad, hess):
        return self.reduce(grad, hess)


def by_mean(grad, hess):
    return grad.mean(axis=1), hess.mean(axis=1)


@pytest.fixture
def targets(regression):
    """The regression data with three targets, and values so few that bins of all libraries are the same."""
    features = np.round(regression[0] * 4)
    return features, np.column_stack([regression[1], -regression[1], regression[0][:, 1]]).astype(np.float32)


def test_a_class_gets_the_round_and_trains_as_a_function_does(dtrain):
    own = Squares()
    booster = xgb.train(PARAMS, dtrain, 3, obj=own)
    assert own.rounds == [0, 1, 2]
    assert booster.save_raw() == xgb.train(PARAMS, dtrain, 3, obj=squares).save_raw()


def test_an_objective_must_be_callable():
    with pytest.raises(TypeError, match="abstract"):
        xgb.objective.TreeObjective()


def test_a_tree_objective_may_leave_splits_to_its_derivatives(dtrain):
    plain = xgb.objective.TreeObjective.split_grad
    booster = xgb.train(PARAMS, dtrain, 3, obj=Reduced(lambda g, h: plain(None, 0, g, h)))
    assert booster.save_raw() == xgb.train(PARAMS, dtrain, 3, obj=squares).save_raw()


def test_split_gradients_that_are_the_gradients_change_nothing(targets):
    data = xgb.DMatrix(*targets)
    same = xgb.train(VECTORS, data, 3, obj=Reduced(lambda g, h: (g, h)))
    assert same.save_raw() == xgb.train(VECTORS, data, 3, obj=squares).save_raw()


@pytest.mark.parametrize("reduce", [by_mean, lambda g, h: (g[:, :2], h[:, :2])], ids=["mean", "two columns"])
def test_fewer_columns_choose_splits_and_still_fit_all_targets(targets, reduce):
    data = xgb.DMatrix(*targets)
    log = {}
    booster = xgb.train(
        {**VECTORS, "eta": 1}, data, 6, obj=Reduced(reduce), evals=[(data, "a")], evals_result=log, verbose_eval=False
    )
    assert booster.predict(data).shape == (300, 3)
    assert (np.diff(log["a"]["rmse"]) <= 0).all()
    assert booster.save_raw() != xgb.train({**VECTORS, "eta": 1}, data, 6, obj=squares).save_raw()


@pytest.mark.peer
def test_split_gradients_as_xgboost_takes_them(targets):
    peer = pytest.importorskip("xgboost", minversion="3.2")
    tree_objective = pytest.importorskip("xgboost.objective").TreeObjective

    class Theirs(tree_objective):
        def __call__(self, iteration, y_pred, dtrain):
            gradient, hessian = squares(y_pred, dtrain)
            return gradient.reshape(y_pred.shape), hessian

        def split_grad(self, iteration, grad, hess):
            return by_mean(grad, hess)

    params = {**VECTORS, "max_depth": 2}
    ours = xgb.train(params, xgb.DMatrix(*targets), 3, obj=Reduced(by_mean)).predict(xgb.DMatrix(targets[0]))
    theirs = peer.train(params, peer.DMatrix(*targets), 3, obj=Theirs()).predict(peer.DMatrix(targets[0]))
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize(
    ("reduce", "text"),
    [
        (lambda g, h: g, "`split_grad` must return a gradient and a hessian; got ndarray"),
        (lambda g, h: (g[:5], h[:5]), r"`grad` of `split_grad` must have the shape \(300,\)"),
        (lambda g, h: (g, h[:, 0]), "`hess` of `split_grad` must have the same shape"),
        (lambda g, h: (g * np.nan, h), "`grad` of `split_grad` must be finite"),
        (lambda g, h: (g[:, :0], h[:, :0]), "`grad` of `split_grad` must have the shape"),
    ],
)
def test_bad_split_gradients_are_refused(targets, reduce, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        xgb.train(VECTORS, xgb.DMatrix(*targets), 1, obj=Reduced(reduce))


def test_split_gradients_go_without_monotone_constraints(targets):
    params = {**VECTORS, "monotone_constraints": (1,) + (0,) * (xgb.DMatrix(*targets).num_col() - 1)}
    with pytest.raises(xgb.ParameterError, match="Monotonic constraints are not supported with reduced gradients"):
        xgb.train(params, xgb.DMatrix(*targets), 1, obj=Reduced(by_mean))


def test_split_gradients_need_vector_leaves(targets):
    with pytest.raises(xgb.ParameterError, match="`split_grad`.*`multi_strategy`"):
        xgb.train(PARAMS, xgb.DMatrix(*targets), 1, obj=Reduced(by_mean))


def test_boost_takes_derivatives_or_an_objective(dtrain):
    booster, given = xgb.Booster(PARAMS, [dtrain]), xgb.Booster(PARAMS, [dtrain])
    booster.boost(dtrain, 0, fobj=squares)
    gradient, hessian = squares(np.full(300, 0.5, np.float32), dtrain)
    given.boost(dtrain, 0, grad=gradient, hess=hessian)
    assert booster.save_raw() == given.save_raw()
    for wrong in ({}, {"fobj": squares, "grad": gradient}):
        with pytest.raises(xgb.ParameterError, match="either `grad` and `hess`, or `fobj`"):
            booster.boost(dtrain, 1, **wrong)
    with pytest.raises(xgb.XgbLikeError, match="`hess`"):
        booster.boost(dtrain, 1, grad=gradient)


def test_float_arrays_in_c_order_are_not_copied():
    gradient, hessian = np.ones((7, 2), np.float32), np.ones(7, np.float32)
    gradient.flags.writeable = False
    assert np.shares_memory(derivatives(gradient, gradient, 7)[0], gradient)
    assert np.shares_memory(derivatives(hessian, hessian, 7)[1], hessian)
    assert not np.shares_memory(derivatives(np.ones(7), hessian, 7)[0], hessian)


def test_arrays_that_may_not_be_written_to_and_strided_ones_are_taken(dtrain):
    def frozen(margin, data):
        gradient, hessian = squares(margin, data)
        wide = np.repeat(hessian, 2)[::2]
        gradient.flags.writeable = False
        return gradient, wide

    assert xgb.train(PARAMS, dtrain, 2, obj=frozen).save_raw() == xgb.train(PARAMS, dtrain, 2, obj=squares).save_raw()


def test_margins_are_an_array_of_ones_own(dtrain):
    def in_place(margin, data):
        margin -= data.get_label()
        return margin, np.ones_like(margin)

    assert xgb.train(PARAMS, dtrain, 3, obj=in_place).save_raw() == xgb.train(PARAMS, dtrain, 3).save_raw()


def pseudo_huber(margin, label):
    apart = margin - label
    root = np.sqrt(np.float32(1) + apart * apart)
    return apart / root, np.float32(1) / ((np.float32(1) + apart * apart) * root)


def signs(margin, label):
    return np.sign(margin - label), np.ones_like(margin)


def pinball(margin, label):
    return np.where(margin >= label, np.float32(1) - np.float32(0.3), -np.float32(0.3)), np.ones_like(margin)


def halves(margin, label):
    return margin - label, np.ones_like(margin)


@pytest.mark.parametrize("method", ["exact", "hist"])
@pytest.mark.parametrize(
    ("own", "params"),
    [
        (halves, {}),
        (pseudo_huber, {"objective": "reg:pseudohubererror"}),
        (signs, {"objective": "reg:absoluteerror", "leaf_estimation_method": "newton"}),
        (
            pinball,
            {"objective": "reg:quantileerror", "quantile_alpha": 0.3, "leaf_estimation_method": "newton"},
        ),
    ],
)
def test_what_a_built_in_objective_computes_gives_its_bytes(regression, own, params, method):
    weight = np.random.default_rng(2).uniform(0.5, 2, 300).astype(np.float32)
    data = xgb.DMatrix(*regression, weight=weight)

    def weighted(margin, matrix):
        return tuple(part * matrix.get_weight() for part in own(margin, matrix.get_label()))

    params = {**PARAMS, **params, "tree_method": method}
    assert xgb.train(params, data, 5, obj=weighted).save_raw() == xgb.train(params, data, 5).save_raw()


def test_a_logistic_objective_differs_by_no_more_than_its_exponentials(binary):
    data = xgb.DMatrix(*binary)

    def logistic(margin, matrix):
        share = 1 / (1 + np.exp(-margin))
        return share - matrix.get_label(), share * (1 - share)

    params = {**PARAMS, "objective": "binary:logistic", "tree_method": "exact"}
    margins = [xgb.train(params, data, 3, obj=own).predict(data, output_margin=True) for own in (logistic, None)]
    np.testing.assert_allclose(*margins, atol=1e-6)


def test_leaf_steps_are_not_for_objectives_of_ones_own(dtrain):
    with pytest.raises(xgb.ParameterError, match="`leaf_estimation_iterations` is 3.*custom objective"):
        xgb.train({**PARAMS, "leaf_estimation_iterations": 3}, dtrain, 1, obj=squares)
    booster = xgb.train({**PARAMS, "leaf_estimation_iterations": 3}, dtrain, 1)
    assert booster.num_boosted_rounds() == 1


@pytest.mark.parametrize("rows", [0, 1])
@pytest.mark.filterwarnings("ignore:`dtrain` has no rows")
def test_derivatives_of_few_rows(rows):
    data = xgb.DMatrix(np.zeros((rows, 2), np.float32), np.zeros((rows, 3), np.float32))
    booster = xgb.train(VECTORS, data, 2, obj=Reduced(lambda g, h: (g, h)))
    assert booster.num_boosted_rounds() == 2
    assert len(booster.predict(data)) == rows
