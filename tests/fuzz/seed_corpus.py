# SPDX-License-Identifier: Apache-2.0
"""Write small files for the fuzz targets to start from, a folder for each: ``python seed_corpus.py FOLDER``."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

FLOATS = {"base_weights", "leaf_weights", "loss_changes", "split_conditions", "sum_hessian", "weight_drop", "weights"}
BYTES = {"default_left", "split_type"}
LONGS = {"categories_segments", "categories_sizes"}


def tree(*, vector: bool = False, categories: bool = False) -> dict[str, Any]:
    """Return a tree with one split, in the shape that newer versions write."""
    nodes = 3
    made: dict[str, Any] = {
        "base_weights": [0.5] * (nodes * 2 if vector else nodes),
        "categories": [1, 3] if categories else [],
        "categories_nodes": [0] if categories else [],
        "categories_segments": [0] if categories else [],
        "categories_sizes": [2] if categories else [],
        "default_left": [1, 0, 0],
        "id": 0,
        "left_children": [1, -1, -1],
        "loss_changes": [1.5, 0.0, 0.0],
        "parents": [-1 if vector else 2147483647, 0, 0],
        "right_children": [2, 0, 1] if vector else [2, -1, -1],
        "split_conditions": [0.5, 0.25, -0.25],
        "split_indices": [1, 0, 0],
        "split_type": [int(categories), 0, 0],
        "sum_hessian": [5.0, 2.0, 3.0],
        "tree_param": {
            "num_deleted": "0",
            "num_feature": "2",
            "num_nodes": str(nodes),
            "size_leaf_vector": "2" if vector else "1",
        },
    }
    if vector:
        made["leaf_weights"] = [0.5, -0.5, 1.5, -1.5]
    return made


def model(made: dict[str, Any], *, outputs: int = 1, dart: bool = False, linear: bool = False) -> dict[str, Any]:
    """Return a model of one tree, or of weights."""
    forest = {
        "cats": {
            "enc": [{"offsets": [0, 1, 3], "values": [97, 98, 99]}, {"type": 15, "values": [4, -5]}],
            "feature_segments": [0, 2, 4],
            "sorted_idx": [0, 1, 1, 0],
        },
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "1"},
        "iteration_indptr": [0, 1],
        "tree_info": [0],
        "trees": [made],
    }
    booster: dict[str, Any] = {"model": forest, "name": "gbtree"}
    if dart:
        booster = {"gbtree": booster, "name": "dart", "weight_drop": [0.5]}
    if linear:
        booster = {"model": {"boosted_rounds": 3, "weights": [0.5, -1.0, 0.25]}, "name": "gblinear"}
    return {
        "learner": {
            "attributes": {"best_iteration": "0"},
            "feature_names": ["a", "b"],
            "feature_types": ["int", "c"],
            "gradient_booster": booster,
            "learner_model_param": {
                "base_score": "5E-1" if outputs == 1 else "[5E-1,1E0]",
                "boost_from_average": "1",
                "num_class": "0",
                "num_feature": "2",
                "num_target": str(outputs),
            },
            "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
        },
        "version": [3, 2, 0],
    }


def ubjson(value: Any, name: str = "") -> bytes:
    """Return a value as xgboost writes it: long lengths, arrays of numbers with one type."""
    if isinstance(value, dict):
        members = (struct.pack(">cq", b"L", len(k)) + k.encode() + ubjson(v, k) for k, v in value.items())
        return b"{" + b"".join(members) + b"}"
    if isinstance(value, str):
        return b"S" + struct.pack(">cq", b"L", len(value)) + value.encode()
    if isinstance(value, int):
        return struct.pack(">cb", b"i", value)
    length = struct.pack(">cq", b"L", len(value))
    if name in {"enc", "trees", "feature_names", "feature_types", "version", "tree_info", "iteration_indptr"}:
        return b"[#" + length + b"".join(ubjson(item) for item in value)
    marker = "d" if name in FLOATS else "U" if name in BYTES else "L" if name in LONGS else "l"
    code = {"d": "f", "U": "B", "L": "q", "l": "i"}[marker]
    return b"[$" + marker.encode() + b"#" + length + struct.pack(f">{len(value)}{code}", *value)


LIGHTGBM = """tree
version=v4
num_class=1
num_tree_per_iteration=1
max_feature_idx=1
objective=binary sigmoid:2
feature_names=a b
feature_infos=[-1:1] 1:3

