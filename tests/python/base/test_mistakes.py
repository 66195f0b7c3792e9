# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes: each message tells what is wrong (the first pattern) and what to do or is allowed (the second)."""

import warnings

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.callback import EarlyStopping, LearningRateScheduler, TimeLimit, TrainingCheckPoint

ROWS = 30
X = np.random.default_rng(0).normal(size=(ROWS, 3)).astype(np.float32)
Y = X[:, 0].copy()
NAMES = ["age", "height", "weight"]


def changed(values, place, value):
    values = values.copy()
    values[place] = value
    return values


def data(features=X, label=Y, **fields):
    return xgb.DMatrix(features, label, **fields)


def named(names=NAMES, columns=3):
    return data(X[:, :columns], feature_names=names)


def train(params=None, dtrain=None, rounds=1, **options):
    return xgb.train(params or {}, data() if dtrain is None else dtrain, rounds, verbose_eval=False, **options)


def fitted(*args):
    return train({"max_depth": 2}, *args)


def frame(**columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def category(*values):
    return pytest.importorskip("pandas").Categorical(values)


def sparse(kind):
    return getattr(pytest.importorskip("scipy.sparse"), kind)(X)


def drawing():
    pytest.importorskip("matplotlib").use("agg")
    return pytest.importorskip("xgb_like.plotting")


def curve(**options):
    return drawing().plot_partial_dependence(fitted(), X, 0, **options)


def summary(**options):
    return drawing().plot_shap_summary(fitted(), X, **options)


def load(folder, name, content):
    (folder / name).write_bytes(content)
    return xgb.Booster(model_file=folder / name)


def own(gradient):
    return lambda margins, _: gradient(margins)


# name: (the mistake, what is wrong, what to do)
MATRIX = {
    "one dimension": (lambda: data(Y), r"has shape \(30,\)", "reshape"),
    "three dimensions": (lambda: data(X.reshape(5, 6, 3)), r"has shape \(5, 6, 3\)", "2-dimensional"),
    "a number": (lambda: data(3.0), "`data`: float", "Pass a numpy array"),
    "nothing": (lambda: data(None), "`data`: NoneType", "Pass a numpy array"),
    "a dict": (lambda: data({"a": 1}), "`data`: dict", "Pass a numpy array"),
    "an empty list": (lambda: data([]), "`data` is empty", "2-dimensional matrix"),
    "text": (lambda: data([["a", "b"]]), "dtype <U1", "Convert it"),
    "complex": (lambda: data(X.astype(complex)), "dtype complex128", "must be real numbers"),
    "ragged rows": (lambda: data([[1, 2], [3]]), "`data`", "rows of equal length"),
    "infinite cell": (lambda: data(changed(X, (2, 1), np.inf)), "`inf`.*row 2, column 1", "Replace such values"),
    "text in a frame": (lambda: xgb.DMatrix(frame(a=["x", "y"])), "Invalid columns: a: ", r"astype\('category'\)"),
    "category": (
        lambda: xgb.DMatrix(frame(a=category("x")), enable_categorical=False),
        "Invalid columns: a: category",
        "`enable_categorical` to True",
    ),
    "a matrix": (lambda: data(data()), "is a DMatrix already", "use it as it is"),
    "absent file": (lambda: xgb.DMatrix("/no/such.csv"), "no file '/no/such.csv'", "path\\?format=libsvm"),
    "missing as text": (lambda: data(missing="NA"), "`missing`.*got 'NA'", "a number or None"),
    "threads as text": (lambda: data(nthread="all"), "`nthread`.*got 'all'", "Use 0 for all"),
    "short label": (lambda: data(label=Y[:5]), "`label`: 5 values for 30 rows", "Give one per row"),
    "NaN label": (lambda: data(label=changed(Y, 3, np.nan)), "Label contains NaN.*entry 3", "Drop such rows"),
    "infinite label": (lambda: data(label=changed(Y, 3, np.inf)), "Label contains.*entry 3 is inf", "fill in their"),
    "text label": (lambda: data(label=["a"] * ROWS), "`label` must be real numbers", "Convert it"),
    "short weight": (
        lambda: xgb.train({}, data(weight=Y[:3]), 1),
        "got 3 for 30 rows",
        "one sample weight for each row",
    ),
    "negative weight": (lambda: data(weight=-np.ones(ROWS)), "entry 0 of `weight` is -1", "Drop such rows"),
    "short margin": (lambda: data(base_margin=Y[:7]), "`base_margin`: 7 values for 30 rows", "Give one per row"),
    "few names": (lambda: named(["a"]), "`feature_names`.*got 1", "expected 3"),
    "names twice": (lambda: named(["a", "a", "b"]), r"Duplicates found: \['a'\]", "must be unique"),
    "bracket in a name": (lambda: named(["a[", "b", "c"]), r"got `a\[`", r"may not contain \[, \] or <"),
    "names in one text": (lambda: named("abc"), "`feature_names`.*got 'abc'", "a sequence of strings"),
    "unknown type": (lambda: data(feature_types=["num"] * 3), "got `num`", "{int, float, i, q, c}"),
    "group sizes": (lambda: data(group=[3, 4]), "`group` add up to 7", "the data has 30 rows"),
    "group and qid": (lambda: data(group=[ROWS], qid=[0] * ROWS), "`group` or `qid`", "should be None"),
    "unsorted qid": (lambda: data(qid=[1, 0] * 15), "`qid` must be sorted", "Sort the rows"),
    "row out of range": (lambda: data().slice([99]), "`rindex`.*got 99", r"in \[0, 30\)"),
    "unknown field": (lambda: data().get_float_info("labels"), "'labels'", "must be one of label, weight"),
}
TRAINING = {
    "an array": (
        lambda: train(dtrain=X),
        "`dtrain` must be a DMatrix; got ndarray",
        r"Make one with DMatrix\(dtrain\)",
    ),
    "no label": (lambda: train(dtrain=xgb.DMatrix(X)), "30 rows but 0 labels", "Set `label`"),
    "unknown parameter": (lambda: train({"max_dept": 3}), "Unknown parameter `max_dept`", "Did you mean `max_depth`"),
    "negative rate": (lambda: train({"eta": -1}), "`eta`.*got `-1`", "a float >= 0"),
    "depth as text": (lambda: train({"max_depth": "deep"}), "`max_depth`.*got `deep`", "an int >= 0"),
    "share above one": (lambda: train({"subsample": 2}), "`subsample`.*got `2`", "<= 1"),
    "unknown objective": (
        lambda: train({"objective": "binary:logistics"}),
        "Unknown obj",
        "Did you mean `binary:logistic`",
    ),
    "objective of LightGBM": (
        lambda: train({"objective": "quantile"}),
        "Unknown objective `quantile`",
        "Use `reg:quantileerror`",
    ),
    "objective of CatBoost": (lambda: train({"objective": "Logloss"}), "`Logloss`", "Use `binary:logistic`"),
    "metric of LightGBM": (lambda: train({"eval_metric": "binary_logloss"}), "`binary_logloss`", "Use `logloss`"),
    "metric of CatBoost": (lambda: train({"eval_metric": "NDCG:top=5"}), "`NDCG:top=5`", "Use `ndcg`"),
    "unknown metric": (lambda: train({"eval_metric": "rmsee"}), "Unknown metric `rmsee`", "Did you mean `rmse`"),
    "unknown booster": (lambda: train({"booster": "gbtre"}), "Unknown booster `gbtre`", "Did you mean `gbtree`"),
    "method of GPUs": (
        lambda: train({"tree_method": "gpu_hist"}),
        "`tree_method`.*`gpu_hist`",
        "one of auto, exact, approx, hist",
    ),
    "parameters as text": (lambda: train("eta=1"), "`params`.*got 'eta=1'", "a dict or a list"),
    "objective as parameter": (lambda: train({"objective": print}), "`objective` cannot be a function", "as `obj` of"),
    "metric as parameter": (lambda: train({"eval_metric": print}), "`eval_metric` cannot be", "as `custom_metric`"),
    "no number of classes": (lambda: train({"objective": "multi:softmax"}), "needs `num_class`", "number of classes"),
    "too few classes": (
        lambda: train({"objective": "multi:softmax", "num_class": 2}, data(label=[0, 1, 2] * 10)),
        "got 2 in row 2",
        "raise `num_class`",
    ),
    "label of no class": (
        lambda: train({"objective": "multi:softmax", "num_class": 3}, data(label=abs(Y))),
        "`multi:softmax`.*in row 0",
        "whole numbers from 0 to 2",
    ),
    "label of no probability": (
        lambda: train({"objective": "binary:logistic"}),
        "got .* in row",
        "another `objective`",
    ),
    "negative count": (lambda: train({"objective": "count:poisson"}), "got -.* in row", "another `objective`"),
    "label of gamma": (lambda: train({"objective": "reg:gamma"}), "got -.* in row", "above 0"),
    "large relevance": (
        lambda: train({"objective": "rank:ndcg"}, data(label=[40] * ROWS, group=[ROWS])),
        "got 40",
        "Set `ndcg_exp_gain`",
    ),
    "no bounds": (lambda: train({"objective": "survival:aft"}), "needs `label_lower_bound`", "Set both"),
    "negative rounds": (lambda: train(rounds=-1), "`num_boost_round`.*got -1", ">= 0"),
    "half rounds": (lambda: train(rounds=2.5), "`num_boost_round`.*got 2.5", "an int"),
    "evals without a list": (lambda: train(evals=data()), "`evals`.*got DMatrix", r"such as \[\(dtest, 'test'\)\]"),
    "evals without names": (lambda: train(evals=[data()]), "`evals`.*DMatrix in it", "pairs of a DMatrix and its name"),
    "evals of arrays": (lambda: train(evals=[(X, "a")]), "`evals`.*got ndarray", r"DMatrix\(data, label\)"),
    "evals of other width": (
        lambda: train(evals=[(data(X[:, :2]), "a")]),
        "3 features.*have 2",
        "Give the same columns",
    ),
    "evals of other names": (
        lambda: train(dtrain=named(), evals=[(named(["age", "size", "weight"]), "a")]),
        "expected height.*\n.*fields: size",
        "Select the columns by `booster.feature_names`",
    ),
    "stopping without evals": (lambda: train(early_stopping_rounds=3), "at least 1 validation dataset", "pass `evals`"),
    "negative stopping": (
        lambda: train(early_stopping_rounds=-3, evals=[(data(), "a")]),
        "`early_stopping_rounds`.*got -3",
        ">= 1",
    ),
    "stopping on an unknown metric": (
        lambda: train(evals=[(data(), "a")], callbacks=[EarlyStopping(rounds=1, metric_name="auc")]),
        "No metric named 'auc'",
        "there are rmse",
    ),
    "a function as callback": (lambda: train(callbacks=[print]), "callback.*got <built-in", "Derive a class"),
    "one callback": (
        lambda: train(callbacks=EarlyStopping(rounds=1)),
        "`callbacks`.*got EarlyStopping",
        "Put it in a list",
    ),
    "no schedule": (lambda: LearningRateScheduler(3), "learning rates.*got int", "a function or a sequence"),
    "objective that is none": (lambda: train(obj=3), "`obj`.*got 3", "Name built-in objectives by the parameter"),
    "only a gradient": (lambda: train(obj=own(lambda m: m)), "must return.*got ndarray", "Return both: grad, hess"),
    "short gradient": (lambda: train(obj=own(lambda m: (m[:3], m[:3]))), r"`grad`.*got \(3,\)", "one row for each row"),
    "NaN gradient": (lambda: train(obj=own(lambda m: (m * np.nan, m))), "`grad`.*nan in row 0", "must be finite"),
    "metric without a name": (
        lambda: train(custom_metric=lambda *_: 3.0, evals=[(data(), "a")]),
        "custom metric.*got 3.0",
        "return a name and a number",
    ),
    "constraint of no feature": (
        lambda: train({"monotone_constraints": {"size": 1}}, named()),
        "`monotone_constraints`.*'size'",
        "The features are 'age', 'height', 'weight'",
    ),
    "share of no column": (lambda: train({"colsample_bytree": 0}), "`colsample_bytree`.*got `0`", "> 0"),
    "impossible base score": (
        lambda: train({"objective": "binary:logistic", "base_score": 2}, data(label=Y > 0)),
        "`base_score`.*got 2",
        "a probability, from 0 to 1",
    ),
    "exact on bins": (
        lambda: train({"tree_method": "exact"}, xgb.QuantileDMatrix(X, Y)),
        "Exact split search.*QuantileDMatrix",
        "make a DMatrix",
    ),
    "other bins": (
        lambda: train({"max_bin": 16}, xgb.QuantileDMatrix(X, Y)),
        "`max_bin`.*with 256",
        "Set `max_bin` to 256",
    ),
    "bins without reference": (
        lambda: train(dtrain=xgb.QuantileDMatrix(X, Y), evals=[(xgb.QuantileDMatrix(X, Y), "v")]),
        "should be used as a reference",
        "make 'v' with `ref=dtrain`",
    ),
    "direction of a metric as text": (
        lambda: train(maximize="no"),
        "`maximize`.*got 'no'",
        "True, False or None",
    ),
    "direction of early stopping as text": (
        lambda: EarlyStopping(rounds=1, maximize="no"),
        "`maximize`.*got 'no'",
        "True, False or None",
    ),
    "no least gain": (lambda: EarlyStopping(rounds=1, min_delta=None), "`min_delta`.*got None", "a number >= 0"),
    "no time": (lambda: TimeLimit(None), "`seconds`.*got None", "a number >= 0"),
    "checkpoints of folds": (
        lambda: xgb.cv({}, data(), callbacks=[TrainingCheckPoint(".")]),
        r"`TrainingCheckPoint`.*cv\(\)",
        "`return_boosters=True`",
    ),
    "number as metrics": (lambda: xgb.cv({}, data(), metrics=5), "`metrics`.*got 5", "a name or a list of names"),
    "seed as text": (lambda: xgb.cv({}, data(), seed="a"), "`seed`.*got 'a'", "an int"),
    "negative seed": (lambda: xgb.cv({}, data(), seed=-1), "`seed`.*got -1", "from 0 to 4294967295"),
    "one fold": (lambda: xgb.cv({}, data(), nfold=1), "`nfold`.*got 1", ">= 2"),
    "folds of bins": (lambda: xgb.cv({}, xgb.QuantileDMatrix(X, Y)), "`QuantileDMatrix` is not", "Pass a DMatrix"),
    "model of other width": (lambda: train(xgb_model=fitted(data(X[:, :2]))), "2 features", "Give the same columns"),
}
MODEL = {
    "predict an array": (lambda: fitted().predict(X), "`data`.*got ndarray", r"Make one with DMatrix\(data\)"),
    "predict other width": (lambda: fitted().predict(data(X[:, :2])), "3 features.*have 2", "Give the same columns"),
    "predict without names": (
        lambda: fitted(named()).predict(data()),
        "not contain feature names",
        "Name the columns or",
    ),
    "predict other names": (
        lambda: fitted(named()).predict(named(["age", "height", "size"])),
        "expected weight.*\n.*fields: size",
        "Select the columns",
    ),
    "in place, other width": (lambda: fitted().inplace_predict(X[:, :2]), "expected: 3, got 2", "Give the columns"),
    "in place, one row": (lambda: fitted().inplace_predict(X[0]), r"shape \(3,\)", r"reshape\(1, -1\) for one row"),
    "in place, a matrix": (lambda: fitted().inplace_predict(data()), "DMatrix is not supported", r"predict\(DMatrix"),
    "in place, columns": (
        lambda: fitted().inplace_predict(sparse("csc_matrix")),
        "csc_matrix is not supported",
        "or a CSR matrix",
    ),
    "unknown prediction": (
        lambda: fitted().inplace_predict(X, predict_type="prob"),
        "`predict_type`.*got 'prob'",
        "value or margin",
    ),
    "rounds that are not there": (
        lambda: fitted().predict(data(), iteration_range=(0, 9)),
        r"`iteration_range`.*got \(0, 9\)",
        r"Use \(0, 0\) for all",
    ),
    "negative range": (lambda: fitted().predict(data(), iteration_range=(-1, 1)), "negative", r"Use \(0, 0\)"),
    "number as range": (
        lambda: fitted().predict(data(), iteration_range=3),
        "got 3",
        r"pair of ints, such as \(0, 10\)",
    ),
    "unknown format": (lambda: fitted().save_raw("xml"), "format: `xml`", "one of json, ubj"),
    "no such folder": (lambda: fitted().save_model("/no/such/m.json"), "Cannot write", "folder must exist"),
    "path as number": (lambda: xgb.Booster(model_file=3), "`fname`.*got 3", "a string or a path"),
    "absent model": (
        lambda: xgb.Booster(model_file="/no/such.json"),
        "No such file: `/no/such.json`",
        "Check the path",
    ),
    "broken configuration": (lambda: fitted().load_config("{"), "`config`", r"that save_config\(\) returns"),
    "round beyond the last": (lambda: fitted()[0:9], "out of range.*slice", "the model has 1 rounds"),
    "round from the end": (lambda: fitted()[-1], "must be >= 0; got -1", "not counted from the end"),
    "round by name": (lambda: fitted()["a"], "got str", "an int, a slice"),
    "unknown importance": (lambda: fitted().get_score(importance_type="wait"), "'wait'", "one of weight, gain"),
    "unknown dump": (lambda: fitted().get_dump(dump_format="xml"), "got 'xml'", "one of text, json, dot"),
    "absent feature map": (lambda: fitted().get_dump(fmap="/no/map"), "no feature map '/no/map'", "Check the path"),
    "parameter without value": (lambda: fitted().set_param("eta"), "`value` of parameter `eta`", "use set_param"),
    "only the gradient given": (lambda: fitted().boost(data(), 0, grad=Y), "`grad` and `hess`", "Give either"),
    "refit without label": (lambda: fitted().refit(X), "0 labels", "Set `label`"),
    "refit by a word": (lambda: fitted().refit(X, Y, decay="a"), "`decay`.*got 'a'", "from 0 to 1"),
    "merge with no model": (lambda: fitted().merge(3), "`other`.*got int", "must be a Booster"),
    "best of no stopping": (lambda: fitted().best_iteration, "`best_iteration`", "train with `early_stopping_rounds`"),
    "unknown setting": (lambda: xgb.set_config(verbose=1), "setting `verbose`", "The settings are .*verbosity"),
    "too verbose": (lambda: xgb.set_config(verbosity=9), "`verbosity`.*got 9", "<= 3"),
}
PICTURES = {
    "learning curves without a metric": (
        lambda: drawing().plot_metrics({"a": [1, 2]}),
        "`source` has no metrics.*got 'a'",
        "columns such as `test-rmse-mean`",
    ),
    "half a bar": (lambda: summary(max_num_features=2.5), "`max_num_features`.*got 2.5", "an int"),
    "contributions to a name": (
        lambda: drawing().plot_shap_summary(np.zeros((5, 2, 4)), output="a"),
        "`output`.*got 'a'",
        "an int",
    ),
    "curve of a name": (lambda: curve(output="a"), "`output`.*got 'a'", "an int"),
    "curve of fewer than no rows": (lambda: curve(max_rows=-1), "`max_rows`.*got -1", ">= 1"),
    "curve of no rows": (lambda: curve(max_rows=0), "`max_rows`.*got 0", ">= 1"),
    "curve of fewer than no points": (lambda: curve(grid_points=-3), "`grid_points`.*got -3", ">= 1"),
    "curve of no points": (lambda: curve(grid_points=0), "`grid_points`.*got 0", ">= 1"),
}
MISTAKES = {**MATRIX, **TRAINING, **MODEL, **PICTURES}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_message_names_cause_and_remedy(mistake):
    make, cause, remedy = MISTAKES[mistake]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((xgb.XgbLikeError, IndexError, TypeError, AttributeError)) as caught:
            make()
    assert caught.match(f"(?s){cause}")
    assert caught.match(f"(?s){remedy}")


@pytest.mark.parametrize(
    ("name", "content", "cause", "remedy"),
    [
        ("a.json", b"", "is empty", "Save the model anew"),
        ("a.json", b"hello", "not a model in JSON or UBJSON", "which begin with `{`"),
        ("a.json", b'{"learner": {"attrib', "not valid JSON at byte", "save or copy it anew"),
        ("a.ubj", b'{"learner": {}}', "named as UBJSON, but is JSON", "Rename it to `.json`"),
    ],
)
def test_bad_model_files_say_what_they_are(tmp_path, name, content, cause, remedy):
    with pytest.raises(xgb.ModelFormatError, match=cause) as caught:
        load(tmp_path, name, content)
    assert caught.match(remedy)


def test_there_are_many_mistakes():
    assert len(MISTAKES) >= 60
