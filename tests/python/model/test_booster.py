# SPDX-License-Identifier: Apache-2.0
import copy
import pickle

import numpy as np
import pytest

import xgb_like as xgb


def test_update_adds_a_round(dtrain):
    booster = xgb.Booster({"max_depth": 2}, [dtrain])
    assert (booster.num_boosted_rounds(), booster.num_features()) == (0, 5)
    for number in range(3):
        booster.update(dtrain, number)
    assert booster.num_boosted_rounds() == 3
    assert len(booster.get_dump()) == 3


def test_boost_on_given_derivatives_equals_the_objective(regression):
    data = xgb.DMatrix(*regression)
    params = {"max_depth": 3, "base_score": 0.5}
    built_in, own = xgb.Booster(params, [data]), xgb.Booster(params, [data])
    for number in range(3):
        built_in.update(data, number)
        margin = np.full(300, 0.5, np.float32) if number == 0 else own.predict(data, output_margin=True)
        own.boost(data, number, grad=margin - regression[1], hess=np.ones(300))
    assert built_in.save_raw() == own.save_raw()


@pytest.mark.parametrize(
    ("grad", "hess", "text"),
    [
        (np.zeros(3), np.zeros(300), r"`grad` must have the shape \(300,\).*\(3,\)"),
        (np.zeros(300), np.zeros(3), "`hess` must have the shape"),
        (np.zeros((300, 2)), np.zeros((300, 1)), "the same shape"),
        (np.zeros((300, 2)), np.zeros((300, 2)), "300 x 1; got 300 x 2"),
        (np.zeros((300, 1, 1)), np.zeros(300), "`grad` must have the shape"),
        (np.full(300, np.nan), np.ones(300), "`grad` must be finite.*nan in row 0"),
        (np.ones(300), np.full(300, 1e300), "`hess` must be finite"),
        (["a"] * 300, np.ones(300), "`grad` must be real numbers"),
    ],
)
def test_bad_derivatives_are_refused(booster, dtrain, grad, hess, text):
    with pytest.raises(xgb.DataError, match=text):
        booster.boost(dtrain, 4, grad=grad, hess=hess)
    assert booster.num_boosted_rounds() == 4


def test_eval_gives_text_with_all_digits(booster, dtrain):
    text = booster.eval_set([(dtrain, "a"), (dtrain, "b-c")], 7)
    number, first, second = text.split("\t")
    assert number == "[7]"
    assert first.startswith("a-rmse:")
    assert second.startswith("b-c-rmse:")
    label, predicted = dtrain.get_label().astype(float), booster.predict(dtrain).astype(float)
    assert float(first.split(":")[1]) == pytest.approx(np.sqrt(np.mean((label - predicted) ** 2)), rel=1e-6)
    assert booster.eval(dtrain, "x", 1).startswith("[1]\tx-rmse:")


def test_eval_set_with_metrics_of_ones_own(booster, dtrain):
    text = booster.eval_set([(dtrain, "a")], feval=lambda p, d: [("one", 1), ("rows", len(p) / d.num_row())])
    assert text.split("\t")[2:] == ["a-one:1.00000000000000000", "a-rows:1.00000000000000000"]


def test_an_untrained_booster_predicts_the_base_score(dtrain):
    booster = xgb.Booster({"base_score": 3}, [dtrain])
    np.testing.assert_array_equal(booster.predict(dtrain), np.full(300, 3, np.float32))
    assert "eval-rmse" in booster.eval(dtrain)
    booster.update(dtrain, 0)
    assert booster.num_boosted_rounds() == 1


def test_asking_an_untrained_booster_does_not_change_its_training(dtrain):
    asked, plain = xgb.Booster({}, [dtrain]), xgb.Booster({}, [dtrain])
    asked.eval(dtrain)
    asked.predict(dtrain)
    asked.update(dtrain, 0)
    plain.update(dtrain, 0)
    assert asked.save_raw() == plain.save_raw()


@pytest.mark.parametrize("call", ["update", "eval", "predict", "cache"])
def test_arrays_in_place_of_matrices_are_refused(booster, regression, call):
    features = regression[0]
    calls = {
        "update": lambda: booster.update(features, 0),
        "eval": lambda: booster.eval(features),
        "predict": lambda: booster.predict(features),
        "cache": lambda: xgb.Booster({}, [features]),
    }
    with pytest.raises(TypeError, match="must be a DMatrix; got ndarray"):
        calls[call]()


def test_parameters_set_later_count(dtrain):
    booster = xgb.train({"max_depth": 2}, dtrain, 1)
    booster.set_param({"max_depth": 4, "eta": None})
    booster.set_param("eta", 0.1)
    booster.update(dtrain, 1)
    assert booster.num_boosted_rounds() == 2
    assert "\t\t\t\t" in booster.get_dump()[1]
    with pytest.raises(xgb.ParameterError, match="`value` of parameter `eta` is missing"):
        booster.set_param("eta")


