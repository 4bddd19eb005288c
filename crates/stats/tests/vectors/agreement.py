"""Writes agreement.json: random tables and what established Python packages compute from them.

    pip install scipy scikit-learn statsmodels krippendorff ppi-python
    python agreement.py > agreement.json
"""
import json
import math
import warnings
from importlib.metadata import version

import krippendorff
import numpy as np
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import stats
from sklearn import metrics
from statsmodels.stats.inter_rater import fleiss_kappa

warnings.simplefilter("ignore")
rng = np.random.default_rng(20260401)


def number(value):
    value = float(value)
    return value if math.isfinite(value) else None


def confusions():
    for n in [1, 2, 5, 12, 30, 80, 80, 200, 200, 200]:
        human = (rng.random(n) < rng.uniform(0.1, 0.9)).astype(int)
        judge = np.where(rng.random(n) < 0.8, human, rng.integers(0, 2, n))
        undefined = np.nan
        yield {
            "human": human.tolist(),
            "judge": judge.tolist(),
            "agreement": number(metrics.accuracy_score(human, judge)),
            "precision": number(metrics.precision_score(human, judge, zero_division=undefined)),
            "recall": number(metrics.recall_score(human, judge, zero_division=undefined)),
            "true_negative_rate": number(metrics.recall_score(human, judge, pos_label=0, zero_division=undefined)),
            "f1": number(metrics.f1_score(human, judge, zero_division=undefined)),
            "kappa": number(metrics.cohen_kappa_score(human, judge)),
        }


def cohens():
    for n, k in [(10, 3), (40, 4), (100, 5)]:
        first = rng.integers(0, k, n)
        second = np.where(rng.random(n) < 0.5, first, rng.integers(0, k, n))
        yield {"first": first.tolist(), "second": second.tolist(),
               "kappa": number(metrics.cohen_kappa_score(first, second))}


def fleisses():
    for items, raters, k in [(5, 3, 2), (20, 4, 3), (50, 7, 5)]:
        habit = rng.dirichlet(np.ones(k), items)
        counts = np.array([rng.multinomial(raters, p) for p in habit])
        yield {"counts": counts.tolist(), "kappa": number(fleiss_kappa(counts, method="fleiss"))}


def alphas():
    for raters, units, k, gaps in [(2, 12, 2, 0.0), (3, 20, 3, 0.2), (5, 40, 4, 0.4), (4, 60, 2, 0.5)]:
        truth = rng.integers(0, k, units)
        data = np.where(rng.random((raters, units)) < 0.7, truth, rng.integers(0, k, (raters, units))).astype(float)
        data[rng.random((raters, units)) < gaps] = np.nan
        alpha = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
        units_given = [[int(v) for v in column if not np.isnan(v)] for column in data.T]
        yield {"units": units_given, "alpha": number(alpha)}


def ranks():
    for n, values in [(3, 3), (6, 100), (10, 4), (40, 5), (40, 1000), (5, 1)]:
        first = rng.integers(0, values, n)
        second = first + rng.integers(-values, values + 1, n)
        constant = len(set(first.tolist())) == 1 or len(set(second.tolist())) == 1
        yield {
            "first": first.tolist(),
            "second": second.tolist(),
            "pearson": None if constant else number(stats.pearsonr(first, second).statistic),
            "spearman": None if constant else number(stats.spearmanr(first, second).statistic),
            "kendall": None if constant else number(stats.kendalltau(first, second).statistic),
        }


def powered():
    for n, m, skill in [(60, 600, 0.95), (100, 400, 0.8), (200, 200, 0.6), (80, 1000, 0.5)]:
        truth = (rng.random(n + m) < 0.45).astype(float)
        judge = np.where(rng.random(n + m) < skill, truth, 1 - truth)
        low, high = ppi_mean_ci(truth[:n], judge[:n], judge[n:], alpha=0.05)
        value = ppi_mean_pointestimate(truth[:n], judge[:n], judge[n:])
        yield {"human": truth[:n].astype(int).tolist(), "judge": judge[:n].astype(int).tolist(),
               "unlabelled": judge[n:].astype(int).tolist(), "value": number(value[0]),
               "low": number(low[0]), "high": number(high[0])}


packages = ["scipy", "scikit-learn", "statsmodels", "krippendorff", "ppi-python", "numpy"]
print(json.dumps({
    "source": "agreement.py with " + ", ".join(f"{name} {version(name)}" for name in packages),
    "confusion": list(confusions()),
    "cohen": list(cohens()),
    "fleiss": list(fleisses()),
    "alpha": list(alphas()),
    "rank": list(ranks()),
    "powered": list(powered()),
}))