Tree=0
num_leaves=3
num_cat=1
split_feature=0 1
split_gain=2 1
threshold=0.5 0
decision_type=10 1
left_child=1 -1
right_child=-2 -3
leaf_value=0.5 -0.5 1
leaf_count=1 2 3
internal_value=0 0
internal_count=6 4
cat_boundaries=0 1
cat_threshold=10
is_linear=0
shrinkage=1

end of trees

[scale_pos_weight: 2]
[categorical_feature: 1]
pandas_categorical:[["x", "y"]]
"""
LIBSVM = {
    "plain": "1 0:1 3:2.5e0\r\n\n# a comment\n-1\t2:+4 1:nan # 9:9\n0\n",
    "groups": "1:2.5 qid:7 1\n0 qid:7 3:3\n1 qid:8 2:4",
    "numbers": "1e-3 1:1e-60 2:1e-45 3:3.4e38 4:0x1p3 5:inf\n",
    "wide": "0 2147483646:1\n",
    "bounds": "1 -9223372036854775808:1\n",
}
CSV = {
    "names": 'label,"a, b", c\n1,2,\n0,nan,-4e-3\n',
    "plain": "\ufeff1,2,3\r\n\n4,missing,\n",
    "column": "x\n1\n2\n",
}


def array(code: str, *values: float) -> bytes:
    """Return numbers behind their count, as binary matrix files have them."""
    return struct.pack(f"<Q{len(values)}{code}", len(values), *values)


def texts(*values: str) -> bytes:
    """Return texts behind their count."""
    return struct.pack("<Q", len(values)) + b"".join(array("B", *value.encode()) for value in values)


def matrix(cells: bytes, present: int, *, shape: tuple[int, int] = (3, 2), full: bool = False) -> bytes:
    """Return a binary file of a matrix, without its checksum, which the target adds."""
    header = b"xgblData" + struct.pack("<IQQQ", 1, *shape, present)
    if not full:
        return header + cells + struct.pack("<12Q", *[0] * 12)
    labels = struct.pack("<Q", 2) + array("f", *[0.5] * 6)
    margin = struct.pack("<Q", 1) + array("f", -1, -1, -1)
    bounds = array("f", 0, 1, 2) + array("f", 1, 2, float("inf"))
    vectors = array("f", 1, 2) + bounds + array("f", 1, 0) + array("I", 0, 1, 3)
    names = texts("a", "b") + texts("float", "c")
    categories = (
        struct.pack("<Q", 2) + texts() + array("d") + array("B") + texts() + array("d", 1, 2.5) + array("B", 102)
    )
    return header + cells + labels + margin + vectors + names + categories


def models() -> dict[str, bytes]:
    """Return each model in both formats, and one of LightGBM's."""
    contents = {
        "plain": model(tree()),
        "categories": model(tree(categories=True)),
        "vector": model(tree(vector=True), outputs=2),
        "dart": model(tree(), dart=True),
        "linear": model(tree(), linear=True),
    }
    files = {f"{name}.json": json.dumps(made, separators=(",", ":")).encode() for name, made in contents.items()}
    files |= {f"{name}.ubj": ubjson(made) for name, made in contents.items()}
    return files | {"lightgbm.txt": LIGHTGBM.encode()}


def matrices() -> dict[str, bytes]:
    """Return matrices in both shapes."""
    table = struct.pack("<6f", 1, float("nan"), -0.0, 1e-45, 5, 3e38)
    rows = struct.pack("<IIIfI", 0, 1, 0, 3, 0)
    return {
        "table": matrix(table, 5),
        "full": matrix(table, 5, full=True),
        "rows": matrix(rows, 1),
        "high": matrix(b"", 0, shape=(2**32 - 2, 0)),
        "wide": matrix(b"", 0, shape=(0, 2**31 - 2)),
    }


def main(folder: Path) -> None:
    """Write them all."""
    corpora = {
        "binary_fuzz": matrices(),
        "csv_fuzz": {name: text.encode() for name, text in CSV.items()},
        "libsvm_fuzz": {name: text.encode() for name, text in LIBSVM.items()},
        "model_fuzz": models(),
        "table_fuzz": {name: text.encode() for name, text in CSV.items()},
    }
    for target, files in corpora.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / target / name).write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
