"""The worker of sample/05-python-worker with steps that write the suite's ledger."""

import json
import os
import random
import sys
import time
import uuid

sys.path.insert(0, os.environ["CHAOS_PYTHON_WORKER"])
import worker  # noqa: E402

LEDGER = os.open(os.environ["CHAOS_LEDGER"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def note(**said):
    entry = {"at": time.monotonic() * 1000, "pid": os.getpid(), "by": os.environ["CHAOS_NAME"], **said}
    os.write(LEDGER, (json.dumps(entry) + "\n").encode())


def work(asked, step):
    run, label, attempt = step["run_id"], asked["label"], step["attempt"]
    execution = str(uuid.uuid4())
    note(what="begin", run=run, label=label, exec=execution, attempt=attempt, saw=asked["saw"])
    time.sleep(random.random() * 0.02)
    if attempt <= asked.get("fails", 0):
        raise RuntimeError(f"{label} fails in attempt {attempt}")
    note(what="end", run=run, exec=execution)
    return execution


worker.HANDLERS = {"chaos.python": work}
worker.GROUPS = sorted(worker.group_of(name) for name in worker.HANDLERS)
worker.main()
