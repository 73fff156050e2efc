import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { DatabaseError } from '../../../lib/core/errors.js';
import { raw } from '../../../lib/sql/statement.js';
import { type Backend, type OpenHandle, type OrmName, describeDatabases } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { openMikroOrm } from '../../support/open-mikro-orm.js';
import { openTypeOrm } from '../../support/open-typeorm.js';
import { startPostgres } from '../../support/servers/postgres.mjs';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes a database of its own, or a server');

const AWAY_MS = 2_500;
/** It takes about 2 s, which is told; the rest is for a machine that is busy with something else. */
const BACK_MS = 30_000;
/** What a server has answered before it went away is read by then. */
const ON_ITS_WAY_MS = 500;
const WINDOW_MS = 2_000;
/** Each starts a run when its last has ended, and a thought: as much as a machine that is busy can still do. */
const CUSTOMERS = 16;
const THOUGHT_MS = 200;

/** A server that a test can take away. */
interface Server {
  to: FreshDatabase;
  takeAway(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** One of our own, which really ends. What it has committed it keeps. */
async function ownPostgres(): Promise<Server> {
  const server = await startPostgres({ flags: ['-c', 'synchronous_commit=on'] });
  const to = { ...server.address, database: 'postgres' } as unknown as FreshDatabase;
  return { to, takeAway: () => server.crash(), close: () => server.stop() };
}

/** One that others use too: its connections end, and new ones are turned away. */
async function sharedServer(db: FreshDatabase['db']): Promise<Server> {
  const database = await createDatabase(db);
  const proxy = await startTcpProxy(database);
  return {
    to: { ...database, port: proxy.port },
    takeAway: async () => {
      proxy.refuse(true);
      proxy.cut();
      return async () => proxy.refuse(false);
    },
    close: async () => {
      await proxy.close();
      await database.close();
    },
  };
}

const order = async (ctx: WorkflowContext, n: number) => {
  const a = await ctx.step('a', () => n + 1);
  const b = await ctx.remote<number>('double', a);
  return ctx.step('c', () => b + 1);
};

/** An app whose database is away for a moment asks again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.transient)) throw error;
      await pause(20);
    }
  }
}

/** The best of the windows in between, per second: what else the machine does makes others slower. */
function rateOf(ends: readonly number[], from: number, to: number): number {
  let best = 0;
  for (let start = from; start + WINDOW_MS <= to; start += WINDOW_MS / 4)
    best = Math.max(best, ends.filter((end) => end >= start && end < start + WINDOW_MS).length);
  return best / (WINDOW_MS / 1_000);
}

const open = (orm: OrmName, to: FreshDatabase): Promise<OpenHandle> =>
  orm === 'typeorm' ? openTypeOrm(to, { poolMax: 20 }) : openMikroOrm(to, { poolMax: 20 });

const served = ({ db, orm }: Backend) => db === 'postgres' || orm === 'typeorm';

describeDatabases(
  'a database that restarts under load',
  (at) => {
    let server: Server;
    let app: OpenHandle;

    beforeAll(async () => {
      server = await (at.db === 'postgres' ? ownPostgres() : sharedServer(at.db));
      app = await open(at.orm, server.to);
    });
    afterAll(async () => {
      await app?.close();
      await server?.close();
    });

    it('has 90 % of its throughput back, and nothing is lost (E19)', async () => {
      const storage = await sqlStorageOn(executorOf({ orm: at.orm, handle: app.handle }));
      const parts = engineParts(storage, { nodeLeaseMs: 6_000 });
      parts.define('order', order);
      const worker = workerOn(storage, { double: (n: number) => 2 * n }, { leaseMs: 6_000 });
      await parts.start();
      const ends: number[] = [];
      let [starts, going] = [0, true];
      const customer = async (name: number) => {
        for (let n = 0; going; n++) {
          const id = `r${name}-${n}`;
          await patiently(() => parts.client.start('order', n, { id }));
          starts++;
          expect(await patiently(() => parts.client.result(id, { timeout: '60s' }))).toBe(2 * (n + 1) + 1);
          ends.push(performance.now());
          await pause(THOUGHT_MS);
        }
      };
      const load = Promise.all(Array.from({ length: CUSTOMERS }, (_, name) => customer(name)));
      await pause(1_500);
      const from = performance.now();
      await pause(4_000);
      const gone = performance.now();
      const before = rateOf(ends, from, gone);
      const giveBack = await server.takeAway();
      await pause(ON_ITS_WAY_MS);
      // The timer may be ahead of what has come in a moment in which this process stood still.
      await new Promise((resolve) => setImmediate(resolve));
      const silent = performance.now();
      await pause(AWAY_MS - ON_ITS_WAY_MS);
      const returning = performance.now();
      await giveBack();
      const back = performance.now();
      let after = 0;
      while (after < 0.9 * before && performance.now() < back + BACK_MS) {
        await pause(100);
        // The seconds in which it comes back do not count against what it comes back to.
        after = rateOf(ends, Math.max(back, performance.now() - 2_000), performance.now());
      }
      const ms = performance.now() - back;
      going = false;
      await load;
      process.stdout.write(
        `${AWAY_MS / 1_000} s without a database [${at.name}]: ${before.toFixed(0)} runs/s before; ${after.toFixed(0)} ` +
          `within ${ms.toFixed(0)} ms of its return, the first of them after ` +
          `${(Math.min(...ends.filter((end) => end > returning)) - back).toFixed(0)} ms\n`,
      );
      expect(ends.filter((end) => end > silent && end < returning)).toEqual([]);
      const { rows } = await storage.executor!.run<{ status: string; n: number | string }>(
        raw('SELECT status, COUNT(*) AS n FROM durable_runs GROUP BY status'),
      );
      expect(rows.map(({ status, n }) => [status, Number(n)])).toEqual([['completed', starts]]);
      expect(after).toBeGreaterThanOrEqual(0.9 * before);
      await worker.stop();
      await parts.stop();
      await storage.close();
    });
  },
  { only: served },
);
