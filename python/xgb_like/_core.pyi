"""The C++ engine. Private: its users are the modules of this package."""

from typing import Any, final

import numpy as np
import numpy.typing as npt

from ._base._typing import Array, CategoryValues, Counts, Floats, Floats64, Integers

__version__: str

class XgbLikeError(ValueError): ...
class ParameterError(XgbLikeError, TypeError): ...
class DataError(XgbLikeError): ...
class ModelFormatError(XgbLikeError): ...
class ModelFileNotFoundError(ModelFormatError, FileNotFoundError): ...
class InternalError(XgbLikeError, RuntimeError): ...

def param_specs() -> list[dict[str, Any]]:
    """Every parameter: group, name, type, default, low, high, low_open, own (not XGBoost's), choices, aliases, doc."""

def inert_params() -> dict[str, str]:
    """Names of XGBoost's that have no effect here, and why."""

def objectives() -> dict[str, dict[str, Any]]:
    """Name, aliases, doc; own: XGBoost lacks it; twin: one of XGBoost's that predicts the same of margins."""

def metrics() -> dict[str, dict[str, Any]]:
    """Name, aliases, doc, maximize; group: the objective's parameters that XGBoost's configurations repeat with it."""

def boosters() -> dict[str, dict[str, Any]]:
    """Name, aliases, doc."""

def tree_methods() -> dict[str, dict[str, Any]]:
    """Name, doc; updater: what XGBoost calls the steps that do the same."""

def metric_is_maximized(name: str) -> bool: ...
def build_info() -> dict[str, Any]: ...
def write_file(path: str, content: bytes) -> None: ...
def remove_abandoned_writes(path: str) -> None: ...
def thread_count(requested: int) -> int: ...

@final
class DMatrix:
    """Features and Meta. Methods release the GIL where they take time."""

    @staticmethod
    def from_dense(data: Array, missing: float, nthread: int, use: str) -> DMatrix:
        """2-D, real or bool dtype, any strides. `use` matrix: lasting, copied or guarded. batch: its owner keeps it
        as it is meanwhile. call: that, and infinite cells are taken.
        """

    @staticmethod
    def from_csr(
        indptr: Array, indices: Array, values: Array, num_columns: int, missing: float, nthread: int, use: str
    ) -> DMatrix: ...
    @staticmethod
    def from_csc(
        indptr: Array, indices: Array, values: Array, num_rows: int, missing: float, nthread: int, use: str
    ) -> DMatrix: ...
    @staticmethod
    def from_text(
        path: str, text_format: str, label_column: int, indexing_mode: int, missing: float, nthread: int
    ) -> DMatrix:
        """`text_format` is libsvm or csv; `label_column` -1 is none."""

    @staticmethod
    def from_binary(path: str) -> DMatrix: ...
    @staticmethod
    def is_binary(path: str) -> bool: ...
    def save_binary(self, path: str) -> None: ...
    def num_row(self) -> int: ...
    def num_col(self) -> int: ...
    def num_nonmissing(self) -> int: ...
    def to_csr(self) -> tuple[npt.NDArray[np.uint64], Counts, Floats]: ...
    def to_dense(self) -> Floats | None:
        """A copy with NaN for missing cells, if the matrix is a table."""

    def slice(self, rows: Integers, allow_groups: bool) -> DMatrix: ...
    def refer(self, rows: Integers, allow_groups: bool) -> DMatrix:
        """The same, but features are copied when they are asked for."""

    def quantise(self, max_bin: int, ref: DMatrix | None, nthread: int) -> DMatrix:
        """The same with bins for values, cut as `ref` is if that is given."""

    def unseen_codes(self, data: DMatrix, max_bin: int, nthread: int) -> list[tuple[int, list[float], bool]]:
        """As that of a booster, of data that are to have the bins of this matrix."""

    def labelled(self) -> list[bool]:
        """Of each column whether it has labels of categories; empty: none has."""

    def quantised_with(self) -> int:
        """The `max_bin` of a quantised matrix, 0 if it has values."""

    def quantile_cut(self) -> tuple[npt.NDArray[np.uint64], Floats]:
        """Of the bins that were made last; DataError if there are none."""

    # label (2-D rows x targets), weight, base_margin (2-D), label_lower_bound, label_upper_bound, feature_weights:
    # float32. group_ptr: uint32. An empty array resets.
    def get_float_info(self, field: str) -> Floats: ...
    def set_float_info(self, field: str, values: Floats) -> None: ...
    def get_group_ptr(self) -> Counts: ...
    def set_group_ptr(self, begin: Counts) -> None: ...

    feature_names: list[str]  # empty: none
    feature_types: list[str]  # empty: none
    # Per column None, or the categories: a list of str, or (numbers, dtype name)
    categories: list[CategoryValues]

