"""The released evaluator over recorded attempts, inside one process: CPU per task without its start-up."""

import json
import logging
import sys
import time
from pathlib import Path

logging.disable(logging.CRITICAL)

from webarena_verified import WebArenaVerified  # noqa: E402

folder = Path(sys.argv[1])
evaluator = WebArenaVerified(config=folder / "config.json")
attempts = sorted((folder / "attempts").glob("[0-9]*"))


def judge(attempt):
    evaluator.evaluate_task(
        task_id=int(attempt.name),
        agent_response=attempt / "agent_response.json",
        network_trace=attempt / "network.har",
    )


# What the first attempt sets up for all is start-up, on both sides.
judge(attempts[0])
started = time.process_time()
for attempt in attempts:
    judge(attempt)
took = time.process_time() - started
print(json.dumps({"ms_per_task": took * 1000 / len(attempts)}))
