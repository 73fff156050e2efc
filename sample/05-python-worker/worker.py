#!/usr/bin/env python3
"""A worker for remote steps, in Python: the standard library and one database driver.

    DATABASE_URL=postgres://app:app@localhost/app python3 worker.py
    DATABASE_URL=mysql://app:app@localhost/app python3 worker.py

It knows nothing but the two tables: it leases rows of <prefix>_transport_tasks, runs the handler of each, and
writes a row of <prefix>_transport_results. Workflows in Node ask for these steps by name:

    const pages = await ctx.remote('pipeline.extract', { text });
"""

import json
import os
import signal
import socket
import threading
import time
import traceback
from urllib.parse import unquote, urlparse

PREFIX = os.environ.get("DURABLE_PREFIX", "durable")
LEASE_MS = int(os.environ.get("DURABLE_LEASE_MS", "30000"))
POLL_SECONDS = int(os.environ.get("DURABLE_POLL_MS", "500")) / 1000
BATCH_SIZE = int(os.environ.get("DURABLE_BATCH_SIZE", "10"))
WORKER = f"python-{socket.gethostname()}-{os.getpid()}"[:150]

TASKS = f"{PREFIX}_transport_tasks"
RESULTS = f"{PREFIX}_transport_results"


class NonRetryable(Exception):
    """Ends the retries of the step at once."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


class RetryAfter(Exception):
    """Asks for the next attempt after so many seconds. This one does not count."""

    def __init__(self, message, seconds):
        super().__init__(message)
        self.seconds = seconds


# --- The steps: name to function. A step may run again after a crash, so what it does must bear that; `step["step_id"]`
# --- is the same on every attempt and serves as the idempotency key.


def extract(payload, step):
    words = payload["text"].split()
    return {"words": len(words), "longest": max(words, key=len, default=""), "step": step["step_id"]}


def shout(payload, step):
    if not isinstance(payload, str):
        raise NonRetryable("the input is no text", code="NOT_A_TEXT")
    return payload.upper()


def collect(payload, step):
    left = payload["readyAt"] / 1000 - time.time()
    if left > 0:
        raise RetryAfter("it is not ready yet", seconds=left)
    return {"attempt": step["attempt"]}


HANDLERS = {"pipeline.extract": extract, "pipeline.shout": shout, "pipeline.collect": collect}


def group_of(name, partition=None):
    group = name.replace(":", "-")
    return f"{group}@{partition}" if partition and partition != "default" else group


GROUPS = sorted({group_of(name, os.environ.get("DURABLE_PARTITION")) for name in HANDLERS})


# --- The database.


class Database:
    """PostgreSQL through psycopg2, MySQL and MariaDB through pymysql. Both write placeholders as %s."""

    def __init__(self, url):
        self.url = urlparse(url)
        self.postgres = self.url.scheme.startswith("postgres")
        self.connection = None

    def connect(self):
        url = self.url
        known = {"host": url.hostname, "user": unquote(url.username or ""), "password": unquote(url.password or "")}
        name = url.path.lstrip("/")
        if self.postgres:
            import psycopg2

            self.connection = psycopg2.connect(port=url.port or 5432, dbname=name, **known)
        else:
            import pymysql

            self.connection = pymysql.connect(port=url.port or 3306, database=name, charset="utf8mb4", **known)
            # At the default level an empty claim would lock the gap that new tasks go into.
            self.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
            self.connection.commit()

    def run(self, text, values=()):
        with self.connection.cursor() as cursor:
            cursor.execute(text, values)
            return cursor.rowcount if cursor.description is None else cursor.fetchall()

    def transaction(self, work):
        """Commits what `work` did, all or nothing. A connection that failed is replaced by the next transaction."""
        try:
            if self.connection is None:
                self.connect()
            answer = work()
            self.connection.commit()
            return answer
        except Exception:
            self.close()
            raise

    def now_ms(self):
        """The database's clock: workers on other machines may have other ones."""
        if self.postgres:
            text = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
        else:
            text = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000"
        return int(self.run(text)[0][0])

    def close(self):
        connection, self.connection = self.connection, None
        try:
            if connection is not None:
                connection.close()
        except Exception:
            pass


def places(values):
    return ", ".join(["%s"] * len(values))


# --- The protocol: claim, run, record.

COLUMNS = ["step_id", "run_id", "seq", "name", "grp", "input", "attempt"]


