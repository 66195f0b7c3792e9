# SPDX-License-Identifier: Apache-2.0
"""Parameters of the estimators: signatures, get_params, set_params, clone, documentation."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import xgb_like as xgb

base = pytest.importorskip("sklearn.base")

ESTIMATORS = ["XGBModel", "XGBClassifier", "XGBRegressor", "XGBRanker", "XGBRFClassifier", "XGBRFRegressor"]


@pytest.fixture(params=ESTIMATORS)
def cls(request):
    return getattr(xgb, request.param)


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_import_leaves_sklearn_alone_until_an_estimator_is_asked_for():
    program = (
        "import sys, xgb_like as xgb; print('sklearn' in sys.modules); xgb.XGBModel; print('sklearn' in sys.modules)"
    )
    assert run(program).split() == ["False", "True"]


def test_without_sklearn_the_error_says_what_to_install():
    program = (
        "import sys; sys.modules['sklearn'] = sys.modules['sklearn.base'] = None\n"
        "import xgb_like as xgb\n"
        "try: xgb.XGBClassifier\n"
        "except ImportError as error: print(error)"
    )
    assert "pip install scikit-learn" in run(program)


def test_unknown_names_of_the_package_are_attribute_errors():
    with pytest.raises(AttributeError, match="XGBClasifier"):
        _ = xgb.XGBClasifier


def test_submodule_has_what_others_import():
    assert callable(xgb.sklearn._metric_decorator)
    assert callable(xgb.sklearn._objective_decorator)
    assert xgb.sklearn.XGBRankerMixIn._estimator_type == "ranker"
    assert xgb.sklearn.SklObjective is not None


def test_estimators_of_others_say_what_they_are_by_mixins(regression):
    utils = pytest.importorskip("sklearn.utils")
    base, exceptions = pytest.importorskip("sklearn.base"), pytest.importorskip("sklearn.exceptions")

    class Classifier(xgb.sklearn.XGBClassifierMixIn, xgb.XGBModel):
        n_classes_: int

    class Regressor(xgb.sklearn.XGBRegressorMixIn, xgb.XGBModel):
        pass

    assert base.is_classifier(Classifier())
    assert base.is_regressor(Regressor())
    assert issubclass(xgb.XGBRFClassifier, xgb.sklearn.XGBClassifierMixIn)
    assert issubclass(xgb.XGBRFRegressor, xgb.sklearn.XGBRegressorMixIn)
    for own, ours in ((Classifier(), xgb.XGBClassifier()), (Regressor(), xgb.XGBRegressor())):
        assert own._more_tags() == ours._more_tags()
        if hasattr(utils, "get_tags"):
            assert utils.get_tags(own) == utils.get_tags(ours)
    with pytest.raises(exceptions.NotFittedError):
        _ = Classifier().classes_
    own = Classifier(objective="binary:logistic", n_estimators=2).fit(regression[0], regression[1] > 0)
    own.n_classes_ = 2
    assert own.classes_.tolist() == [0, 1]


def test_signature_tells_all_parameters_by_name(cls):
    parameters = inspect.signature(cls).parameters
    assert parameters["max_depth"].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["kwargs"].kind is inspect.Parameter.VAR_KEYWORD
    own = set(parameters) - {"kwargs"}
    assert own <= set(cls().get_params())


def test_docstring_tells_each_parameter_of_the_signature(cls):
    lines = cls.__doc__.splitlines()
    told = {line.partition(" :")[0] for line in lines if line and not line.startswith(" ")}
    assert set(inspect.signature(cls).parameters) - {"kwargs"} <= told


@pytest.mark.peer
@pytest.mark.parametrize("name", ESTIMATORS)
def test_parameters_and_defaults_are_those_of_xgboost(name):
    peer = pytest.importorskip("xgboost", minversion="3.4")
    with pytest.warns(FutureWarning) if "RF" in name else pytest.MonkeyPatch.context():
        theirs = getattr(peer, name)().get_params()
    ours = getattr(xgb, name)().get_params()
    assert {key: repr(value) for key, value in ours.items()} == {key: repr(value) for key, value in theirs.items()}


def test_type_checkers_see_all_parameters_in_their_order():
    params = importlib.import_module("xgb_like._estimators._params")
    tree = ast.parse((Path(xgb.__file__).parent / "_estimators" / "_params.py").read_text())
    own = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Constructor")
    constructor = next(node for node in own.body if isinstance(node, ast.FunctionDef))
    assert [argument.arg for argument in constructor.args.kwonlyargs] == list(params.DEFAULTS)


def test_defaults_of_forests():
    params = xgb.XGBRFRegressor().get_params()
    wanted = {"learning_rate": 1.0, "subsample": 0.8, "colsample_bynode": 0.8, "reg_lambda": 1e-5}
    assert {name: params[name] for name in wanted} == wanted


def test_other_parameters_are_kept_and_can_be_set(cls):
    model = cls(eta=0.25)
    assert model.get_params()["eta"] == 0.25
    assert model.set_params(eta=0.5, max_depth=2, top_k=3).get_params()["eta"] == 0.5
    assert (model.max_depth, model.get_params()["top_k"]) == (2, 3)


def test_clone_has_the_parameters_and_is_not_fitted(cls, regression):
    model = cls(cat_smooth=2.5, max_depth=3, n_estimators=2)
    fit = {"qid": np.zeros(len(regression[0]))} if cls is xgb.XGBRanker else {}
    model.fit(regression[0], np.arange(len(regression[0])) % 2, **fit)
    twin = base.clone(model)
    assert twin.get_params() == model.get_params()
    assert not twin.__sklearn_is_fitted__()


def test_clone_keeps_a_random_state():
    state = np.random.RandomState(3)
    assert base.clone(xgb.XGBRegressor(random_state=state)).get_params()["random_state"].randint(99) == state.randint(
        99
    )


def test_subclasses_have_the_parameters_of_their_base():
    class Mine(xgb.XGBRegressor):
        def __init__(self, extra=1, **kwargs):
            self.extra = extra
            super().__init__(**kwargs)

    model = base.clone(Mine(extra=5, max_depth=2, eta=0.1))
    assert (model.extra, model.max_depth, model.get_params()["eta"]) == (5, 2, 0.1)


def test_parameters_for_train_have_no_functions_and_none_of_the_estimator():
    params = xgb.XGBClassifier(objective=max, eval_metric=min, n_estimators=3, class_weight="balanced").get_xgb_params()
    assert not {"objective", "eval_metric", "n_estimators", "missing", "class_weight"} & set(params)
    assert xgb.XGBClassifier(eval_metric=["auc", min]).get_xgb_params()["eval_metric"] == ["auc"]


@pytest.mark.parametrize("state", [np.random.RandomState(1), np.random.default_rng(1)], ids=["state", "generator"])
def test_random_states_become_a_seed(state):
    assert isinstance(xgb.XGBRegressor(random_state=state).get_xgb_params()["random_state"], int)


def test_parameters_by_position_warn():
    with pytest.warns(FutureWarning, match="objective"):
        assert xgb.XGBRegressor("reg:gamma").objective == "reg:gamma"
    with pytest.warns(FutureWarning, match="`objective` is given by name, too"):
        assert xgb.XGBRegressor("reg:gamma", objective="reg:tweedie").objective == "reg:gamma"


def test_fit_changes_no_parameter(cls, classes):
    model = cls(n_estimators=2)
    before = model.get_params()
    model.fit(*classes, **({"group": [len(classes[0])]} if cls is xgb.XGBRanker else {}))
    assert {name: repr(value) for name, value in before.items()} == {
        name: repr(value) for name, value in model.get_params().items()
    }


def test_threads_of_a_fitted_model_change_at_once(binary):
    model = xgb.XGBClassifier(n_estimators=1, nthread=1).fit(*binary)
    expected = model.predict_proba(binary[0])
    model.set_params(nthread=2)
    assert model.get_booster()._handle.params()["general"]["nthread"] == "2"
    assert np.array_equal(model.predict_proba(binary[0]), expected)


def test_setting_what_is_learnt_leaves_a_fitted_model_as_it_is(binary):
    model = xgb.XGBClassifier(n_estimators=2).fit(*binary)
    expected = model.predict_proba(binary[0])
    model.set_params(objective="binary:hinge", base_score=0.9, booster="gblinear", nonsense=1)
    assert np.array_equal(model.predict_proba(binary[0]), expected)


def test_type_of_estimators():
    kinds = [getattr(xgb, name)()._get_type() for name in ESTIMATORS]
    assert kinds == [None, "classifier", "regressor", "ranker", "classifier", "regressor"]


def test_tags(cls):
    utils = pytest.importorskip("sklearn.utils", reason="needs get_tags")
    if not hasattr(utils, "get_tags"):
        pytest.skip("scikit-learn before 1.6 has other tags")
    tags = utils.get_tags(cls())
    assert tags.input_tags.allow_nan
    assert tags.no_validation
    assert not tags.non_deterministic
    for taken in (True, False):
        inputs = utils.get_tags(cls(enable_categorical=taken)).input_tags
        assert (inputs.sparse, inputs.categorical, inputs.string) == (True, taken, taken)


def test_only_linear_models_are_not_predicted_in_place_by_xgboost(cls):
    assert cls()._can_use_inplace_predict()
    assert not cls(booster="gblinear")._can_use_inplace_predict()


def test_pickles_name_a_public_module(cls):
    assert cls.__module__ == "xgb_like.sklearn"


def test_documentation_of_others_classes_can_be_written():
    @xgb.sklearn.xgboost_model_doc(
        "A model.", ["estimators", "objective"], extra_parameters="other : int", end_note="The end."
    )
    class Other:
        pass

    assert [part in Other.__doc__ for part in ("A model.", "n_estimators :", "objective :", "other : int", "The end.")]
    assert "max_depth" not in Other.__doc__
