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
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes a database of its own, or a server');

const AWAY_MS = 2_500;
/** What a server has answered before it went away is read by then. */
const ON_ITS_WAY_MS = 500;
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

    it('goes on for every customer after its return, and nothing is lost (E19)', async () => {
      const storage = await sqlStorageOn(executorOf({ orm: at.orm, handle: app.handle }));
      const parts = engineParts(storage, { nodeLeaseMs: 6_000 });
      parts.define('order', order);
      const worker = workerOn(storage, { double: (n: number) => 2 * n }, { leaseMs: 6_000 });
      await parts.start();
      const ends: { name: number; at: number }[] = [];
      let [starts, going] = [0, true];
      const customer = async (name: number) => {
        for (let n = 0; going; n++) {
          const id = `r${name}-${n}`;
          await patiently(() => parts.client.start('order', n, { id }));
          starts++;
          expect(await patiently(() => parts.client.result(id, { timeout: '120s' }))).toBe(2 * (n + 1) + 1);
          ends.push({ name, at: performance.now() });
          await pause(THOUGHT_MS);
        }
      };
      const load = Promise.all(Array.from({ length: CUSTOMERS }, (_, name) => customer(name)));
      /** Whether each customer has had an answer after this time. */
      const allServed = (from: number) =>
        new Set(ends.filter(({ at: end }) => end > from).map(({ name }) => name)).size === CUSTOMERS;
      await until('all are served', () => allServed(0));
      const giveBack = await server.takeAway();
      await pause(ON_ITS_WAY_MS);
      // The timer may be ahead of what has come in a moment in which this process stood still.
      await new Promise((resolve) => setImmediate(resolve));
      const silent = performance.now();
      await pause(AWAY_MS - ON_ITS_WAY_MS);
      const returning = performance.now();
      await giveBack();
      // One after the other: what goes on in one run does not stop at the next.
      for (let n = 0; n < 3; n++) {
        const from = performance.now();
        await until('all are served again', () => allServed(from));
      }
      going = false;
      await load;
      expect(ends.filter(({ at: end }) => end > silent && end < returning)).toEqual([]);
      const { rows } = await storage.executor!.run<{ status: string; n: number | string }>(
        raw('SELECT status, COUNT(*) AS n FROM durable_runs GROUP BY status'),
      );
      expect(rows.map(({ status, n }) => [status, Number(n)])).toEqual([['completed', starts]]);
      await worker.stop();
      await parts.stop();
      await storage.close();
    });
  },
  { only: served },
);
