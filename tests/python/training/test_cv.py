# SPDX-License-Identifier: Apache-2.0
import re
import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.callback import EarlyStopping, LearningRateScheduler, TrainingCallback
from xgb_like.training import groups_to_rows, mkgroupfold, mknfold

PARAMS = {"max_depth": 3, "nthread": 1}
COLUMNS = ["train-rmse-mean", "train-rmse-std", "test-rmse-mean", "test-rmse-std"]


def run(data, rounds=3, **options):
    return xgb.cv(PARAMS, data, rounds, **{"as_pandas": False, **options})


class Keep(TrainingCallback):
    """Keeps the model."""

    def before_training(self, model):
        self.model = model
        return model


def folds_of(data, **options):
    return run(data, 1, return_boosters=True, **options).folds


def test_the_table_has_means_and_deviations(dtrain):
    table = run(dtrain)
    assert list(table) == COLUMNS
    assert {len(values) for values in table.values()} == {3}
    frame = run(dtrain, as_pandas=True)
    assert list(frame.columns) == COLUMNS
    assert frame["test-rmse-mean"].tolist() == table["test-rmse-mean"]


def test_the_table_is_what_training_each_fold_gives(dtrain):
    result = run(dtrain, 4, return_boosters=True)
    scores = []
    for (train, test), booster in zip(result.folds, result.boosters, strict=True):
        log = {}
        parts = dtrain.slice(train), dtrain.slice(test)
        alone = xgb.train(PARAMS, parts[0], 4, evals=[(parts[1], "t")], evals_result=log, verbose_eval=False)
        assert booster.save_raw() == alone.save_raw()
        scores.append(log["t"]["rmse"])
    assert result.history["test-rmse-mean"] == np.mean(scores, axis=0).tolist()
    assert result.history["test-rmse-std"] == np.std(scores, axis=0).tolist()


@pytest.mark.parametrize("nfold", [2, 3, 7])
@pytest.mark.parametrize("shuffle", [True, False])
def test_each_row_is_tested_once(dtrain, nfold, shuffle):
    folds = folds_of(dtrain, nfold=nfold, shuffle=shuffle)
    tested = np.concatenate([test for _, test in folds])
    assert sorted(tested) == list(range(300))
    assert (tested.tolist() == sorted(tested)) is not shuffle
    for train, test in folds:
        assert sorted(np.concatenate([train, test])) == list(range(300))


def test_folds_depend_on_the_seed_alone(dtrain):
    state = np.random.get_state()[1].copy()  # noqa: NPY002  that it is left alone is the point
    assert run(dtrain, seed=1) == run(dtrain, seed=1)
    assert run(dtrain, seed=1) != run(dtrain, seed=2)
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


@pytest.mark.parametrize("kind", ["gbtree", "dart"])
def test_who_looks_at_the_data_changes_nothing(holes, kind):
    data = xgb.DMatrix(*holes)

    def metric(predictions, part):
        return [("values", float(part.get_data().sum())), ("own", float(predictions.sum()))]

    params = {**PARAMS, "booster": kind}
    seen = xgb.cv(params, data, 3, custom_metric=metric, as_pandas=False)
    plain = xgb.cv(params, data, 3, as_pandas=False)
    assert all(seen[name] == values for name, values in plain.items())
    sums = [data.slice(train).get_data().sum() for train, _ in folds_of(data)]
    np.testing.assert_allclose(seen["train-values-mean"], float(np.mean(sums)), rtol=1e-6)


MEMORY = """
import resource, sys
import numpy as np
import xgb_like as xgb

features = np.random.default_rng(0).standard_normal((400_000, 32), dtype=np.float32)
data = xgb.DMatrix(features, features[:, 0] > 0)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = peak()
xgb.cv(
    {"objective": "binary:logistic"},
    data,
    2,
    nfold=5,
    custom_metric=lambda margins, part: ("mean", float(np.mean(part.get_label()))),
    callbacks=[xgb.callback.ProgressBar(file=sys.stderr)],
)
print((peak() - before) / features.nbytes)
"""


@pytest.mark.slow
def test_folds_do_not_copy_the_data():
    pytest.importorskip("resource")
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    # Of five folds: the bins (2 bytes a cell and four fifths of the rows: 2.0), the rows to test (1.0) and some 60
    # bytes a row and fold. A copy of values for each would be 4 more.
    assert float(done.stdout) < 6


@pytest.mark.parametrize("params", [{"tree_method": "exact"}, {"booster": "gblinear"}, {"tree_method": "approx"}])
def test_other_ways_of_training(dtrain, params):
    assert len(xgb.cv({"nthread": 1, **params}, dtrain, 2, as_pandas=False)["test-rmse-mean"]) == 2


