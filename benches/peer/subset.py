"""The model of `umpire suite subset` in NumPyro: same data, priors, chains and draws. Prints one JSON line.

Usage: subset.py ATTEMPTS.csv CHAINS WARMUP DRAWS METHOD

What a run of one draw takes is compiling; it is told apart and taken off.
"""

import csv
import json
import os
import resource
import sys
import time

attempts, chains, warmup, draws, method = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
if method == "parallel":
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={chains}"

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.diagnostics import summary
from numpyro.infer import MCMC, NUTS

BUDGET, BINS = 30, 6

with open(attempts, newline="") as file:
    rows = list(csv.DictReader(file))


def indexed(values):
    names = sorted(set(values))
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places[value] for value in values])


agents, agent = indexed([row["agent"] for row in rows])
tasks, task = indexed([row["task"] for row in rows])
of_task = {row["task"]: row for row in rows}
sites, site = indexed([of_task[name]["site"] for name in tasks])
templates, template = indexed([of_task[name]["template"] for name in tasks])
categories, category = indexed([(of_task[name]["site"], of_task[name]["category"]) for name in tasks])
steps = np.array([float(row["steps"]) for row in rows])
bins = np.clip(np.ceil(steps * BINS / BUDGET).astype(int), 1, BINS) - 1
success = np.array([row["success"] == "1" for row in rows])
exhausted = np.array([float(row["exhausted"]) for row in rows])
offset = np.log1p(steps)


def model():
    intercept = numpyro.sample("intercept", dist.Normal(-3.0, 2.0))
    delta = numpyro.sample("exhausted", dist.Normal(0.0, 0.5))
    theta = numpyro.sample("agent", dist.ZeroSumNormal(0.8, event_shape=(len(agents),)))
    beta = numpyro.sample("task", dist.Normal(0.0, 1.0).expand([len(tasks)]).to_event(1))

    def family(name, count, scale):
        sigma = numpyro.sample(f"scale of {name}", dist.HalfNormal(scale))
        standard = numpyro.sample(f"{name} units", dist.Normal(0.0, 1.0).expand([count]).to_event(1))
        return sigma * standard

    of_site = family("site", len(sites), 0.5)
    of_template = family("template", len(templates), 0.5)
    of_category = family("category", len(categories), 0.5)
    of_bin = family("bin", BINS, 0.3)
    level = intercept - beta + of_site[site] + of_template[template] + of_category[category]
    hazard = jnp.exp(offset + level[task] + theta[agent] + of_bin[bins] + delta * exhausted)
    # A success has probability 1 - exp(-hazard); the inner `where` keeps the branch not taken from making NaN gradients.
    likely = jnp.where(success, jnp.log(-jnp.expm1(-jnp.where(success, hazard, 1.0))), -hazard)
    numpyro.factor("attempts", likely.sum())


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def clocks():
    return np.array([time.perf_counter(), cpu()])



def sample(warmup, draws):
    start = clocks()
    sampler = MCMC(
        NUTS(model), num_warmup=warmup, num_samples=draws, num_chains=chains, chain_method=method, progress_bar=False
    )
    sampler.run(jax.random.PRNGKey(1), extra_fields=("num_steps", "diverging"))
    samples = sampler.get_samples(group_by_chain=True)
    jax.block_until_ready(samples)
    return sampler, samples, clocks() - start


# The number of draws is compiled in, so the second run compiles again what the first did, or less.
_, _, compiling = sample(1, 1)
sampler, samples, whole = sample(warmup, draws)

table = summary({name: np.asarray(values) for name, values in samples.items()}, group_by_chain=True)
fields = sampler.get_extra_fields()
print(
    json.dumps(
        {
            "numpyro": numpyro.__version__,
            "jax": jax.__version__,
            "method": method,
            "compile_seconds": compiling[0],
            "compile_cpu": compiling[1],
            "seconds": whole[0] - compiling[0],
            "cpu": whole[1] - compiling[1],
            "r_hat": float(max(np.max(row["r_hat"]) for row in table.values())),
            "ess": float(min(np.min(row["n_eff"]) for row in table.values())),
            "divergences": int(np.sum(fields["diverging"])),
            "steps_per_draw": float(np.mean(fields["num_steps"])),
            "agents": {
                name: {"mean": float(mean), "spread": float(spread)}
                for name, mean, spread in zip(agents, table["agent"]["mean"], table["agent"]["std"])
            },
            "scales": {
                name: {"mean": float(table[f"scale of {name}"]["mean"]), "spread": float(table[f"scale of {name}"]["std"])}
                for name in ("site", "template", "category", "bin")
            },
        }
    )
)
