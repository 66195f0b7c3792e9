# SPDX-License-Identifier: Apache-2.0
"""Write the golden files of the installed version: ``python tests/golden/make.py tests/golden/1.2.3``.

Every release adds a folder, named after it; a test compares them with the headings of CHANGELOG.md. Run the script with
that release installed. Never rewrite a folder: it holds what users have on their disks. test_golden.py finds new
folders by itself. The script uses only what 0.1.0 had, so that it runs with every version. A new kind of file, or a new
part of a model, is a new case here. `0.2.0.dev0` is a state between two releases: the first that pickles predictors.
"""

import json
import pickle
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np

import xgb_like as xgb
from xgb_like import _core
from xgb_like.callback import EarlyStopping, LearningRateScheduler, TimeLimit

COLORS = ["blue", "green", "red"]
CODES = ["q", "q", "q", "c", "c"]  # the last two columns hold codes of categories
SMALL = {"nthread": 1, "seed": 3}


def table(rows, seed):
    """Return numbers with missing ones among them, and codes of categories."""
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.normal(size=(rows, 3)), 2)
    numbers[rng.random(numbers.shape) < 0.2] = np.nan
    return np.column_stack([numbers, rng.integers(0, 3, rows), rng.integers(0, 9, rows)]).astype(np.float32)


TRAIN, ROWS = table(60, 1), table(16, 2)
SCORE = np.nan_to_num(TRAIN[:, 0]) + np.where(TRAIN[:, 3] == 1, 1, -0.5) + (TRAIN[:, 4] % 3) / 2
YES = (SCORE > 0.4).astype(np.float32)
GRADES = np.digitize(SCORE, [0, 1]).astype(np.float32)
TWO = np.column_stack([SCORE, -2 * SCORE + TRAIN[:, 4]])
POSITIVE = np.exp(SCORE)
QUERIES = np.arange(len(TRAIN)) // 10


def labelled(data):
    """Return a frame with names of colors in place of the one kind of codes, and categories that are numbers."""
    import pandas as pd  # noqa: PLC0415

    colors = [None if np.isnan(row[0]) else COLORS[int(row[3])] for row in data]
    frame = pd.DataFrame(data[:, :3], columns=["a", "b", "c"])
    frame["color"] = pd.Categorical(colors, categories=COLORS)
    frame["e"] = pd.Categorical(10 * data[:, 4].astype(int), categories=range(0, 90, 10))
    return frame


