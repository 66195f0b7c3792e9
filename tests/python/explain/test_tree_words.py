# SPDX-License-Identifier: Apache-2.0
"""Who follows the words of a drawn or dumped tree by hand comes to the leaf that the model predicts."""

import json
import re

import numpy as np
import pytest

import xgb_like as xgb
from xgb_like._plots._tree import nodes_of

FLAGS = {"flag": [True, False], "flag or missing": [True, False, None], "rare flag": [True, None]}


def frame_of(method):
    """Return columns of all kinds that a tree method takes, with missing values."""
    pandas = pytest.importorskip("pandas")
    columns = {name: pandas.array((levels * 60)[:60], dtype="boolean") for name, levels in FLAGS.items()}
    columns |= {
        "count": pandas.array([1, 2, 3, None, 5] * 12, dtype="Int64"),
        "size": np.tile([0.25, np.nan, 1.5, 7.0, -2.0, 3.0], 10),
        "size $ $": np.tile([1e-7, 2e-7, 3e-7], 20),
    }
    if method == "hist":
        columns["town"] = pandas.Categorical(["Oslo", "Rome", None, "Bern", "a, b"] * 12)
        columns["year"] = pandas.Categorical([1990, 2000, 2010, None] * 15)
    rng = np.random.default_rng(1)
    return pandas.DataFrame({name: values[rng.permutation(60)] for name, values in columns.items()})


def trained(method, frame):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    label = sum(rng.normal(size=60)[pandas.factorize(frame[name])[0]] for name in frame)
    params = {"tree_method": method, "max_depth": 4, "eta": 0.5, "min_child_weight": 0}
    if method == "hist":
        params["max_cat_to_onehot"] = 2  # sets, too
    return xgb.train(params, xgb.DMatrix(frame, label), 25)


def leaf_of(words, row):
    """Return the leaf that a row comes to by the words of nodes: text, and who goes to which child."""
    node = 0
    while not isinstance(words[node], float):
        text, children = words[node]
        node = next(child for child, edge in children.items() if answer(text, row) in edge.split(", "))
    return words[node]


def answer(text, row):
    """Return yes, no or missing: what a reader says of a row to the text in a box."""
    name = max((name for name in row if text.startswith(name)), key=len)
    value, rest = row[name], text[len(name) :].strip()
    if value is None:
        return "missing"
    if rest.startswith("in"):
        inside = rest[rest.index("{") + 1 : rest.rindex("}")]
        return "yes" if (value if isinstance(value, str) else f"{value:g}") in re.split(r", (?!b)", inside) else "no"
    if rest.startswith("<"):
        return (
            "yes" if np.float32(value) < np.float32(rest[1:].replace(",", "").replace("\N{MINUS SIGN}", "-")) else "no"
        )
    return "yes" if value == 1 else "no"


def words_of_dot(source):
    labels = dict(re.findall(r'^ +(\d+) \[ label="([^"]*)"', source, re.MULTILINE))
    words = {int(node): float(text[5:]) if text.startswith("leaf=") else (text, {}) for node, text in labels.items()}
    for begin, end, edge in re.findall(r'(\d+) -> (\d+) \[label="([^"]*)"', source):
        words[int(begin)][1][int(end)] = edge
    return words


def words_of_picture(model, tree):
    nodes = nodes_of(model[tree], 0, "", with_stats=False)
    return {
        number: float(node.values[0])
        if node.children is None
        else (" ".join(node.lines).replace(r"\$", "$"), dict(zip(node.children, node.edges, strict=True)))
        for number, node in nodes.items()
    }


def rows_of(frame):
    pandas = pytest.importorskip("pandas")
    return [{k: None if pandas.isna(v) else v for k, v in row.items()} for row in frame.to_dict("records")]


def leaves_by_tree(model, frame):
    """Return what each tree adds to the margin of each row."""
    leaves = model.predict(xgb.DMatrix(frame), pred_leaf=True).astype(int)
    table = model.trees_to_dataframe()
    value = table.set_index(["Tree", "Node"])["Gain"].to_dict()
    return [[value[tree, leaf] for leaf in leaves[:, tree]] for tree in range(leaves.shape[1])]