def test_folds_by_a_splitter_or_a_list(dtrain, regression):
    selection = pytest.importorskip("sklearn.model_selection")
    splitter = selection.KFold(4)
    by_list = list(splitter.split(regression[0]))
    assert run(dtrain, folds=splitter) == run(dtrain, folds=by_list) == run(dtrain, folds=iter(by_list))
    masks = [(~np.isin(np.arange(300), test), np.isin(np.arange(300), test)) for _, test in by_list]
    assert run(dtrain, folds=masks) == run(dtrain, folds=by_list)


def test_stratified_folds_have_the_same_shares(binary):
    pytest.importorskip("sklearn")
    label = np.zeros(300)
    label[:30] = 1
    for _, test in folds_of(xgb.DMatrix(binary[0], label), stratified=True, nfold=5):
        assert label[test].sum() == 6


def test_groups_stay_together(dtrain):
    groups = np.random.default_rng(0).integers(0, 20, 300)
    for train, test in folds_of(dtrain, groups=groups):
        assert not set(groups[train]) & set(groups[test])
    selection = pytest.importorskip("sklearn.model_selection")
    for train, test in folds_of(dtrain, groups=groups, folds=selection.GroupKFold(3)):
        assert not set(groups[train]) & set(groups[test])


def test_query_groups_stay_together(regression):
    qid = np.sort(np.random.default_rng(0).integers(0, 20, 300))
    data = xgb.DMatrix(regression[0], regression[1] > 0, qid=qid)
    keep = Keep()
    xgb.cv({**PARAMS, "objective": "rank:ndcg"}, data, 2, callbacks=[keep])
    for fold in keep.model.cvfolds:
        assert fold.dtrain.get_group().sum() + fold.dtest.get_group().sum() == 300
        assert len(fold.dtrain.get_group()) + len(fold.dtest.get_group()) == len(np.unique(qid))


def test_metrics_replace_those_of_the_parameters(dtrain):
    params = {**PARAMS, "eval_metric": ["mae", "rmse"]}
    assert [name for name in xgb.cv(params, dtrain, 1, as_pandas=False) if name.startswith("test")] == [
        f"test-{metric}-{what}" for metric in ("mae", "rmse") for what in ("mean", "std")
    ]
    assert "test-mape-mean" in xgb.cv(params, dtrain, 1, metrics="mape")
    assert len(xgb.cv(list(params.items()), dtrain, 1, metrics=["mape", "mae"]).columns) == 8


def test_objectives_and_metrics_of_ones_own(dtrain):
    def squared(margins, data):
        return margins - data.get_label(), np.ones_like(margins)

    def own(margins, data):
        return "own", float(np.mean(np.abs(margins - data.get_label())))

    table = run(dtrain, obj=squared, custom_metric=own, metrics="mae")
    np.testing.assert_allclose(table["test-own-mean"], table["test-mae-mean"], rtol=1e-6)


def test_preprocessing_may_change_data_and_parameters(dtrain):
    def process(train, test, params):
        return train, test, {**params, "max_depth": 1}

    result = run(dtrain, fpreproc=process, return_boosters=True)
    assert result.boosters[0].get_dump()[0].count("leaf") == 2


def test_early_stopping_cuts_the_table(regression):
    noise = np.random.default_rng(0).normal(size=300) * 9
    data = xgb.DMatrix(regression[0], regression[1] + noise)
    result = run(data, 50, early_stopping_rounds=3, return_boosters=True)
    rounds = len(result.history["test-rmse-mean"])
    assert result.history["test-rmse-mean"][-1] == min(result.history["test-rmse-mean"])
    assert [booster.best_iteration for booster in result.boosters] == [rounds - 1] * 3
    assert result.boosters[0].num_boosted_rounds() == rounds + 3


def test_predictions_come_from_models_that_did_not_see_the_row(dtrain):
    result = run(dtrain, return_boosters=True, return_predictions=True)
    for booster, (_, test) in zip(result.boosters, result.folds, strict=True):
        np.testing.assert_array_equal(result.predictions[test], booster.predict(dtrain.slice(test)))


def test_predictions_of_rows_that_are_tested_never_or_twice(classes):
    data = xgb.DMatrix(*classes)
    folds = [(range(100, 300), range(50)), (range(100, 200), range(25, 75))]
    params = {**PARAMS, "objective": "multi:softprob", "num_class": 3}
    found = xgb.cv(params, data, 2, folds=folds, return_predictions=True, return_boosters=True)
    assert found.predictions.shape == (300, 3)
    assert np.isnan(found.predictions[75:]).all()
    both = [booster.predict(data.slice(range(25, 50))) for booster in found.boosters]
    np.testing.assert_allclose(found.predictions[25:50], np.mean(both, axis=0), rtol=1e-6)