# By the beginning of an objective's name: the first that fits is taken.
LABELS = {
    "binary:multilabel": {"label": np.column_stack([YES, 1 - YES])},
    "binary:": {"label": YES},
    "multi:": {"label": GRADES},
    "rank:map": {"label": YES, "qid": QUERIES},
    "rank:": {"label": GRADES, "qid": QUERIES},
    "survival:aft": {"label_lower_bound": POSITIVE, "label_upper_bound": np.where(YES > 0, POSITIVE, np.inf)},
    "survival:cox": {"label": np.where(YES > 0, POSITIVE, -POSITIVE)},
    "count:": {"label": np.floor(POSITIVE)},
    "reg:logistic": {"label": YES},
    "": {"label": POSITIVE},
}
PARAMS = {  # none of them a default
    "binary:logistic": {"scale_pos_weight": 2},
    "binary:focal": {"focal_gamma": 1.5, "focal_alpha": 0.4},
    "count:poisson": {"max_delta_step": 0.5},
    "multi:ova": {"num_class": 3},
    "multi:softmax": {"num_class": 3},
    "multi:softprob": {"num_class": 3},
    "rank:map": {"lambdarank_unbiased": True},
    "rank:ndcg": {"lambdarank_unbiased": True, "ndcg_exp_gain": False},
    "rank:pairwise": {"lambdarank_pair_method": "mean", "lambdarank_num_pair_per_sample": 2},
    "rank:yeti": {"yeti_decay": 0.9, "yeti_permutations": 3},
    "reg:absoluteerror": {"leaf_estimation_method": "newton"},
    "reg:expectileerror": {"expectile_alpha": [0.2, 0.7]},
    "reg:fair": {"fair_c": 2},
    "reg:huber": {"huber_quantile": 0.8},
    "reg:pseudohubererror": {"huber_slope": 1.5},
    "reg:quantileerror": {"quantile_alpha": [0.1, 0.5, 0.9], "sort_quantiles": False},
    "reg:tweedie": {"tweedie_variance_power": 1.3},
    "survival:aft": {"aft_loss_distribution": "logistic", "aft_loss_distribution_scale": 1.2},
}
VECTORS = {"multi_strategy": "multi_output_tree"}
DROPPING = {"booster": "dart", "rate_drop": 0.5, "one_drop": True}
KINDS = {  # parameters, labels by objective's name or as such, and what train() takes
    "adaboost": ({"booster": "adaboost", "objective": "binary:logistic"}, "binary:", {}),
    "approx": ({"tree_method": "approx", "max_cat_to_onehot": 1}, "", {}),
    "dart": (DROPPING, "", {"num_boost_round": 3}),
    "dart-classes": ({**DROPPING, "objective": "multi:softprob", "num_class": 3}, "multi:", {}),
    "deleted-nodes": ({"gamma": 0}, "", {"then": {"process_type": "update", "updater": "prune", "gamma": 9}}),
    "early-stopping": ({"eta": 1}, "", {"num_boost_round": 4, "early_stopping_rounds": 2}),
    "exact": ({"tree_method": "exact"}, "", {}),
    "forest": ({"num_parallel_tree": 3, "subsample": 0.5, "max_depth": 1}, "", {}),
    "linear": ({"booster": "gblinear"}, "", {}),
    "linear-classes": ({"booster": "gblinear", "objective": "multi:softprob", "num_class": 3}, "multi:", {}),
    "names": ({}, "", {"feature_names": ["höhe", "b", "c d", "e", "f"]}),
    "no-rounds": ({}, "", {"num_boost_round": 0, "feature_names": ["höhe", "b", "c d", "e", "f"]}),
    "onehot": ({"max_cat_to_onehot": 99}, "", {}),
    "targets": ({}, {"label": TWO}, {}),
    "vectors": (VECTORS, {"label": TWO}, {}),
    "vectors-classes": ({**VECTORS, "objective": "multi:softprob", "num_class": 3}, "multi:", {}),
    "with-margins": ({}, {"label": SCORE, "base_margin": TRAIN[:, 4]}, {}),
}


def labels_of(name):
    """Return what data of an objective have beside features."""
    return next(labels for beginning, labels in LABELS.items() if name.startswith(beginning))


def trained(params, labels, num_boost_round=1, feature_names=None, then=None, **options):
    """Return a model; of trees, with categories."""
    is_linear = params.get("booster") == "gblinear"
    types = ["q"] * 5 if is_linear or params.get("tree_method") == "exact" else CODES
    names = {"feature_names": feature_names, "feature_types": types}
    matrix = xgb.DMatrix(TRAIN, **labels, **names)
    if "early_stopping_rounds" in options:
        options |= {"evals": [(matrix, "train"), (xgb.DMatrix(TRAIN, label=SCORE[::-1], **names), "other")]}
    options["verbose_eval"] = False
    params = {**SMALL, **({} if is_linear else {"max_depth": 2}), **params}
    model = xgb.train(params, matrix, num_boost_round, **options)
    return xgb.train({**params, **then}, matrix, num_boost_round, xgb_model=model) if then else model


