# SPDX-License-Identifier: Apache-2.0
import tracemalloc

import numpy as np
import pytest

import xgb_like as xgb

MODELS = {
    "plain": {},
    "classes": {"objective": "multi:softprob", "num_class": 3},
    "forest": {"num_parallel_tree": 3, "subsample": 0.5},
    "dart": {"booster": "dart", "rate_drop": 0.5},
}


@pytest.mark.parametrize("weight_type", ["uniform", "gain", "cover"])
@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_similarity_is_the_weighted_share_of_trees_whose_leaf_is_the_same(classes, settings, weight_type):
    features, labels = classes
    booster = xgb.train({"max_depth": 3, **settings}, xgb.DMatrix(features, labels), 4)
    data, reference = xgb.DMatrix(features[:7]), xgb.DMatrix(features[5:30])
    leaves, others = (booster.predict(rows, pred_leaf=True) for rows in (data, reference))
    weights = np.ones(leaves.shape[1])
    if weight_type != "uniform":
        nodes = booster.trees_to_dataframe()
        splits = nodes[nodes["Feature"] != "Leaf"].groupby("Tree")[weight_type.title()].sum()
        weights = splits.reindex(range(leaves.shape[1]), fill_value=0).to_numpy()
    same = leaves[:, np.newaxis] == others
    found = booster.compute_leaf_similarity(data, reference, weight_type=weight_type)
    assert found.shape == (7, 25)
    assert np.allclose(found, (same * weights).sum(-1) / weights.sum(), atol=1e-6)
    assert np.allclose(found[[5, 6], [0, 1]], 1)


def test_equal_weights_are_the_default(booster, dtrain):
    equal = booster.compute_leaf_similarity(dtrain, dtrain, weight_type="uniform")
    assert np.array_equal(booster.compute_leaf_similarity(dtrain, dtrain), equal)


def test_all_rows_are_alike_to_trees_without_splits(dtrain):
    stumps = xgb.train({"gamma": 1e9}, dtrain, 2)
    for weight_type in ("uniform", "gain", "cover"):
        assert np.all(stumps.compute_leaf_similarity(dtrain, dtrain, weight_type) == 1)


def test_trees_are_those_that_predictions_use(dtrain):
    booster = xgb.train({"max_depth": 3}, dtrain, 6)
    booster.best_iteration = 2
    for weight_type in ("uniform", "gain"):
        found = booster.compute_leaf_similarity(dtrain, dtrain, weight_type)
        assert np.array_equal(found, booster[:3].compute_leaf_similarity(dtrain, dtrain, weight_type))


def test_training_may_go_on_meanwhile(dtrain, monkeypatch):
    booster = xgb.train({"max_depth": 3}, dtrain, 2)
    expected, predict = booster.compute_leaf_similarity(dtrain, dtrain), xgb.Booster.predict

    def after_a_round(model, rows, **kind):
        booster.update(dtrain, booster.num_boosted_rounds())
        return predict(model, rows, **kind)

    monkeypatch.setattr(xgb.Booster, "predict", after_a_round)
    assert np.array_equal(booster.compute_leaf_similarity(dtrain, dtrain), expected)
    assert booster.num_boosted_rounds() == 4


def test_no_rows_give_an_empty_table(booster, dtrain):
    assert booster.compute_leaf_similarity(dtrain, xgb.DMatrix(np.empty((0, 5)))).shape == (300, 0)


def test_what_cannot_be_compared_is_refused(booster, regression, dtrain):
    features, label = regression
    with pytest.raises(xgb.ParameterError, match="weight_type must be one of uniform, gain, cover"):
        booster.compute_leaf_similarity(dtrain, dtrain, weight_type="weight")
    with pytest.raises(ValueError, match="must be a DMatrix"):
        booster.compute_leaf_similarity(dtrain, features)
    linear = xgb.train({"booster": "gblinear"}, dtrain, 1)
    with pytest.raises(xgb.ParameterError, match="Leaf similarity is only defined for models of trees"):
        linear.compute_leaf_similarity(dtrain, dtrain)
    several = xgb.DMatrix(features, np.column_stack([label, -label]))
    vectors = xgb.train({"multi_strategy": "multi_output_tree"}, several, 1)
    with pytest.raises(xgb.ParameterError, match="Leaf similarity does not support multi_output_tree"):
        vectors.compute_leaf_similarity(dtrain, dtrain)


def test_comparing_many_rows_takes_little_memory_beside_the_result(regression):
    booster = xgb.train({"max_depth": 3}, xgb.DMatrix(*regression), 3)
    data = xgb.DMatrix(np.tile(regression[0], (14, 1)))
    tracemalloc.start()
    found = booster.compute_leaf_similarity(data, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < found.nbytes + 40_000_000
    np.testing.assert_array_equal(found[:300, :300], booster.compute_leaf_similarity(*[xgb.DMatrix(regression[0])] * 2))
