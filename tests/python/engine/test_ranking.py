# SPDX-License-Identifier: Apache-2.0
"""Learning to rank: objectives and metrics against xgboost and scikit-learn, and what is particular to queries."""

import json

import numpy as np
import pytest

import xgb_like as xgb

OBJECTIVES = ["rank:ndcg", "rank:map", "rank:pairwise", "rank:xendcg", "rank:yeti"]
OF_BOTH = OBJECTIVES[:3]
SIZES = [1, 7, 40, 100, 2, 250]
ROWS = sum(SIZES)
EXACT = {"tree_method": "exact", "max_depth": 4, "nthread": 2}


@pytest.fixture(scope="module")
def queries():
    rng = np.random.default_rng(2)
    features = rng.normal(size=(ROWS, 5)).astype(np.float32)
    noisy = features[:, 0] + features[:, 1] * features[:, 2] + rng.normal(size=ROWS)
    return features, np.digitize(noisy, [0, 1, 2, 3]).astype(np.float32), rng.exponential(size=len(SIZES))


def grades(objective, label):
    return (label > 1).astype(np.float32) if objective in ("rank:map", "map", "pre") else label


def matrix(library, queries, objective, *, weighted=False, grouped=True, **fields):
    features, label, weight = queries
    data = library.DMatrix(features, grades(objective, label), **fields)
    if grouped:
        data.set_group(SIZES)
    if weighted:
        data.set_weight(weight)
    return data


def objective_of(booster):
    return json.loads(booster.save_config())["learner"]["objective"]


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("xgboost")


VARIANTS = [
    {},
    {"lambdarank_num_pair_per_sample": 20},
    {"lambdarank_num_pair_per_sample": 1000},
    {"lambdarank_normalization": False},
    {"lambdarank_score_normalization": False},
    {"lambdarank_unbiased": True},
    {"lambdarank_unbiased": True, "lambdarank_bias_norm": 0.5, "lambdarank_num_pair_per_sample": 8},
    {"ndcg_exp_gain": False},
]


@pytest.mark.peer
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("objective", OF_BOTH)
def test_models_equal_xgboost(peer, queries, objective, variant, weighted):
    params = {**EXACT, **variant, "objective": objective, "base_score": 0.5}
    models, logs = [], []
    for library in (xgb, peer):
        data = matrix(library, queries, objective, weighted=weighted)
        logs.append({})
        models.append(library.train(params, data, 4, evals=[(data, "t")], evals_result=logs[-1], verbose_eval=False))
    ours, theirs = (
        model.predict(library.DMatrix(queries[0])) for model, library in zip(models, (xgb, peer), strict=True)
    )
    assert np.isclose(ours, theirs, rtol=1e-3, atol=1e-4).mean() > 0.98  # splits of equal gain are a matter of rounding
    assert logs[0]["t"].keys() == logs[1]["t"].keys()
    mine, other = map(objective_of, models)
    assert mine["lambdarank_param"] == other["lambdarank_param"]
    if variant.get("lambdarank_unbiased"):
        np.testing.assert_allclose(mine["ti+"], other["ti+"], rtol=1e-3)
        np.testing.assert_allclose(mine["tj-"], other["tj-"], rtol=1e-3)


@pytest.mark.peer
@pytest.mark.parametrize("objective", OF_BOTH)
def test_intercept_is_zero_as_in_xgboost(peer, queries, objective):
    for library in (xgb, peer):
        booster = library.train({**EXACT, "objective": objective}, matrix(library, queries, objective), 1)
        text = json.loads(booster.save_raw("json"))["learner"]["learner_model_param"]["base_score"]
        assert np.ravel(json.loads(text)) == pytest.approx(0, abs=1e-6)


