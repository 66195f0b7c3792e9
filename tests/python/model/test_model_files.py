# SPDX-License-Identifier: Apache-2.0
import json
import os
import pickle
import stat
import subprocess
import sys

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like.core import XGBoostError


@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_a_model_saved_and_loaded_is_the_same(holes, tmp_path, ending):
    data = xgb.DMatrix(
        *holes, feature_names=["é", "b", "c", "日本", "e f"], feature_types=["q", "int", "i", "q", "float"]
    )
    booster = xgb.train({"max_depth": 4, "base_score": 0.25}, data, 3)
    booster.set_attr(note='"quoted"\n')
    path = tmp_path / f"modèle.{ending}"
    booster.save_model(path)
    loaded = xgb.Booster(model_file=str(path))
    assert loaded.save_raw() == booster.save_raw()
    assert (loaded.feature_names, loaded.feature_types) == (data.feature_names, data.feature_types)
    assert loaded.attributes() == booster.attributes()
    np.testing.assert_array_equal(loaded.predict(data), booster.predict(data))


@pytest.mark.parametrize("ending", ["json", "ubj"])
def test_a_model_of_no_rounds_keeps_its_names(regression, tmp_path, ending):
    data = xgb.DMatrix(*regression, feature_names=list("abcde"))
    path = tmp_path / f"model.{ending}"
    xgb.train({}, data, 0).save_model(path)
    loaded = xgb.Booster(model_file=path)
    assert (loaded.feature_names, loaded.num_features(), loaded.num_boosted_rounds()) == (list("abcde"), 0, 0)
    assert xgb.train({}, data, 2, xgb_model=loaded).save_raw() == xgb.train({}, data, 2).save_raw()


def test_raw_models_go_through_either_format(booster):
    for form in ("json", "ubj"):
        raw = booster.save_raw(form)
        assert isinstance(raw, bytearray)
        for kind in (raw, bytes(raw)):
            assert xgb.Booster(model_file=kind).save_raw() == booster.save_raw()


def test_equal_trainings_give_equal_bytes(regression):
    models = [xgb.train({"subsample": 0.5, "seed": 1}, xgb.DMatrix(*regression), 3) for _ in range(2)]
    assert models[0].save_raw() == models[1].save_raw()


def test_a_pretty_printed_model_loads(booster):
    text = json.dumps(json.loads(booster.save_raw("json")), indent=2)
    assert xgb.Booster(model_file=text.encode()).save_raw() == booster.save_raw()


@pytest.mark.parametrize("name", ["model", "model.bin", "model.txt"])
def test_other_endings_warn_and_write_ubjson(booster, tmp_path, name):
    path = tmp_path / name
    with pytest.warns(UserWarning, match="Saving model in the UBJSON format"):
        booster.save_model(path)
    with pytest.warns(UserWarning, match="Using UBJSON"):
        assert xgb.Booster(model_file=path).save_raw() == booster.save_raw()


def test_json_under_another_ending_is_recognised(booster, tmp_path):
    (tmp_path / "model").write_bytes(booster.save_raw("json"))
    with pytest.warns(UserWarning, match="Using JSON"):
        assert xgb.Booster(model_file=tmp_path / "model").num_boosted_rounds() == 4


@pytest.mark.parametrize(("ending", "form"), [("json", "ubj"), ("ubj", "json")])
def test_a_wrong_ending_is_refused(booster, tmp_path, ending, form):
    path = tmp_path / f"model.{ending}"
    path.write_bytes(booster.save_raw(form))
    with pytest.raises(xgb.ModelFormatError, match="{.*Rename it"):
        xgb.Booster(model_file=path)


@pytest.mark.parametrize("raw", [b"", b"{", b"junk", b"{}", b'{"learner": 3}', b"{L" + b"\xff" * 20])
def test_what_is_no_model_is_refused(raw):
    with pytest.raises(XGBoostError):
        xgb.Booster(model_file=raw)