@pytest.mark.parametrize("method", ["hist", "exact"])
@pytest.mark.parametrize("kind", ["plot_tree", "to_graphviz"])
def test_the_words_of_pictures_lead_to_the_leaf(method, kind, monkeypatch):
    frame = frame_of(method)
    model = trained(method, frame)
    monkeypatch.setattr("xgb_like._plots._tree._MOST_CATEGORIES", 9)
    if kind == "to_graphviz":
        pytest.importorskip("graphviz")
    used = set()
    for tree, expected in enumerate(leaves_by_tree(model, frame)):
        if kind == "plot_tree":
            words = words_of_picture(model, tree)
        else:
            words = words_of_dot(xgb.to_graphviz(model, tree_idx=tree).source)
        used |= {node[0] for node in words.values() if not isinstance(node, float)}
        found = [leaf_of(words, row) for row in rows_of(frame)]
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert all(any(text.startswith(name) for text in used) for name in frame)


def words_of_text(dump):
    """Return the nodes of a text dump as those of pictures: a missing value of an indicator is a "no" unless told."""
    words = {}
    for node, body in re.findall(r"(\d+):(.*)", dump):
        if body.startswith("leaf="):
            words[int(node)] = float(body[5:])
            continue
        text, yes, no, missing = re.fullmatch(r"\[(.*)\] yes=(\d+),no=(\d+)(?:,missing=(\d+))?", body).groups()
        edges = {int(yes): ["yes"], int(no): ["no"]}
        edges[int(missing or no)].append("missing")
        words[int(node)] = (text.replace(":{", " in {").replace(",", ", "), {c: ", ".join(e) for c, e in edges.items()})
    return words


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_dumps_and_tables_lead_to_the_leaf(method):
    frame = frame_of(method).drop(columns="flag or missing")  # XGBoost's form cannot tell its "no" from missing
    model = trained(method, frame)
    coded = frame.assign(
        **{name: frame[name].cat.codes.where(frame[name].notna()) for name in ("town", "year") if name in frame}
    )
    table = model.trees_to_dataframe().set_index(["Tree", "Node"])
    for tree, expected in enumerate(leaves_by_tree(model, frame)):
        words = words_of_text(model.get_dump()[tree])
        found = [leaf_of(words, row) for row in rows_of(coded)]
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        for node, (_, edges) in ((n, w) for n, w in words.items() if not isinstance(w, float)):
            for column, word in (("Yes", "yes"), ("No", "no"), ("Missing", "missing")):
                child = int(table.loc[tree, node][column].partition("-")[2])
                assert word in edges[child].split(", ")
        json_nodes = list(nodes_of_json(json.loads(model.get_dump(dump_format="json")[tree])))
        for node in (node for node in json_nodes if "split" in node):
            told = {"yes": node["yes"], "no": node["no"], "missing": node.get("missing", node["no"])}
            assert all(word in words[node["nodeid"]][1][child].split(", ") for word, child in told.items())


def nodes_of_json(node):
    yield node
    for child in node.get("children", ()):
        yield from nodes_of_json(child)


@pytest.mark.peer
def test_dumps_of_indicators_are_those_of_xgboost_where_these_are_right():
    xgboost = pytest.importorskip("xgboost")
    right = wrong = 0
    for present in ([0, 1, np.nan], [1, np.nan, np.nan], [0, 1, 1]):
        for label in ([0, 9, 0], [0, 9, 9], [9, 0, 0], [9, 0, 9]):
            table = np.array(present * 9, dtype=float)[:, None]
            texts, ones = [], []
            for library in (xgboost, xgb):
                data = library.DMatrix(table, label=label * 9, feature_names=["flag"], feature_types=["i"])
                model = library.train({"max_depth": 1, "min_child_weight": 0, "base_score": 0}, data, 1)
                texts.append(model.get_dump()[0])
                ones.append(float(model.inplace_predict(np.array([[1.0]]), validate_features=False)[0]))
            if "leaf" in texts[1].split("\n")[0]:
                continue
            told = [leaf_of(words_of_text(text), {"flag": 1}) for text in texts]
            assert told[1] == pytest.approx(ones[1])
            is_right = told[0] == pytest.approx(ones[0])
            right, wrong = right + is_right, wrong + (not is_right)
            if is_right:
                assert texts[0] == texts[1]
    assert right
    assert wrong