class Golden:
    """The folder of a version, and what its files must give."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {"rows": ROWS}
        folder.mkdir(parents=True)

    def path(self, name):
        """Return where a file goes."""
        return self.folder / name

    def pickle(self, name, value):
        """Write a pickle."""
        self.path(f"{name}.pkl").write_bytes(pickle.dumps(value))

    def booster(self, name, model, margins=None):
        """Write a booster in each format, and its predictions."""
        named = {"feature_names": model.feature_names, "feature_types": model.feature_types}
        rows = xgb.DMatrix(ROWS, base_margin=margins, **named)
        for ending in ("json", "ubj"):
            self.path(f"{name}.{ending}").write_bytes(model.save_raw(ending))
        self.predictions(name, model, rows)
        if margins is not None:
            self.known[f"{name}/base_margin"] = margins

    def predictions(self, name, model, rows):
        """Note what a booster predicts."""
        self.known[f"{name}/value"] = model.predict(rows)
        self.known[f"{name}/margin"] = model.predict(rows, output_margin=True)
        if not name.startswith("linear"):
            self.known[f"{name}/leaf"] = model.predict(rows, pred_leaf=True)

    def estimator(self, name, model, labels, **fit):
        """Write a fitted estimator as a pickle and as a file, and its predictions."""
        model.fit(TRAIN, labels, **fit)
        self.pickle(name, model)
        model.save_model(self.path(f"{name}.json"))
        self.known[f"{name}/value"] = model.predict(ROWS)
        if hasattr(model, "predict_proba"):
            self.known[f"{name}/probability"] = model.predict_proba(ROWS)

    def matrix(self, name, matrix):
        """Write a matrix, and what it has."""
        matrix.save_binary(self.path(f"{name}.buffer"))
        rows = matrix.get_data()
        self.known |= {f"{name}/{part}": getattr(rows, part) for part in ("data", "indices", "indptr")}
        for field in ("label", "weight", "base_margin", "label_lower_bound", "label_upper_bound", "feature_weights"):
            self.known[f"{name}/{field}"] = matrix.get_float_info(field)
        self.known[f"{name}/group_ptr"] = matrix.get_uint_info("group_ptr")
        self.known[f"{name}/names"] = np.array([matrix.feature_names, matrix.feature_types])

    def finish(self):
        """Write what the files must give."""
        np.savez_compressed(self.path("expected.npz"), **self.known)


def write_boosters(golden):
    """Models of every objective, and of every kind of booster and tree."""
    for objective, _, _ in _core.objectives():
        params = {"objective": objective, **PARAMS.get(objective, {})}
        golden.booster(objective.replace(":", "-"), trained(params, labels_of(objective)))
    for name, (params, labels, options) in KINDS.items():
        model = trained(params, labels_of(labels) if isinstance(labels, str) else labels, **options)
        if name == "names":
            model.set_attr(note="größer", best_iteration="0")
        golden.booster(name, model, ROWS[:, 4] if name == "with-margins" else None)
        if name in ("dart", "early-stopping", "linear", "names", "vectors"):
            golden.pickle(name, model)
            golden.path(f"{name}.config").write_text(model.save_config())


def write_labelled(golden):
    """A model that knows its categories by their names, and a matrix with such."""
    model = xgb.train({**SMALL, "max_depth": 2, "max_cat_to_onehot": 1}, xgb.DMatrix(labelled(TRAIN), label=SCORE), 2)
    for ending in ("json", "ubj"):
        golden.path(f"labelled.{ending}").write_bytes(model.save_raw(ending))
    golden.pickle("labelled", model)
    matrix = xgb.DMatrix(labelled(ROWS), label=ROWS[:, 4])
    golden.predictions("labelled", model, matrix)
    golden.matrix("labelled", matrix)


def write_estimators(golden):
    """Estimators with labels of several kinds, and with callbacks."""
    small = {"n_estimators": 2, "max_depth": 2, "n_jobs": 1, "feature_types": CODES}
    words = np.array(["no", "yes"])[YES.astype(int)]
    callbacks = [EarlyStopping(rounds=5), TimeLimit(1e6), LearningRateScheduler([0.5, 0.2])]
    golden.estimator("classifier-words", xgb.XGBClassifier(**small), words)
    golden.estimator("classifier-booleans", xgb.XGBClassifier(**small), YES > 0)
    golden.estimator("classifier-numbers", xgb.XGBClassifier(**small), GRADES.astype(int) * 2 - 1)
    watched = {"eval_set": [(TRAIN, SCORE)], "verbose": False}
    golden.estimator("regressor", xgb.XGBRegressor(**small, callbacks=callbacks), SCORE, **watched)
    golden.estimator("regressor-forest", xgb.XGBRFRegressor(**small), SCORE)
    golden.estimator("classifier-forest", xgb.XGBRFClassifier(**small), words)
    golden.estimator("ranker", xgb.XGBRanker(**small), GRADES, qid=QUERIES)


def write_predictor(golden):
    """What a predictor in a pickle must give."""
    predictor = trained({}, labels_of("")).predictor(predict_type="margin")
    with suppress(TypeError):  # 0.1.0 cannot
        golden.pickle("predictor", predictor)
    if golden.path("predictor.pkl").exists():
        golden.known["predictor/value"] = predictor.predict(ROWS)


def write_matrices(golden):
    """Matrices with every field, dense and sparse."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    fields = {"label": ROWS[:, 4], "weight": [1, 2, 3, 4], "base_margin": ROWS[:, 3], "qid": np.arange(16) // 4}
    names = {"feature_names": list("abcde"), "feature_types": CODES, "feature_weights": [1, 2, 3, 4, 5]}
    golden.matrix("dense", xgb.DMatrix(ROWS, **fields, **names))
    bounds = {"label_lower_bound": ROWS[:, 4], "label_upper_bound": ROWS[:, 4] + 1}
    names = {"feature_names": list("abcdefg"), "feature_types": ["q", "int", "i", "float", "q", "q", "q"]}
    wide = csr_matrix((np.arange(1, 17), (np.arange(16), np.arange(16) % 7)), shape=(16, 7), dtype=np.float32)
    golden.matrix("sparse", xgb.DMatrix(wide, **bounds, **names))


