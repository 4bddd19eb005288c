"""CPU seconds of Bradley-Terry on the battles of a CSV file, by public packages.

usage: ratings.py FILE ROUNDS

`evalica` is given what its documentation asks for: two lists of names and one of winners. The other pipeline is the usual
one of arena leaderboards, written here with pandas and scipy: names become numbers, equal rows become one with a count,
L-BFGS-B minimises the weighted loss from zero; a bootstrap draws the counts and minimises again.
"""

import json
import sys
import time

import evalica
import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

REPEATS = 3
POINTS = 400 / np.log(10)


def clocked(work, repeats=REPEATS):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return sorted(times)[len(times) // 2], result


def numbered(battles):
    codes, names = pd.factorize(pd.concat([battles["model_a"], battles["model_b"]]))
    points = battles["winner"].map({"a": 2, "b": 0}).fillna(1).to_numpy(dtype=np.int64)
    return codes[: len(battles)], codes[len(battles) :], points, names


def by_sorting(battles):
    a, b, points, names = numbered(battles)
    rows, counts = np.unique(np.column_stack([a, b, points]), axis=0, return_counts=True)
    return rows[:, 0], rows[:, 1], rows[:, 2] / 2, counts.astype(float), names


def by_groupby(battles):
    a, b, points, names = numbered(battles)
    counts = pd.DataFrame({"a": a, "b": b, "y": points}).groupby(["a", "b", "y"]).size()
    a, b, points = (counts.index.get_level_values(level).to_numpy() for level in range(3))
    return a, b, points / 2, counts.to_numpy(dtype=float), names


def minimised(a, b, y, counts, models):
    weights = counts / counts.sum()

    def loss(strengths):
        odds = strengths[a] - strengths[b]
        surplus = weights * (expit(odds) - y)
        slope = np.bincount(a, surplus, models) - np.bincount(b, surplus, models)
        return np.dot(weights, np.logaddexp(0, odds) - y * odds), slope

    found = minimize(loss, np.zeros(models), jac=True, method="L-BFGS-B", options={"maxiter": 100, "gtol": 1e-6})
    return 1000 + POINTS * found.x


def leaderboard(battles, grouped):
    a, b, y, counts, names = grouped(battles)
    return dict(zip(names, minimised(a, b, y, counts, len(names))))


def resampled(battles, rounds):
    a, b, y, counts, names = by_sorting(battles)
    draws = np.random.default_rng(0).multinomial(int(counts.sum()), counts / counts.sum(), size=rounds)
    samples = np.array([minimised(a, b, y, draw.astype(float), len(names)) for draw in draws])
    return dict(zip(names, samples.std(axis=0, ddof=1)))


def main(path, rounds):
    battles = pd.read_csv(path)
    left, right = battles["model_a"].tolist(), battles["model_b"].tolist()
    kinds = {"a": evalica.Winner.X, "b": evalica.Winner.Y}
    winners = [kinds.get(winner, evalica.Winner.Draw) for winner in battles["winner"]]

    evalica_s, result = clocked(lambda: evalica.bradley_terry(left, right, winners))
    strengths = np.log(result.scores)
    evalica_ratings = 1000 + POINTS * (strengths - strengths.mean())
    sorted_s, ratings = clocked(lambda: leaderboard(battles, by_sorting))
    grouped_s, _ = clocked(lambda: leaderboard(battles, by_groupby))
    bootstrap_s, deviations = clocked(lambda: resampled(battles, rounds), 1)
    grouping_s, _ = clocked(lambda: by_sorting(battles), 1)
    print(
        json.dumps(
            {
                "evalica": {"s": evalica_s, "version": evalica.__version__, "ratings": evalica_ratings.to_dict()},
                "pandas": {"s": sorted_s, "groupby_s": grouped_s, "ratings": ratings},
                "bootstrap": {"s": bootstrap_s, "grouping_s": grouping_s, "rounds": rounds, "deviations": deviations},
            }
        )
    )


main(sys.argv[1], int(sys.argv[2]))
