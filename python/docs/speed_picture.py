# SPDX-License-Identifier: Apache-2.0
"""The picture of the README, from bench/RESULTS.md: ``python python/docs/speed_picture.py`` draws it anew."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "RESULTS.md"
PICTURE = ROOT / "python" / "docs" / "pages" / "images" / "speed.svg"

# What a bar says, and where its figure stands: the heading, the words above the table, the row's first two cells.
BARS = [
    ("Train, 1 M x 28", "## Histogram training", "Fit, seconds", ("dense_1m", "2")),
    ("Train, 10 M x 28", "## Histogram training", "Fit, seconds", ("dense_10m", "2")),
    ("Train, 1 M x 4,000 one-hot", "## Histogram training", "Fit, seconds", ("one_hot_1m", "2")),
    ("Train, 50 k x 2,000", "## Histogram training", "Fit, seconds", ("wide_50k", "2")),
    ("Predict 200,000 rows", "## Prediction", "Nanoseconds a row", ("trees_100", "2")),
    ("Predict 1 row", "## Prediction", "Microseconds a call, 1 row", ("trees_100", "2")),
    ("Explain 10,000 rows", "## Explanation", "Contributions", ("depth_6", "2")),
    ("Train, exact, 1 M x 28", "## Exact greedy training", "", ("dense_1m", "2")),
]
BLUE, GREY = "#3f7fbf", "#828282"  # both can be read on white and on black
WIDTH, LABEL, LINE = 720, 235, 30


def main() -> None:
    """Write the picture."""
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")


def picture() -> str:
    """Return the picture, as SVG."""
    found = [(label, *ratio(section, table, row)) for label, section, table, row in BARS]
    longest = max(value for _, value, _ in found)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {LINE * len(found) + 40}">',
        f'<g font-family="sans-serif" font-size="16" fill="{GREY}">',
        f'<text x="{LABEL}" y="18" font-weight="bold">How many times faster than the fastest other library</text>',
    ]
    for at, (label, value, peer) in enumerate(found):
        y, width = 32 + LINE * at, round(value / longest * (WIDTH - LABEL - 140))
        lines += [
            f'<text x="{LABEL - 10}" y="{y + 16}" text-anchor="end">{label}</text>',
            f'<rect x="{LABEL}" y="{y}" width="{width}" height="{LINE - 8}" fill="{BLUE}"/>',
            f'<text x="{LABEL + width + 8}" y="{y + 16}">{value:.1f}x ({peer})</text>',
        ]
    return "\n".join([*lines, "</g>", "</svg>", ""])


def ratio(section: str, table: str, row: tuple[str, str]) -> tuple[float, str]:
    """Return how many times less we need than the best of the others, and which one that is."""
    after = RESULTS.read_text(encoding="utf-8").split(f"\n{section}\n", 1)[1]
    lines = after.split(f"\n{table}", 1)[1].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    heads, values = cells[0], next(values for values in cells if tuple(values[:2]) == row)
    best = next((head for head, value in zip(heads, values, strict=True) if value.startswith("**")), "xgboost")
    times = next(value for value in values if value.endswith("x"))
    return float(times.removesuffix("x")), NAMES[best]


NAMES = {"xgboost": "XGBoost", "lightgbm": "LightGBM", "catboost": "CatBoost", "catboost_symmetric": "CatBoost"}

if __name__ == "__main__":
    main()