def train_with_checkpoint(folder, rounds, *callbacks):
    """Train what the checkpoint belongs to, or go on."""
    data = [xgb.DMatrix(part, label=part[:, 4]) for part in (ROWS[:10], ROWS[10:])]
    params = {**SMALL, "subsample": 0.5, "tree_method": "exact", "eval_metric": "rmse"}
    options = {"evals": [(data[1], "other")], "early_stopping_rounds": 3, "verbose_eval": False}
    return xgb.train(params, data[0], rounds, checkpoint=folder, callbacks=callbacks, **options)


def write_checkpoint(golden):
    """The checkpoint after two rounds, and what four rounds give."""
    train_with_checkpoint(golden.folder, 2)
    golden.known["training/value"] = train_with_checkpoint(None, 4).inplace_predict(ROWS)


def write_command_model(golden):
    """What the command line trains, which remembers how it read its table, and what it predicts."""
    from xgb_like._cli import main  # noqa: PLC0415

    days = [f"{1 + i % 28:02d}/{1 + i % 12:02d}/2020" for i in range(len(TRAIN))]
    frame = labelled(TRAIN).assign(day=days, label=np.where(YES, "yes", "no"))
    csv, out = golden.path("command.csv"), golden.path("command.txt")
    frame.to_csv(csv, index=False)
    model = golden.path("command.ubj")
    assert not main(["train", str(csv), "--quiet", "--rounds", "2", "-p", "max_depth=2", "-o", str(model)])
    assert not main(["predict", str(model), str(csv), "-o", str(out)])


if __name__ == "__main__":
    golden = Golden(Path(sys.argv[1]))
    print(json.dumps({"version": xgb.__version__, "folder": str(golden.folder)}))  # noqa: T201
    for write in (
        write_boosters,
        write_labelled,
        write_estimators,
        write_predictor,
        write_matrices,
        write_checkpoint,
        write_command_model,
    ):
        write(golden)
    golden.finish()