def test_attributes_are_text_and_none_removes(booster):
    booster.set_attr(a="x", b=2, c=None)
    assert booster.attributes() == {"a": "x", "b": "2"}
    booster.set_attr(a=None)
    assert booster.attr("a") is None
    assert booster.attr("b") == "2"


def test_best_round_is_only_known_with_early_stopping(booster):
    for name in ("best_iteration", "best_score"):
        with pytest.raises(AttributeError, match="early stopping is used"):
            getattr(booster, name)
    booster.best_iteration, booster.best_score = 2, 0.25
    assert (booster.best_iteration, booster.best_score) == (2, 0.25)


def test_names_and_types_come_from_the_data_and_can_be_set(regression):
    data = xgb.DMatrix(*regression, feature_names=list("abcde"), feature_types=["q"] * 5)
    booster = xgb.train({}, data, 1)
    assert (booster.feature_names, booster.feature_types) == (list("abcde"), ["q"] * 5)
    booster.feature_names, booster.feature_types = ("v", "w", "x", "y", "z"), None
    assert (booster.feature_names, booster.feature_types) == (list("vwxyz"), None)


def test_names_of_another_number_can_be_read_but_not_used(dtrain, tmp_path):
    booster = xgb.train({}, dtrain, 2)
    scores, model = booster.get_score(), booster.save_raw()
    for names in (["a", "b"], list("abcdef")):
        booster.feature_names = names
        assert booster.feature_names == names
        for use in (
            booster.get_fscore,
            booster.get_dump,
            booster.save_raw,
            lambda: booster.save_model(tmp_path / "model.json"),
            lambda: booster.predict(dtrain),
            lambda: booster.update(dtrain, 2),
            lambda: pickle.dumps(booster),
        ):
            with pytest.raises(xgb.DataError, match=f"one name for each of its 5 features; got {len(names)}"):
                use()
        assert "reg:squarederror" in booster._repr_html_()
    booster.feature_names = np.array(["a", "b"])
    assert booster.feature_names == ["a", "b"]
    for nothing in ([], None):
        booster.feature_names = nothing
        assert booster.feature_names is None
    assert booster.get_score() == scores
    assert booster.save_raw() == model
    booster.feature_names = ["a"]
    booster.load_model(model)
    assert booster.feature_names is None


@pytest.mark.parametrize(
    ("index", "rounds"),
    [
        (0, 1),
        (3, 1),
        (np.int32(1), 1),
        (slice(None), 4),
        (..., 4),
        (slice(1, 3), 2),
        (slice(0, 4, 2), 2),
        (slice(1, None), 3),
        (slice(1, ...), 3),
        (slice(..., 3), 3),
    ],
)
def test_slices(booster, index, rounds):
    assert booster[index].num_boosted_rounds() == rounds


def test_slices_are_the_trees_in_between(booster, dtrain):
    base = float(booster.predict(dtrain, output_margin=True, iteration_range=(0, 1))[0]) - float(
        booster[0].predict(dtrain, output_margin=True)[0]
    )
    assert base == 0
    assert booster[1:4:2].get_dump() == [booster.get_dump()[1], booster.get_dump()[3]]
    assert [one.get_dump()[0] for one in booster] == booster.get_dump()


@pytest.mark.parametrize(
    ("index", "error", "text"),
    [
        (slice(1, 1), ValueError, "Empty slice"),
        (slice(-1, 2), ValueError, ">= 0"),
        (-1, ValueError, ">= 0"),
        (slice(0, 2, 0), ValueError, ">= 1"),
        (slice(0, 2, -1), ValueError, ">= 1"),
        (slice(3, 0), ValueError, "Invalid"),
        (slice(3, -1), ValueError, "Invalid"),
        (4, IndexError, "out of range: the model has 4 rounds"),
        (slice(0, 9), IndexError, "out of range"),
        ((0, 1), ValueError, "slicing through 1 dimension"),
        ("a", TypeError, "got str"),
        (1.0, TypeError, "got float"),
        (None, TypeError, "got NoneType"),
    ],
)
def test_bad_slices_are_refused(booster, index, error, text):
    with pytest.raises(error, match=text):
        booster[index]


def test_rounds_cannot_be_assigned(booster):
    with pytest.raises(TypeError, match="item assignment"):
        booster[0] = booster[1]


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, xgb.Booster.copy, lambda b: pickle.loads(pickle.dumps(b))]
)
def test_copies_keep_everything_and_share_nothing(dtrain, duplicate):
    booster = xgb.train({"max_depth": 2, "eta": 0.1, "eval_metric": ["mae", "rmse"], "seed": 3}, dtrain, 2)
    booster.set_attr(note="x")
    other = duplicate(booster)
    assert other.save_config() == booster.save_config()
    assert other.save_raw() == booster.save_raw()
    assert other.attributes() == {"note": "x"}
    other.update(dtrain, 2)
    assert (booster.num_boosted_rounds(), other.num_boosted_rounds()) == (2, 3)
    booster.update(dtrain, 2)
    assert other.save_raw() == booster.save_raw()


