import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { LEASE } from './app/lease.js';
import { runChecks } from './checks.js';
import { Child } from './child.js';
import { readFigures, tableOf } from './figures.js';
import type { LiveLine } from './live-line.js';
import { placeOrders, type Placing } from './place-orders.js';

export interface DemoOptions {
  orders: number;
  sabotage: boolean;
  /** Where the API listens, also after it was killed. */
  port: number;
  line: LiveLine;
}

const ORDERS_PER_SECOND = 30;
const PATIENCE_MS = 150_000;

interface Address {
  host: string;
  port: number;
  user: string;
  password: string;
  version: string;
}

/** Places orders, kills processes under them, and looks at what the database says afterwards. */
export class Demo {
  private readonly failure = new AbortController();
  private completed = 0;

  constructor(private readonly options: DemoOptions) {
    // One per request that is under way.
    setMaxListeners(0, this.failure.signal);
  }

  /** Resolves to whether every check passed. @throws when it cannot be carried through */
  run(): Promise<boolean> {
    const { signal } = this.failure;
    const failed = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );
    return Promise.race([this.play(), failed]);
  }

  private async play(): Promise<boolean> {
    const { orders, port, line } = this.options;
    line.note(`nest-durable: ${orders} orders, one API process with the engine, two worker processes`);
    const { version, ...address } = (await this.child('PostgreSQL', './postgres.js').start()) as Address;
    const server = { ...address, database: 'postgres' };
    const db = new pg.Client(server);
    db.on('error', (error) => this.failure.abort(error));
    await db.connect();

    const { host, user, password } = server;
    const env = { DATABASE_URL: `postgres://${user}:${password}@${host}:${server.port}/postgres`, PORT: String(port) };
    const api = this.child('The API process', './api.js', env);
    const workers = [1, 2].map((n) => this.child(`Worker process ${n}`, './worker.js', env));
    await api.start();
    await Promise.all(workers.map((worker) => worker.start()));
    line.note(`${version} with fsync on; leases of ${LEASE} in place of 10 s and 30 s, to keep this short`);

    const placing = placeOrders(orders, ORDERS_PER_SECOND, `http://127.0.0.1:${port}/orders`, this.failure.signal);
    const all = Promise.all([
      placing.done,
      this.watch(db, placing),
      this.killWorker(db, workers[0]!),
      this.killEngine(api),
    ]).then(() => true);
    // What is missing by then is told by the checks.
    const inTime = await Promise.race([all, pause(PATIENCE_MS, false, { ref: false })]);
    const passed = await this.report(db, placing, inTime);
    await db.end();
    return passed;
  }

  private child(name: string, file: string, env: NodeJS.ProcessEnv = {}): Child {
    return new Child(name, file, env, (error) => this.failure.abort(error));
  }

  /** Until every order's run has ended. */
  private async watch(db: pg.Client, placing: Placing): Promise<void> {
    const { orders, line } = this.options;
    for (;;) {
      this.failure.signal.throwIfAborted();
      const { rows } = await db.query<{ completed: number; ended: number; steps: number }>(
        `SELECT count(*) FILTER (WHERE status = 'completed')::int AS completed, count(finished_at)::int AS ended,
                (SELECT count(*)::int FROM durable_steps WHERE status = 'completed') AS steps FROM durable_runs`,
      );
      const { completed, ended, steps } = rows[0]!;
      this.completed = completed;
      const bar = '█'.repeat(Math.round((20 * completed) / orders)).padEnd(20, '░');
      line.update(`${bar} ${placing.placed} placed, ${completed} of ${orders} runs completed, ${steps} steps`);
      if (ended >= orders) return;
      await pause(100);
    }
  }

  private async killWorker(db: pg.Client, worker: Child): Promise<void> {
    const { orders, line } = this.options;
    await this.reached(orders * 0.2);
    await this.holdsTasks(db, worker.pid);
    const killed = worker.pid;
    await worker.kill();
    line.note(`  ${this.completed} runs completed: worker process ${killed} killed with SIGKILL`);
    await pause(500);
    await worker.start();
    line.note(`  ${this.completed} runs completed: worker process started again, pid ${worker.pid}`);
  }

  private async killEngine(api: Child): Promise<void> {
    const { orders, line } = this.options;
    await this.reached(orders * 0.5);
    const killed = api.pid;
    await api.kill();
    line.note(`  ${this.completed} runs completed: API and engine process ${killed} killed with SIGKILL`);
    await pause(500);
    await api.start();
    line.note(`  ${this.completed} runs completed: API and engine process started again, pid ${api.pid}`);
  }

  private async reached(completed: number): Promise<void> {
    while (this.completed < completed) await pause(20, undefined, { signal: this.failure.signal });
  }

  /** A kill should hit somebody at work; where there is little to do it may not. */
  private async holdsTasks(db: pg.Client, pid: number): Promise<void> {
    while (this.completed < this.options.orders / 2) {
      const { rows } = await db.query<{ held: number }>(
        `SELECT count(*)::int AS held FROM durable_transport_tasks WHERE claimed_by LIKE '%.' || $1::text || '.%'`,
        [pid],
      );
      if (rows[0]!.held >= 3) return;
      await pause(5, undefined, { signal: this.failure.signal });
    }
  }

  private async report(db: pg.Client, placing: Placing, inTime: boolean): Promise<boolean> {
    const { orders, line, sabotage } = this.options;
    if (sabotage) {
      await db.query(
        `INSERT INTO ledger ("orderId", step, "idempotencyKey", pid) VALUES ('1', 'charge', 'another key', 0)`,
      );
    }
    const checks = await runChecks(db, orders);
    if (!inTime) checks.push({ what: `all over within ${PATIENCE_MS / 1_000} s`, found: ['something still going on'] });
    const figures = await readFigures(db);
    line.note(`\n${tableOf(figures, orders, placing.repeated)}\n`);
    const failed = checks.filter(({ found }) => found.length > 0);
    for (const { what, found } of failed) {
      line.note(`FAILED: ${what}. Found ${found.length}: ${found.slice(0, 5).join(', ')}`);
    }
    const { completed, lost, duplicated } = figures;
    const outcome = `${completed} runs completed, ${lost} lost, ${duplicated} duplicated`;
    line.note(failed.length === 0 ? `demo ok: ${outcome}` : `demo failed: ${outcome}`);
    return failed.length === 0;
  }
}
