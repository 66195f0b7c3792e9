# SPDX-License-Identifier: Apache-2.0
"""The ranker: queries as groups, numbers or a column, and its score."""

import numpy as np
import pytest

import xgb_like as xgb

metrics = pytest.importorskip("sklearn.metrics")

SMALL = {"n_estimators": 4, "max_depth": 2}
QUERY = np.repeat(np.arange(6), 50)


@pytest.fixture
def ranking(regression):
    features, label = regression
    return features, np.digitize(label, [-2, 0, 2])


def with_queries(library, features):
    frames = pytest.importorskip(library)
    columns = dict(zip("abcde", features.T, strict=True)) | {"qid": QUERY}
    return frames.table(columns) if library == "pyarrow" else frames.DataFrame(columns)


def test_queries_in_any_form_give_the_same_model(ranking):
    expected = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY).predict(ranking[0])
    assert np.array_equal(xgb.XGBRanker(**SMALL).fit(*ranking, group=[50] * 6).predict(ranking[0]), expected)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_column_of_a_frame_is_the_queries(ranking, library):
    table = with_queries(library, ranking[0])
    model = xgb.XGBRanker(**SMALL).fit(table, ranking[1], eval_set=[(table, ranking[1])], verbose=False)
    expected = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY)
    assert model.n_features_in_ == 5
    assert np.array_equal(model.predict(table), expected.predict(ranking[0]))
    assert np.array_equal(model.apply(table), expected.apply(ranking[0]))
    assert model.score(table, ranking[1]) == pytest.approx(model.evals_result()["validation_0"]["ndcg@32"][-1])


def test_lazy_frames_without_queries_predict(ranking):
    polars = pytest.importorskip("polars")
    model = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY)
    assert np.array_equal(model.predict(polars.LazyFrame(ranking[0])), model.predict(ranking[0]))


def test_weights_are_of_queries(ranking):
    weight = np.arange(1, 7)
    model = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY, sample_weight=weight)
    matrix = xgb.DMatrix(*ranking, qid=QUERY, weight=weight)
    booster = xgb.train({"max_depth": 2, "objective": "rank:ndcg"}, matrix, 4)
    assert np.array_equal(model.predict(ranking[0]), booster.predict(xgb.DMatrix(ranking[0])))


def test_evaluation_sets_have_queries_of_their_own(ranking):
    sets = [ranking, (ranking[0][:100], ranking[1][:100])]
    one = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY, eval_set=sets, eval_qid=[QUERY, QUERY[:100]], verbose=False)
    two = xgb.XGBRanker(**SMALL).fit(*ranking, qid=QUERY, eval_set=sets, eval_group=[[50] * 6, [50] * 2], verbose=False)
    assert one.evals_result() == two.evals_result()


def test_a_function_is_averaged_over_queries(ranking):
    def ndcg(relevance, scores):
        return metrics.ndcg_score([relevance], [scores])

    table = with_queries("pandas", ranking[0])
    model = xgb.XGBRanker(**SMALL, eval_metric=ndcg).fit(table, ranking[1])
    scores = model.predict(table)
    each = [ndcg(ranking[1][query == QUERY], scores[query == QUERY]) for query in range(6)]
    assert model.score(table, ranking[1]) == pytest.approx(np.mean(each))


def test_score_is_of_the_rounds_up_to_the_best(ranking):
    table = with_queries("pandas", ranking[0])
    noise = np.random.default_rng(0).permutation(ranking[1])
    model = xgb.XGBRanker(n_estimators=30, early_stopping_rounds=2)
    model.fit(table, ranking[1], eval_set=[(table, noise)], verbose=False)
    assert model.get_booster().num_boosted_rounds() > model.best_iteration + 1
    assert model.score(table, noise) == pytest.approx(model.best_score)


def test_queries_of_one_row_and_one_query():
    features = np.arange(6.0).reshape(-1, 1)
    assert xgb.XGBRanker(**SMALL).fit(features, [0, 1] * 3, qid=range(6)).predict(features).shape == (6,)
    assert xgb.XGBRanker(**SMALL).fit(features, [0, 1] * 3, group=[6]).predict(features).shape == (6,)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_column_of_texts_as_queries(library):
    features = np.random.default_rng(0).normal(size=(30, 2))
    relevance = np.arange(30) % 3
    queries = np.repeat(["second", "first", "third"], 10)
    columns = {"a": features[:, 0], "b": features[:, 1], "qid": queries}
    module = pytest.importorskip(library)
    frame = module.table(columns) if library == "pyarrow" else module.DataFrame(columns)
    model = xgb.XGBRanker(n_estimators=3).fit(frame, relevance, eval_set=[(frame, relevance)], verbose=False)
    other = xgb.XGBRanker(n_estimators=3).fit(features, relevance, group=[10] * 3)
    np.testing.assert_array_equal(model.predict(frame), other.predict(features))
    assert model.score(frame, relevance) == pytest.approx(model.evals_result()["validation_0"]["ndcg@32"][-1])