def test_an_untrained_booster_can_be_pickled(dtrain):
    booster = pickle.loads(pickle.dumps(xgb.Booster({"max_depth": 2}, [dtrain])))
    booster.update(dtrain, 0)
    assert booster.num_boosted_rounds() == 1


def test_an_objective_changed_after_loading_survives_a_pickle(binary):
    booster = xgb.train({"objective": "binary:logistic"}, xgb.DMatrix(*binary), 1)
    loaded = xgb.Booster(model_file=booster.save_raw())
    loaded.set_param("objective", "binary:logitraw")
    assert '"objective":"binary:logitraw"' in pickle.loads(pickle.dumps(loaded)).save_config()


def test_attributes_of_a_subclass_survive_copies(booster):
    class Named(xgb.Booster):
        pass

    named = Named(model_file=booster)
    named.note = "mine"
    assert copy.copy(named).note == named[0].note == "mine"
    assert isinstance(named[0], Named)


def test_repr_says_what_it_is(booster):
    assert repr(booster) == "<xgb_like.Booster: reg:squarederror, 4 rounds, 5 features>"


def test_reset_keeps_the_model(booster, dtrain):
    before = booster.save_raw()
    assert booster.reset() is booster
    booster.update(dtrain, 4)
    assert booster[:4].save_raw() == before


@pytest.mark.parametrize("fobj", [3, "rmse"])
def test_fobj_must_be_a_function(booster, dtrain, fobj):
    with pytest.raises(xgb.ParameterError, match="`fobj` must be a function"):
        booster.update(dtrain, 4, fobj)


def test_data_of_other_names_are_refused_in_training(booster, regression):
    booster.feature_names = list("abcde")
    with pytest.raises(xgb.DataError, match="feature_names mismatch"):
        booster.update(xgb.DMatrix(*regression, feature_names=list("abcdf")), 4)


def test_a_refused_matrix_leaves_names_and_types(booster, regression):
    before = booster.save_raw()
    other = xgb.DMatrix(regression[0][:, :3], regression[1], feature_names=list("abc"), feature_types=["q"] * 3)
    with pytest.raises(xgb.DataError, match="trained on 5 features"):
        booster.update(other, 4)
    assert (booster.feature_names, booster.feature_types) == (None, None)
    assert booster.save_raw() == before


def test_a_failed_first_round_leaves_no_names(regression):
    booster = xgb.Booster()
    with pytest.raises(xgb.DataError, match="label"):
        booster.update(xgb.DMatrix(regression[0], feature_names=list("abcde")), 0)
    assert (booster.feature_names, booster.num_features()) == (None, 0)


@pytest.mark.parametrize(
    ("field", "values", "text"),
    [
        ("feature_names", ["a", "a", "b", "c", "d"], "must be unique"),
        ("feature_names", ["a<", "b", "c", "d", "e"], "may not contain"),
        ("feature_names", ["a[", "b", "c", "d", "e"], "may not contain"),
        ("feature_types", ["q"], "expected 5, got 1"),
        ("feature_types", ["q", "q", "q", "q", "real"], "must be one of"),
    ],
)
def test_bad_names_and_types_are_refused(booster, field, values, text):
    before = booster.save_raw()
    with pytest.raises(xgb.DataError, match=text):
        setattr(booster, field, values)
    assert booster.save_raw() == before


def test_names_and_types_given_before_training_must_fit_the_data(dtrain):
    for field, values in (("feature_names", ["a", "a"]), ("feature_types", ["q", "real"])):
        with pytest.raises(xgb.DataError):
            setattr(xgb.Booster(), field, values)
    booster = xgb.Booster()
    booster.feature_types = ["q", "q"]
    with pytest.raises(xgb.DataError, match="2 for 5 columns"):
        booster.update(dtrain, 0)


def test_parameters_set_after_training_survive_a_pickle(dtrain):
    booster = xgb.train({}, dtrain, 1)
    booster.set_param({"num_parallel_tree": 3, "max_depth": 2})
    other = pickle.loads(pickle.dumps(booster))
    assert other.save_config() == booster.save_config()
    for model in (booster, other):
        model.update(dtrain, 1)
    assert len(other.get_dump()) == 4
    assert other.save_raw() == booster.save_raw()


def test_a_step_beyond_all_numbers_takes_the_first_round(booster):
    assert booster[0 : 2 : 2**70].save_raw() == booster[0].save_raw()
