# SPDX-License-Identifier: Apache-2.0
"""Estimators as files and pickles, also those of XGBoost."""

import copy
import json
import pickle

import numpy as np
import pytest

import xgb_like as xgb

pytest.importorskip("sklearn")

SMALL = {"n_estimators": 4, "max_depth": 2}
LABELS = {
    "numbers": [0, 1],
    "strings": ["no", "yes"],
    "objects": np.array(["no", "yes"], dtype=object),
    "integers": [-5, 2**40],
    "floats": [0.0, 2.0],
    "booleans": [False, True],
    "days": np.array(["2020-01-01", "2020-02-01"], dtype="M8[D]"),
}


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("kind", LABELS)
def test_files_keep_the_labels_of_classes(binary, tmp_path, ending, kind):
    names = np.asarray(LABELS[kind])[binary[1].astype(int)]
    model = xgb.XGBClassifier(**SMALL).fit(binary[0], names)
    model.save_model(tmp_path / f"m.{ending}")
    other = xgb.XGBClassifier()
    other.load_model(tmp_path / f"m.{ending}")
    assert other.classes_.dtype == model.classes_.dtype
    assert np.array_equal(other.predict(binary[0]), model.predict(binary[0]))
    assert np.array_equal(other.predict_proba(binary[0]), model.predict_proba(binary[0]))


def test_labels_that_files_cannot_keep_are_refused(binary, tmp_path):
    model = xgb.XGBClassifier(**SMALL).fit(binary[0], np.array([b"a", b"b"])[binary[1].astype(int)])
    with pytest.raises(xgb.DataError, match="b'a' of type bytes. Use pickle"):
        model.save_model(tmp_path / "m.json")


def test_files_say_what_saved_them_and_the_booster_does_not(classes, tmp_path):
    model = xgb.XGBClassifier(**SMALL).fit(*classes)
    model.save_model(tmp_path / "m.json")
    saved = json.loads((tmp_path / "m.json").read_text())["learner"]["attributes"]
    assert json.loads(saved["scikit_learn"]) == {"_estimator_type": "classifier"}
    assert "scikit_learn" not in model.get_booster().attributes()


def test_another_kind_of_estimator_refuses_the_file(classes, tmp_path):
    xgb.XGBClassifier(**SMALL).fit(*classes).save_model(tmp_path / "m.json")
    with pytest.raises(TypeError, match="Expecting: regressor, got: classifier"):
        xgb.XGBRegressor().load_model(tmp_path / "m.json")


def test_loading_tells_what_the_model_is(classes, tmp_path):
    model = xgb.XGBClassifier(**SMALL, base_score=0.25).fit(*classes, eval_set=[classes], verbose=False)
    model.save_model(tmp_path / "m.ubj")
    other = xgb.XGBClassifier(n_estimators=99)
    other.load_model(tmp_path / "m.ubj")
    assert (other.objective, other.booster, other.n_estimators) == ("multi:softprob", "gbtree", 99)
    assert other.base_score == [0.25]
    assert (other.n_classes_, other.n_features_in_, other.enable_categorical) == (3, 5, False)
    assert not hasattr(other, "evals_result_")


def test_loading_keeps_categories_and_their_types(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"c": pandas.Categorical(["x", "y", "z"] * 20), "n": np.arange(60.0)})
    model = xgb.XGBRegressor(**SMALL).fit(table, table["n"])
    model.save_model(tmp_path / "m.json")
    other = xgb.XGBRegressor()
    other.load_model(tmp_path / "m.json")
    assert other.enable_categorical
    assert other.feature_types == ["c", "float"]
    assert np.array_equal(other.predict(table), model.predict(table))


def test_loaded_models_predict_arrays_without_names(binary, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(binary[0]).add_prefix("f")
    model = xgb.XGBClassifier(**SMALL).fit(frame, binary[1])
    model.save_model(tmp_path / "m.json")
    other = xgb.XGBClassifier()
    other.load_model(tmp_path / "m.json")
    for table in (binary[0], binary[0].tolist(), frame):
        assert np.array_equal(other.predict_proba(table), model.predict_proba(frame))
    with pytest.raises(xgb.DataError, match="Feature shape mismatch"):
        other.predict(binary[0][:, :2])


def test_models_of_train_are_loaded_with_numbered_classes(classes, tmp_path):
    booster = xgb.train({"objective": "multi:softprob", "num_class": 3}, xgb.DMatrix(*classes), 2)
    booster.save_model(tmp_path / "m.json")
    model = xgb.XGBClassifier()
    model.load_model(tmp_path / "m.json")
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(*classes) > 0.5


def test_bytes_are_loaded(binary):
    booster = xgb.XGBClassifier(**SMALL).fit(*binary).get_booster()
    model = xgb.XGBClassifier()
    model.load_model(booster.save_raw())
    assert model.get_booster().save_raw() == booster.save_raw()


def test_stopping_early_is_kept(binary, tmp_path):
    model = xgb.XGBClassifier(n_estimators=60, early_stopping_rounds=2)
    model.fit(binary[0][:99], binary[1][:99], eval_set=[(binary[0][99:], binary[1][99:])], verbose=False)
    model.save_model(tmp_path / "m.json")
    other = xgb.XGBClassifier()
    other.load_model(tmp_path / "m.json")
    assert other.best_iteration == model.best_iteration
    assert np.array_equal(other.predict_proba(binary[0]), model.predict_proba(binary[0]))


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda model: pickle.loads(pickle.dumps(model))])
def test_copies_keep_everything(binary, copied):
    names = np.array(["no", "yes"])[binary[1].astype(int)]
    model = xgb.XGBClassifier(**SMALL, eta=0.2).fit(binary[0], names, eval_set=[(binary[0], names)], verbose=False)
    other = copied(model)
    assert repr(other.get_params()) == repr(model.get_params())
    assert other.evals_result() == model.evals_result()
    assert other.get_booster().save_config() == model.get_booster().save_config()
    assert np.array_equal(other.predict(binary[0]), model.predict(binary[0]))


def test_unfitted_estimators_are_pickled():
    assert pickle.loads(pickle.dumps(xgb.XGBRanker(eta=0.3))).get_params()["eta"] == 0.3


@pytest.mark.peer
@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("name", ["XGBClassifier", "XGBRegressor", "XGBRanker"])
def test_files_are_those_of_xgboost(classes, tmp_path, ending, name):
    peer, path = pytest.importorskip("xgboost"), tmp_path / f"m.{ending}"
    for writer, reader in ((xgb, peer), (peer, xgb)):
        model = getattr(writer, name)(**SMALL)
        model.fit(*classes, **({"group": [100] * 3} if name == "XGBRanker" else {}))
        model.save_model(path)
        other = getattr(reader, name)()
        other.load_model(path)
        assert np.allclose(other.predict(classes[0]), model.predict(classes[0]), rtol=1e-5)


@pytest.mark.peer
def test_xgboost_reads_files_with_labels_as_numbers(binary, tmp_path):
    peer = pytest.importorskip("xgboost")
    names = np.array(["no", "yes"])[binary[1].astype(int)]
    ours = xgb.XGBClassifier(**SMALL).fit(binary[0], names)
    ours.save_model(tmp_path / "m.json")
    theirs = peer.XGBClassifier()
    theirs.load_model(tmp_path / "m.json")
    assert np.array_equal(theirs.predict(binary[0]), ours.predict(binary[0]) == "yes")