def test_every_cut_of_a_model_is_refused(booster):
    for form in ("json", "ubj"):
        raw = bytes(booster[:1].save_raw(form))
        for size in range(1, len(raw), max(len(raw) // 97, 1)):
            with pytest.raises(xgb.ModelFormatError):
                xgb.Booster(model_file=raw[:size])


def test_a_failed_load_leaves_the_model(booster):
    before = booster.save_raw()
    with pytest.raises(xgb.ModelFormatError):
        booster.load_model(b"{broken")
    assert booster.save_raw() == before


@pytest.mark.parametrize("bad", [3, None, ["model.json"]])
def test_names_of_other_types_are_refused(booster, bad):
    with pytest.raises(TypeError, match="`fname` must be a string or a path"):
        booster.save_model(bad)
    with pytest.raises(TypeError, match="`fname`"):
        booster.load_model(bad)


def test_absent_files_and_folders_are_named(booster, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent.json"):
        booster.load_model(tmp_path / "absent.json")
    with pytest.raises(XGBoostError, match="absent"):
        booster.save_model(tmp_path / "absent" / "model.json")


def test_saving_replaces_a_file_and_leaves_no_other(booster, tmp_path):
    path = tmp_path / "model.json"
    booster.save_model(path)
    before = path.read_bytes()
    booster[:1].save_model(path)
    assert path.read_bytes() != before
    assert [file.name for file in tmp_path.iterdir()] == ["model.json"]


def test_other_raw_formats_are_refused(booster):
    with pytest.raises(xgb.ParameterError, match="Unknown model format: `deprecated`"):
        booster.save_raw("deprecated")


def test_home_folders_are_found(booster, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    booster.save_model("~/model.json")
    assert xgb.Booster(model_file="~/model.json").num_boosted_rounds() == 4


def test_weights_of_leaves_count_the_learning_rate_as_in_xgboost(regression):
    def weights(params):
        booster = xgb.train({"max_depth": 2, "eta": 0.25, **params}, xgb.DMatrix(*regression), 1)
        tree = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"][0]
        leaf = np.array(tree["left_children"]) == -1
        return np.array(tree["base_weights"]), np.array(tree["split_conditions"]), leaf

    for method in ("hist", "approx"):
        weight, value, leaf = weights({"tree_method": method})
        np.testing.assert_allclose(weight[leaf], value[leaf], rtol=1e-6)
        whole, _, _ = weights({"tree_method": method, "eta": 1})
        np.testing.assert_allclose(weight[~leaf], whole[~leaf])
    weight, value, leaf = weights({"tree_method": "exact"})
    np.testing.assert_allclose(0.25 * weight[leaf], value[leaf], rtol=1e-6)


# Objectives that XGBoost does not have, and those of its own that predict the same.
OWN = {name: facts["twin"] for name, facts in xgb._core.objectives().items() if facts["own"]}


def model_of(objective):
    random = np.random.default_rng(0)
    features = random.normal(size=(120, 3)).astype(np.float32)
    label = (features[:, 0] > 0).astype(int)
    queries = {"qid": np.arange(120) // 10} if objective.startswith("rank:") else {}
    classes = {"num_class": 2} if objective.startswith("multi:") else {}
    return xgb.train({"objective": objective, **classes}, xgb.DMatrix(features, label, **queries), 3), features


@pytest.mark.parametrize("objective", OWN)
def test_saving_what_xgboost_cannot_load_warns_once(tmp_path, objective):
    booster, _ = model_of(objective)
    with pytest.warns(UserWarning, match=f"XGBoost does not have the objective `{objective}`") as caught:
        booster.save_model(tmp_path / "m.json")
    assert caught[0].filename == __file__
    booster.save_model(tmp_path / "m.ubj")  # warnings are errors in these tests
    assert pickle.loads(pickle.dumps(booster)).save_raw() == booster.save_raw()
    checkpoint = xgb.callback.TrainingCheckPoint(tmp_path, interval=1)
    xgb.train({"objective": "reg:huber"}, xgb.DMatrix(np.eye(9), np.arange(9)), 3, callbacks=[checkpoint])


@pytest.mark.peer
@pytest.mark.parametrize(("objective", "like"), OWN.items())
def test_xgboost_cannot_load_the_objectives_it_does_not_have_but_others_in_their_place(objective, like):
    xgboost = pytest.importorskip("xgboost")
    booster, features = model_of(objective)
    with pytest.raises(xgboost.core.XGBoostError, match="Unknown objective"):
        xgboost.Booster(model_file=booster.save_raw())
    if like:
        copied = booster.copy()
        copied.set_param("objective", like)
        found = xgboost.Booster(model_file=copied.save_raw()).predict(xgboost.DMatrix(features))
        np.testing.assert_allclose(found, booster.predict(xgb.DMatrix(features)), rtol=1e-5)


@pytest.mark.peer
@pytest.mark.parametrize("objective", sorted(xgb._core.objectives().keys() - OWN))
def test_xgboost_has_all_other_objectives(objective):
    xgboost = pytest.importorskip("xgboost")
    params = {"objective": objective, "num_class": 2, "quantile_alpha": 0.5, "expectile_alpha": 0.5}
    message = ""
    try:
        xgboost.Booster(params, [xgboost.DMatrix(np.eye(2))]).save_config()
    except xgboost.core.XGBoostError as error:  # num_class is not for all
        message = str(error)
    assert "Unknown objective" not in message


@pytest.mark.skipif(os.name != "posix", reason="files have other rights")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
@pytest.mark.parametrize("save", ["save_model", "save_binary"])
def test_a_file_that_is_replaced_keeps_its_rights(booster, dtrain, tmp_path, mode, save):
    file, link = tmp_path / "model.ubj", tmp_path / "link.ubj"
    file.touch()
    file.chmod(mode)
    link.symlink_to(file)
    for path in (file, link):
        getattr(booster if save == "save_model" else dtrain, save)(path)
        assert stat.S_IMODE(file.stat().st_mode) == mode
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, file]
    if save == "save_model":
        assert xgb.Booster(model_file=link).save_raw() == booster.save_raw()


OUT_OF_MEMORY = """
import resource
import numpy as np
import xgb_like as xgb
rows = np.random.default_rng(0).normal(size=(20000, 5)).astype(np.float32)
data = xgb.DMatrix(rows, rows[:, 0], nthread=1)  # threads that are gone leave memory
booster = xgb.train({"max_depth": 12, "nthread": 1, "min_child_weight": 0}, data, 20)
whole = bytes(booster.save_raw())
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
done = failed = 0
for headroom in range(0, 12 * len(whole), len(whole) // 7):
    resource.setrlimit(resource.RLIMIT_AS, (used + headroom, resource.RLIM_INFINITY))
    try:
        done += bytes(booster.save_raw()) == whole
    except MemoryError:
        failed += 1
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(done > 0, failed > 0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are others")
def test_too_little_memory_for_a_file_is_a_memory_error():
    found = subprocess.run([sys.executable, "-c", OUT_OF_MEMORY], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("True True\n", "")