def claim(db):
    """Leases up to BATCH_SIZE tasks. SKIP LOCKED steps over rows that other workers are claiming."""
    now = db.now_ms()
    tasks = []
    for group in GROUPS:
        tasks += db.run(
            f"SELECT {', '.join(COLUMNS)} FROM {TASKS} WHERE grp = %s AND (claimed_at IS NULL OR claimed_at < %s) "
            "ORDER BY created_at LIMIT %s FOR UPDATE SKIP LOCKED",
            (group, now - LEASE_MS, BATCH_SIZE - len(tasks)),
        )
        if len(tasks) == BATCH_SIZE:
            break
    if tasks:
        ids = sorted(task[0] for task in tasks)
        db.run(
            f"UPDATE {TASKS} SET claimed_by = %s, claimed_at = %s WHERE step_id IN ({places(ids)})",
            (WORKER, now, *ids),
        )
    return [dict(zip(COLUMNS, task), claimed_at=now) for task in tasks]


def perform(task):
    """Runs the handler. Answers status, output and error as the results table holds them."""
    handler = HANDLERS.get(task["name"])
    try:
        if handler is None:
            raise LookupError(f"no handler for {task['name']!r}")
        output = handler(json.loads(task["input"] or "null"), task)
        # NaN and Infinity are no JSON: better a clear failure here than an unreadable result.
        return "completed", json.dumps(output, allow_nan=False), None
    except Exception as error:
        traceback.print_exc()
        failure = {"message": str(error) or type(error).__name__, "name": type(error).__name__}
        if getattr(error, "code", None):
            failure["code"] = str(error.code)
        if isinstance(error, NonRetryable):
            failure["retryable"] = False
        if isinstance(error, RetryAfter):
            failure["retryAfterMs"] = round(error.seconds * 1000)
        return "failed", None, json.dumps(failure)


def record(db, task, started_at, status, output, error):
    """Ends the task and writes its result in one transaction; neither, when another worker has the task by now."""
    held = (task["step_id"], WORKER, task["claimed_at"])
    if db.run(f"DELETE FROM {TASKS} WHERE step_id = %s AND claimed_by = %s AND claimed_at = %s", held) != 1:
        print(f"{task['step_id']}: the lease was lost, its result is not written", flush=True)
        return
    columns = "step_id, run_id, seq, status, output, error, started_at, created_at"
    insert = f"INTO {RESULTS} ({columns}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
    row = (task["step_id"], task["run_id"], task["seq"], status, output, error, started_at, db.now_ms())
    if db.postgres:
        db.run(f"INSERT {insert} ON CONFLICT (step_id) DO NOTHING", row)
        # Optional: wakes the engine at once, which would else find the result by polling.
        db.run("SELECT pg_notify(current_schema() || %s, '-')", (f".{PREFIX}_results",))
    else:
        db.run(f"INSERT IGNORE {insert}", row)


def release(db, tasks):
    """Gives back tasks that were claimed and not begun, so that nobody has to wait for the lease."""
    for task in tasks:
        held = (task["step_id"], WORKER, task["claimed_at"])
        db.run(
            f"UPDATE {TASKS} SET claimed_by = NULL, claimed_at = NULL "
            "WHERE step_id = %s AND claimed_by = %s AND claimed_at = %s",
            held,
        )


def persist(db, stopping, work):
    """Tries again while the database is away, but not for longer than the lease: then the task is somebody else's."""
    deadline = time.monotonic() + LEASE_MS / 1000
    while True:
        try:
            return db.transaction(work)
        except Exception:
            traceback.print_exc()
            if time.monotonic() > deadline or stopping.wait(0.5):
                return None


def serve(db, stopping):
    while not stopping.is_set():
        try:
            tasks, idle = db.transaction(lambda: claim(db)), True
        except Exception:
            traceback.print_exc()
            stopping.wait(1)
            continue
        while tasks and not stopping.is_set():
            task, idle = tasks.pop(0), False
            started_at = persist(db, stopping, db.now_ms)
            outcome = perform(task)
            persist(db, stopping, lambda: record(db, task, started_at, *outcome))
        if tasks:
            persist(db, stopping, lambda: release(db, tasks))
        if idle:
            stopping.wait(POLL_SECONDS)


def main():
    stopping = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopping.set())
    db = Database(os.environ["DATABASE_URL"])
    print(f"{WORKER} serves {', '.join(GROUPS)}", flush=True)
    serve(db, stopping)
    db.close()
    print(f"{WORKER} has stopped", flush=True)


if __name__ == "__main__":
    main()
