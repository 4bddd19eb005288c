"""Milliseconds of faiss's exact inner-product search on one thread.

usage: recall.py VECTORS QUERIES

Both files hold raw single floats, 384 to a vector.
"""

import json
import sys
import time

import faiss
import numpy as np

DIMENSIONS = 384
HITS = 20


def clocked(work, repeats):
    cpu, wall = [], []
    for _ in range(repeats):
        before = (time.process_time(), time.perf_counter())
        found = work()
        cpu.append(1000 * (time.process_time() - before[0]))
        wall.append(1000 * (time.perf_counter() - before[1]))
    middle = repeats // 2
    return {"cpu_ms": sorted(cpu)[middle], "wall_ms": sorted(wall)[middle]}, found


def main(vectors, queries):
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(np.fromfile(vectors, dtype="<f4").reshape(-1, DIMENSIONS))
    queries = np.fromfile(queries, dtype="<f4").reshape(-1, DIMENSIONS)
    single, _ = clocked(lambda: index.search(queries[:1], HITS), 5)
    batch, (scores, ids) = clocked(lambda: index.search(queries, HITS), 3)
    print(json.dumps({"version": faiss.__version__, "single": single, "batch": batch, "ids": ids.tolist()}))


main(*sys.argv[1:])