@final
class TextTable:
    """A CSV file, which messages call by `name`."""

    def __init__(self, path: str, name: str) -> None: ...
    def sample(self, delimiter: str, records: int) -> list[list[str]]:
        """Return the first records as they stand there."""

    def read(
        self, delimiter: str, decimal: str, header: bool, missing: list[str], texts: list[int], nthread: int
    ) -> tuple[list[tuple[Floats64, bool] | tuple[Counts, list[str]]], Counts]:
        """Return the columns, and the line that each row begins on.

        A column is (numbers, whether some have decimals), or (codes, labels in the order in which they come first).
        `texts` are the columns that are texts in any case; `missing` is what a missing number may be.
        """

@final
class QuantileBuilder:
    """Makes a quantised matrix: push all rows, end_pass, again while it says so, then finish."""

    def __init__(self, first: DMatrix, max_bin: int, ref: DMatrix | None, nthread: int) -> None:
        """`first` tells the number of columns and which of them are categorical; its rows are still to be pushed."""

    def push(self, batch: DMatrix) -> None:
        """Its features, and weights if it has some."""

    def end_pass(self) -> bool:
        """True: all rows are needed once more, in the same order."""

    def finish(self) -> DMatrix:
        """The matrix, of which nothing but the features is known."""

@final
class Booster:
    """Parameters, model and the state of training. Safe from any thread: what trains or sets takes turns."""

    def __init__(self) -> None: ...
    def set_params(self, params: list[tuple[str, str]]) -> None:
        """Strict: an unknown name or value out of range raises ParameterError; nothing is set then."""

    def params(self) -> dict[str, dict[str, str]]:
        """Group -> name -> value in force: general, learner, tree, boosting, booster, objective."""

    def given_params(self) -> list[tuple[str, str]]:
        """What set_params was given so far, later values replacing earlier ones."""

    def set_default_verbosity(self, verbosity: int) -> None:
        """Say which messages are wanted where the parameter is not given."""

    def take_messages(self) -> list[tuple[int, str]]:
        """(1 warning | 2 info | 3 debug, text) since the last call."""

    # Training. Ctrl-C raises KeyboardInterrupt and leaves the booster as it was before the call.
    def update(self, dtrain: DMatrix) -> None: ...
    def boost(self, dtrain: DMatrix, derivatives: tuple[Floats, Floats], split: tuple[Floats, Floats] | None) -> None:
        """One round on a given gradient and hessian, 2-D rows x outputs, read in place if in C order. `split` has those
        that the splits of vector leaves are chosen by, if they are others.
        """

    def train_margins(self, dtrain: DMatrix) -> Floats:
        """Margins that the next round starts from, 2-D rows x outputs: what a custom objective gets."""

    def evaluate(self, data: DMatrix) -> list[tuple[str, float]]:
        """The metrics in force, in their order."""

    def known_predictions(self, data: DMatrix, kind: str) -> Floats:
        """As predict, of all rounds, but from margins that are kept from round to round."""

    def metric_names(self) -> list[str]: ...
    def reset(self) -> None:
        """Drops caches of training data."""

    # Prediction. Rounds [begin, end), end 0: all.
    def predict(self, data: DMatrix, kind: str, begin: int, end: int, training: bool) -> Array:
        """`kind` value (transformed) or margin: rows x outputs; class: rows x 1; leaf: rows x trees, int32. With
        `training` as the next round starts from, of all rounds.
        """

    def explain(self, data: DMatrix, kind: str, begin: int, end: int, background: DMatrix | None) -> Floats:
        """`kind` contributions, path_contributions: rows x outputs x (features + 1); interactions, path_interactions: a
        further axis of that length. `background` is for contributions only.
        """

    def marginals(self, data: DMatrix, known: list[int]) -> Floats:
        """Margins, rows x outputs, if only these features (rising) are known."""

    def dependence_steps(self) -> list[tuple[int, bool, Floats, Floats64, Floats64]]:
        """Of each used feature: number, whether it is categorical, edges, values (steps x outputs) and, by output, the
        value if it is missing; relative to the mean.
        """

    # The model
    def num_boosted_rounds(self) -> int: ...
    def num_features(self) -> int: ...
    def num_outputs(self) -> int: ...
    def num_trees(self) -> int: ...
    def trees_per_round(self) -> list[int]: ...
    def num_parallel_tree(self) -> int: ...
    def objective(self) -> str: ...
    def link(self) -> str:
        """How predictions follow from margins, in the words of exports; "" if they are not to be exported."""

    def predicts_class(self) -> bool: ...
    def base_score(self) -> list[float]: ...
    def start_margins(self) -> list[float]:
        """By output, the margin before the first tree."""

    def slice(self, begin: int, end: int, step: int) -> Booster: ...
    def merge(self, other: Booster, add_intercept: bool) -> Booster: ...
    def refit(self, data: DMatrix, decay: float) -> Booster: ...
    def roll_back(self) -> None: ...
    def set_leaf(self, tree: int, leaf: int, values: list[float]) -> None: ...
    def copy(self) -> Booster: ...
    def attributes(self) -> dict[str, str]: ...
    def set_attributes(self, values: dict[str, str]) -> None: ...
    feature_names: list[str]
    feature_types: list[str]
    @property
    def categories(self) -> list[CategoryValues]: ...
    def labelled(self) -> list[bool]:
        """Of each column whether it has labels of categories; empty: none has."""

    def has_labels_of(self, data: DMatrix) -> bool:
        """Whether the labels of categories are those of a matrix, or one of the two has none."""

    def save_raw(self, raw_format: str) -> bytes: ...
    def load_raw(self, data: bytes) -> None: ...
    def save_model(self, path: str, raw_format: str) -> None: ...
    def load_model(self, path: str) -> None: ...
    def dump(
        self,
        dump_format: str,
        with_stats: bool,
        feature_names: list[str],
        feature_types: list[str],
        dot: dict[str, str],
    ) -> list[str]: ...
    def nodes(self) -> dict[str, Array]:
        """All reachable nodes of all trees: tree, node, left, right, feature, threshold, default_left, categorical,
        gain, cover, value (nodes x outputs), as arrays of one length. If the leaves of some trees are vectors, the
        others' nodes have their value first, and 0 after it.
        """

    def tree_outputs(self) -> list[int]:
        """The output that each tree adds to; of a tree with vectors in its leaves 0."""

    def unseen_codes(self, data: DMatrix) -> list[tuple[int, list[float], bool]]:
        """Per feature with codes that the model does not know: the feature, these codes, each once, and whether it is
        certain that training did not have them.
        """

    def split_by_sets(self) -> list[bool]:
        """By feature, up to the last one of which it is true."""

    def began_from_margins(self) -> bool:
        """Whether it was trained with base margins."""

    def vector_trees(self) -> list[bool]:
        """Whether the leaves of each tree hold a value for each output."""

    def tree_weights(self) -> list[float]:
        """A factor for each tree; empty: all 1."""

    def linear_weights(self) -> Floats | None:
        """Of a linear model: (features + 1) x outputs, the last row the biases."""

    def is_linear(self) -> bool: ...
    def category_set(self, tree: int, node: int) -> list[int]: ...

@final
class FrozenPredictor:
    """A model as it was, with what all calls have in common. Safe from any thread."""

    def predict(self, data: Array, out: Floats | None) -> tuple[Floats, bool] | None:
        """Rows, or rows x outputs, in `out` if that is given, and whether the user is to be told that they have no base
        margins. None if the array is not a table of float32, float64, int32 or int64 with as many columns as the model
        has features, or if rows have codes of categories that are not known.
        """

def freeze(
    booster: Booster, margin: bool, begin: int, end: int, missing: float, strict_shape: bool
) -> FrozenPredictor | None:
    """None if the booster has no trees to lay out."""

def predict_array(
    booster: Booster, data: Array, margin: bool, begin: int, end: int, missing: float, strict_shape: bool
) -> tuple[Floats, bool] | None:
    """As FrozenPredictor.predict."""

def predict_csr(
    booster: Booster,
    arrays: tuple[Array, Array, Array],
    num_columns: int,
    margin: bool,
    begin: int,
    end: int,
    missing: float,
    strict_shape: bool,
) -> tuple[Floats, bool] | None:
    """The same of indptr, indices and values; None if they are of types or layouts that are not read as they are."""