@pytest.mark.peer
def test_data_without_groups_are_one_query(peer, queries):
    params = {**EXACT, "objective": "rank:ndcg"}
    ours, theirs = (
        library.train(params, matrix(library, queries, "rank:ndcg", grouped=False), 3).predict(
            library.DMatrix(queries[0])
        )
        for library in (xgb, peer)
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.peer
@pytest.mark.parametrize("objective", OF_BOTH)
def test_drawn_pairs_rank_as_well_as_those_of_xgboost(peer, queries, objective):
    params = {**EXACT, "objective": objective, "lambdarank_pair_method": "mean", "lambdarank_num_pair_per_sample": 4}
    scores = []
    for library in (xgb, peer):
        log = {}
        data = matrix(library, queries, objective)
        library.train(params, data, 20, evals=[(data, "t")], evals_result=log, verbose_eval=False)
        scores.append(next(iter(log["t"].values()))[-1])
    assert scores[0] == pytest.approx(scores[1], abs=0.06)


@pytest.mark.peer
@pytest.mark.parametrize("unbiased", [False, True])
@pytest.mark.parametrize("objective", OF_BOTH)
def test_models_go_both_ways(peer, queries, objective, unbiased):
    params = {**EXACT, "objective": objective, "lambdarank_unbiased": unbiased}
    for one, other in ((xgb, peer), (peer, xgb)):
        model = one.train(params, matrix(one, queries, objective), 3)
        loaded = other.Booster(model_file=bytearray(model.save_raw()))
        np.testing.assert_allclose(
            loaded.predict(other.DMatrix(queries[0])), model.predict(one.DMatrix(queries[0])), rtol=1e-6, atol=1e-6
        )
        assert objective_of(loaded).get("ti+") == objective_of(model).get("ti+")


METRICS = ["ndcg", "ndcg@5", "ndcg@1-", "ndcg-", "map", "map@3", "map@2-", "map-", "pre", "pre@4", "pre@500"]


def score(library, queries, metric, margin, *, objective="rank:pairwise", **how):
    data = matrix(library, queries, metric.split("@")[0].rstrip("-"), base_margin=margin, **how)
    params = {"objective": objective, "eval_metric": metric, "base_score": 0.5, "ndcg_exp_gain": "@1" in metric}
    return float(library.train(params, data, 0).eval(data).rsplit(":", 1)[1])


@pytest.mark.peer
@pytest.mark.parametrize("how", [{}, {"weighted": True}, {"grouped": False}], ids=str)
@pytest.mark.parametrize("metric", METRICS)
def test_metric_equals_xgboost(peer, queries, metric, how):
    margin = np.round(np.random.default_rng(4).normal(size=ROWS), 1).astype(np.float32)  # with ties
    assert score(xgb, queries, metric, margin, **how) == pytest.approx(score(peer, queries, metric, margin, **how))


@pytest.mark.peer
@pytest.mark.parametrize("metric", ["ndcg", "map@3", "pre@4"])
def test_metric_of_a_binary_model_equals_xgboost(peer, queries, metric):
    binary = (queries[0], (queries[1] > 1).astype(np.float32), None)
    margin = np.random.default_rng(4).normal(size=ROWS).astype(np.float32)
    how = {"objective": "binary:logistic", "grouped": False}
    assert score(xgb, binary, metric, margin, **how) == pytest.approx(score(peer, binary, metric, margin, **how))


@pytest.mark.parametrize("top", [1, 5, 1000])
def test_ndcg_equals_scikit_learn(queries, top):
    metrics = pytest.importorskip("sklearn.metrics")
    margin = np.random.default_rng(4).normal(size=ROWS).astype(np.float32)
    begin, truth = 0, []
    for size in SIZES:
        part = slice(begin, begin + size)
        begin += size
        if size > 1 and queries[1][part].any():
            truth.append(metrics.ndcg_score([queries[1][part]], [margin[part]], k=top))
        else:
            truth.append(1.0)
    data = matrix(xgb, queries, "ndcg", base_margin=margin)
    params = {"objective": "rank:ndcg", "eval_metric": f"ndcg@{top}", "ndcg_exp_gain": False}
    assert float(xgb.train(params, data, 0).eval(data).rsplit(":", 1)[1]) == pytest.approx(np.mean(truth), abs=1e-6)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_training_ranks_better_and_does_not_depend_on_threads(queries, objective):
    models = []
    for threads in (1, 3):
        data, log = matrix(xgb, queries, objective), {}
        params = {"objective": objective, "nthread": threads, "max_depth": 4, "eval_metric": "ndcg@10"}
        models.append(xgb.train(params, data, 10, evals=[(data, "t")], evals_result=log, verbose_eval=False))
    assert log["t"]["ndcg@10"][-1] > log["t"]["ndcg@10"][0] + 0.02
    assert models[0].save_raw() == models[1].save_raw()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_continued_training_equals_an_uninterrupted_one(queries, objective):
    params = {"objective": objective, "lambdarank_pair_method": "mean", "lambdarank_unbiased": True}
    if objective in ("rank:xendcg", "rank:yeti"):
        params = {"objective": objective}
    data = matrix(xgb, queries, objective)
    half = xgb.train(params, data, 3)
    restored = xgb.Booster(params, model_file=half.save_raw())
    assert xgb.train(params, data, 3, xgb_model=restored).save_raw() == xgb.train(params, data, 6).save_raw()


def test_another_objective_forgets_the_position_bias(queries):
    booster = xgb.train({"objective": "rank:ndcg", "lambdarank_unbiased": True}, matrix(xgb, queries, "rank:ndcg"), 1)
    assert len(objective_of(booster)["ti+"]) == 32
    booster.set_param({"objective": "reg:squarederror"})
    assert "ti+" not in objective_of(booster)


@pytest.mark.parametrize(
    ("params", "label", "words"),
    [
        ({"objective": "rank:ndcg"}, 32, "Set `ndcg_exp_gain`"),
        ({"objective": "rank:ndcg"}, 0.5, "Set `ndcg_exp_gain`"),
        ({"objective": "rank:xendcg"}, -1, "whole numbers"),
        ({"objective": "rank:map"}, 2, "0 or 1"),
    ],
)
def test_bad_labels_are_refused(params, label, words):
    data = xgb.DMatrix(np.zeros((3, 1)), [0, 1, label], group=[3])
    with pytest.raises(xgb.DataError, match=words):
        xgb.train(params, data, 1)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_weights_of_zero_teach_nothing(objective):
    data = xgb.DMatrix(np.arange(4).reshape(4, 1), [0, 1, 0, 1], weight=[0, 0], group=[2, 2])
    booster = xgb.train({"objective": objective, "base_score": 0.5}, data, 2)
    np.testing.assert_array_equal(booster.predict(data), np.full(4, 0.5, np.float32))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_weights_are_one_a_query(objective):
    data = xgb.DMatrix(np.zeros((4, 1)), [0, 1, 0, 1], weight=[1, 1, 1, 1])
    with pytest.raises(xgb.DataError, match="equal to the number of query groups"):
        xgb.train({"objective": objective}, data, 1)
    with pytest.raises(xgb.DataError, match="equal to the number of query groups"):
        xgb.DMatrix(np.zeros((4, 1)), [0, 1, 0, 1], weight=[1, 1, 1, 1], group=[2, 2])


@pytest.mark.parametrize(
    "bad",
    [
        {"lambdarank_num_pair_per_sample": 0},
        {"lambdarank_bias_norm": -1},
        {"lambdarank_pair_method": "median"},
        {"yeti_decay": 2},
        {"yeti_permutations": 0},
    ],
)
def test_bad_parameters_are_refused(bad):
    with pytest.raises(xgb.ParameterError):
        xgb.Booster({"objective": "rank:ndcg" if "lambdarank" in str(bad) else "rank:yeti", **bad})


def test_slices_keep_queries(queries):
    data = matrix(xgb, queries, "rank:ndcg", weighted=True)
    part = data.slice(np.arange(8, 148), allow_groups=True)
    assert part.get_group().tolist() == [40, 100]
    alone = xgb.DMatrix(queries[0][8:148], queries[1][8:148], group=[40, 100], weight=queries[2][2:4])
    params = {"objective": "rank:ndcg"}
    assert xgb.train(params, part, 2).save_raw() == xgb.train(params, alone, 2).save_raw()


def test_bagging_by_query_draws_whole_queries():
    params = {"objective": "reg:squarederror", "subsample": 0.5, "max_depth": 1, "base_score": 0.0, "lambda": 0}
    label = np.repeat(np.arange(len(SIZES)), SIZES).astype(np.float32)
    data = xgb.DMatrix(np.zeros((ROWS, 1)), label, group=SIZES)
    booster = xgb.train({**params, "bagging_by_query": True, "seed": 4}, data, 1)
    cover = booster.trees_to_dataframe()["Cover"][0]
    sums = {sum(size for i, size in enumerate(SIZES) if mask >> i & 1) for mask in range(1 << len(SIZES))}
    assert cover in sums
    assert cover != ROWS
    with pytest.raises(xgb.DataError, match="query groups"):
        xgb.train({**params, "bagging_by_query": True}, xgb.DMatrix(np.zeros((4, 1)), np.zeros(4)), 1)


@pytest.mark.peer
@pytest.mark.parametrize("objective", OF_BOTH)
@pytest.mark.parametrize("name", ["lgb_lambdarank", "mslr10k_sample", "mslr30k_f1_train5k"])
def test_real_queries_are_ranked_as_well(peer, data_folder, name, objective):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = pd.read_parquet(data_folder / f"{name}.parquet")
    features = table[[column for column in table if not column.startswith("__")]].to_numpy(np.float32)
    label = table["__label__"].to_numpy(np.float32)
    if objective == "rank:map":
        label = (label > 1).astype(np.float32)
    query = np.unique(table["__qid__"], return_inverse=True)[1]
    query = np.cumsum(np.r_[0, np.diff(query) != 0])
    test = query >= 0.7 * query.max()
    scores = []
    for library in (xgb, peer):
        train, held = (library.DMatrix(features[rows], label[rows], qid=query[rows]) for rows in (~test, test))
        log = {}
        params = {**EXACT, "objective": objective, "eta": 0.1, "eval_metric": "ndcg@10"}
        library.train(params, train, 15, evals=[(held, "t")], evals_result=log, verbose_eval=False)
        scores.append(log["t"]["ndcg@10"])
    assert scores[0][0] == pytest.approx(scores[1][0], abs=1e-3)
    assert np.mean(scores[0][-5:]) >= 0.98 * np.mean(scores[1][-5:])