def test_callbacks_see_all_folds(dtrain):
    keep = Keep()
    run(dtrain, callbacks=[keep, LearningRateScheduler([0.3, 0.2, 0.1])])
    assert [fold.dtest.num_row() for fold in keep.model.cvfolds] == [100] * 3
    assert keep.model.cvfolds[0].num_boosted_rounds() == keep.model.num_boosted_rounds() == 3
    assert not keep.model.cvfolds[0].bst._growing


@pytest.mark.parametrize(
    ("show", "text"),
    [(True, r"\[0\]\ttrain-rmse:\d\.\d{5}\+\d\.\d{5}\ttest"), (False, r"\[0\]\ttrain-rmse:\d\.\d{5}\ttest")],
)
def test_printing(dtrain, capsys, show, text):
    run(dtrain, verbose_eval=2, show_stdv=show)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["[0]", "[2]"]
    assert re.match(text, lines[0])


def test_helpers_under_their_old_names(regression):
    data = xgb.DMatrix(*regression, group=[100, 50, 150])
    assert groups_to_rows([2, 0], [0, 2, 3, 5]).tolist() == [3, 4, 0, 1]
    assert [pack.dtest.num_row() for pack in mkgroupfold(dall=data, nfold=3, param=PARAMS, shuffle=False)] == [
        100,
        50,
        150,
    ]
    assert len(mknfold(dall=xgb.DMatrix(*regression), nfold=4, param=PARAMS, seed=0, evals=["mae"])) == 4


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"nfold": 1}, "`nfold` must be >= 2"),
        ({"nfold": 301}, "`nfold` must not be more than the rows"),
        ({"folds": 3}, "`folds` must be a splitter .* or a list of pairs"),
        ({"folds": [[1, 2, 3]]}, "`folds` must be a splitter .* got list in it"),
        ({"folds": [([0, 1], [300])]}, "row numbers below 300; got 300"),
        ({"folds": [([0, 1], [])]}, "has no rows"),
        ({"folds": []}, "got none"),
        ({"groups": [1, 2]}, "`groups` must name the group of each row"),
        ({"groups": [1] * 300}, "`nfold` must not be more than the groups"),
        ({"rounds": -1}, "`num_boost_round` must be >= 0"),
        ({"fpreproc": lambda a, _b, _c: a}, "`fpreproc` must return training data, test data and parameters"),
        ({"callbacks": [EarlyStopping(rounds=2, save_best=True)]}, "`save_best` is not applicable to cv"),
        ({"obj": 3}, "`obj` must be a function"),
    ],
)
def test_bad_arguments_are_refused(dtrain, options, text):
    with pytest.raises(xgb.XgbLikeError, match=text):
        run(dtrain, **options)


def test_quantised_data_are_refused(regression):
    with pytest.raises(xgb.UnsupportedDataError, match="`QuantileDMatrix` is not yet supported.*Pass a DMatrix"):
        run(xgb.QuantileDMatrix(*regression))


@pytest.mark.peer
@pytest.mark.parametrize("options", [{}, {"stratified": True}, {"shuffle": False}, {"early_stopping_rounds": 2}])
def test_tables_are_those_of_xgboost(binary, options):
    real = pytest.importorskip("xgboost")
    pytest.importorskip("sklearn")
    params = {**PARAMS, "objective": "binary:logistic", "tree_method": "exact", "eta": 1}
    ours = xgb.cv(params, xgb.DMatrix(*binary), 9, seed=4, **options)
    theirs = real.cv(params, real.DMatrix(*binary), 9, seed=4, **options)
    assert list(ours) == list(theirs)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.peer
def test_folds_of_query_groups_are_those_of_xgboost(regression):
    real = pytest.importorskip("xgboost")
    group = [20] * 15
    params = {**PARAMS, "objective": "rank:ndcg", "tree_method": "exact"}
    label = regression[1] > 0
    ours = xgb.cv(params, xgb.DMatrix(regression[0], label, group=group), 3, seed=2)
    theirs = real.cv(params, real.DMatrix(regression[0], label, group=group), 3, seed=2)
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.peer
def test_metrics_of_users_are_the_last_columns_as_in_xgboost(regression):
    xgboost = pytest.importorskip("xgboost")
    found = [
        list(
            library.cv(
                {}, library.DMatrix(*regression), 1, metrics=["rmse", "mae"], custom_metric=lambda _p, _d: ("own", 0.0)
            )
        )
        for library in (xgb, xgboost)
    ]
    assert found[0] == found[1]
    assert found[0][-4:] == ["train-own-mean", "train-own-std", "test-own-mean", "test-own-std"]
