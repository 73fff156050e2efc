import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { DatabaseError } from '../../../lib/core/errors.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { driverExecutor } from '../../../lib/sql/driver-executor.js';
import { sql } from '../../../lib/sql/statement.js';
import { describeHouses, describeSqlHouses, type House } from '../../support/processes.js';
import { signedIn } from '../../support/signed-in.js';
import { until } from '../../support/until.js';

/** What nobody caught while `work` ran. */
async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  try {
    await work();
    // Rejections are reported after the turn in which they happened.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
    process.off('uncaughtException', note);
  }
  return uncaught;
}

const away = () => new DatabaseError('The connection was lost', true);

const body = async (ctx: WorkflowContext, n: number) => {
  const a = await ctx.step('a', () => n + 1);
  const [b, c] = await Promise.all([ctx.remote<number>('double', a), ctx.step('c', () => n)]);
  await ctx.sleep('nap', 5);
  return ctx.step('sum', () => b + c);
};

const handlers = { double: (n: number) => n * 2 };
const expected = (n: number) => (n + 1) * 2 + n;

describeHouses('a database that is away for a moment', (house) => {
  it.each([
    'store.commit',
    'dispatcher.dispatch',
    'dispatcher.take',
    'dispatcher.peek',
    'store.claim',
    'store.histories',
    'store.settleUnowned',
    'roster.pulse',
    'roster.reap',
  ])('in %s costs the run nothing but time, and no attempt (T16, E21, N8)', async (failing) => {
    const counts = new Map<string, number>();
    const uncaught = await uncaughtDuring(async () => {
      const process = await house().boot({
        workflows: { order: body },
        handlers,
        nodeLeaseMs: 900,
        hooks: {
          before: (call) => {
            const count = (counts.get(call) ?? 0) + 1;
            counts.set(call, count);
            // The first beat is the start itself, which may fail.
            if (call === failing && count % 3 === 2) throw away();
          },
        },
      });
      const handles = await Promise.all([1, 2, 3, 4, 5].map((n) => process.client.start('order', n)));
      const outputs = await Promise.all(handles.map((handle) => handle.result({ timeout: '120s' })));
      expect(outputs).toEqual([1, 2, 3, 4, 5].map(expected));
      const histories = await Promise.all(handles.map(({ id }) => process.client.getStatus(id, { history: true })));
      for (const { history } of histories) expect(history!.map(({ failures }) => failures)).toEqual([0, 0, 0, 0, 0]);
      await process.stop();
      process.kill();
    });
    expect(uncaught).toEqual([]);
  });

  it('a claim whose answer is lost takes no run out of the world (fault 8)', async () => {
    let lost = 0;
    const process = await house().boot({
      nodeLeaseMs: 600,
      workflows: { order: async () => 'played' },
      hooks: {
        after: (call, _, claimed) => {
          if (call === 'store.claim' && (claimed as unknown[]).length > 0 && lost++ === 0) throw away();
        },
      },
    });
    expect(await process.client.startAndWait('order', null, { timeout: '120s' })).toBe('played');
    expect(lost).toBeGreaterThan(1);
  });

  it('a history that cannot be read just now is read later', async () => {
    let failed = 0;
    const body = (hold: Promise<unknown>) => async (ctx: WorkflowContext) => {
      await ctx.step('a', () => 1);
      await ctx.step('hold', () => hold);
      return 'played';
    };
    const first = await house().boot({ workflows: { order: body(new Promise(() => {})) } });
    const { id } = await first.client.start('order');
    await until('it holds', async () => (await first.client.getStatus(id, { history: true })).history!.length === 1);
    first.kill();
    await house().bury(first);
    const second = await house().boot({
      // Only what is done at once can help, not the next beat.
      nodeLeaseMs: 60_000,
      workflows: { order: body(Promise.resolve(2)) },
      hooks: {
        before: (call) => {
          if (call === 'store.histories' && failed++ === 0) throw away();
        },
      },
    });
    expect(await second.client.result(id, { timeout: '120s' })).toBe('played');
    expect(failed).toBeGreaterThan(1);
  });

  it('a write whose values the database refuses blocks its run alone, until retry', async () => {
    let refuses = true;
    const process = await house().boot({
      workflows: { bad: (ctx) => ctx.step('bad', () => 1), good: (ctx) => ctx.step('good', () => 2) },
      hooks: {
        before: (call, [writes]) => {
          if (call !== 'store.commit') return;
          const steps = (writes as { steps: { name: string }[] }[]).flatMap((write) => write.steps);
          if (refuses && steps.some(({ name }) => name === 'bad'))
            throw new DatabaseError('value out of range', false, { aboutData: true });
        },
      },
    });
    const bad = await process.client.start('bad');
    const good = await Promise.all([1, 2, 3].map((n) => process.client.start('good', n)));
    expect(await Promise.all(good.map((handle) => handle.result({ timeout: '120s' })))).toEqual([2, 2, 2]);
    const blocked = await until('it is blocked', async () => {
      const status = await bad.status();
      return status.reason === null ? undefined : status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'write_refused' });
    refuses = false;
    await process.client.retry(bad.id);
    expect(await bad.result({ timeout: '120s' })).toBe(1);
  });
});

/** Ends all other connections to the database of the test, as an administrator or a failover does. */
async function killConnections({ backend }: House, spare: () => number): Promise<void> {
  if (backend!.db === 'postgres') {
    const { pids } = {
      pids: await backend!.query<{ pid: number }>(
        'SELECT pid FROM pg_stat_activity WHERE datname = ? AND pid <> pg_backend_pid()',
        [backend!.database],
      ),
    };
    for (const { pid } of pids)
      if (Math.random() * 100 > spare()) await backend!.query('SELECT pg_terminate_backend(?)', [pid]);
    return;
  }
  const connections = await backend!.query<{ id: number }>(
    `SELECT id AS id FROM information_schema.processlist
     WHERE db = ? AND id <> CONNECTION_ID() AND ${signedIn(backend!.db)}`,
    [backend!.database],
  );
  for (const { id } of connections)
    if (Math.random() * 100 > spare()) await backend!.query(`KILL CONNECTION ${id}`).catch(() => undefined);
}

describeSqlHouses(
  'connections that are killed at random',
  (house) => {
    it('while runs go on: all end, none is lost, nothing goes uncaught (E21, fault 11)', async () => {
      const ran = new Map<string, number>();
      const uncaught = await uncaughtDuring(async () => {
        const workflows = {
          order: async (ctx: WorkflowContext, n: number) => {
            const output = await body(ctx, n);
            await ctx.step('count', ({ stepId }) => void ran.set(stepId, (ran.get(stepId) ?? 0) + 1));
            return output;
          },
        };
        const processes = [await house().boot({ workflows, handlers }), await house().boot({ workflows, handlers })];
        const runs = 40;
        for (let n = 0; n < runs; n++) {
          const start = () => processes[n % 2]!.client.start('order', n, { id: `r${n}` });
          await until(`run ${n} is started`, () =>
            start().then(
              () => true,
              (error: unknown) => {
                if (error instanceof DatabaseError && error.transient) return false;
                throw error;
              },
            ),
          );
          if (n % 4 === 3) await killConnections(house(), () => 40);
        }
        const status = async () =>
          (
            await house().backend!.query<{ status: string; n: number | string }>(
              'SELECT status, COUNT(*) AS n FROM durable_runs GROUP BY status',
            )
          ).map(({ status: name, n }) => `${name} ${n}`);
        await until('all runs have ended', async () => (await status()).join() === `completed ${runs}`);
        const reader = await house().boot({ engine: false });
        for (let n = 0; n < runs; n++) expect(await reader.client.result(`r${n}`)).toBe(expected(n));
        for (const own of processes) await own.stop();
        for (const own of processes) own.kill();
      });
      expect(uncaught).toEqual([]);
      // No process died: what ran and was recorded, ran once.
      expect([...ran.values()].every((times) => times === 1)).toBe(true);
    });
  },
  { ownDatabase: true },
);

describe('a server that ends a connection in the moment it is opened', () => {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')]);
  };
  /** Authenticated, ready, and gone, in one breath. */
  const GREETING = Buffer.concat([
    message('R', '\0\0\0\0'),
    message('Z', 'I'),
    message('E', 'SFATAL\0C57P01\0Mended by an administrator\0\0'),
  ]);

  it('does not end the process (E21)', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(GREETING, () => socket.destroy()));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'app', database: 'app', max: 1 });
    pool.on('error', () => undefined);
    const uncaught = await uncaughtDuring(async () => {
      const executor = driverExecutor(pool);
      await expect(executor.run(sql`SELECT 1`)).rejects.toMatchObject({ code: 'DATABASE', transient: true });
    });
    expect(uncaught).toEqual([]);
    await pool.end();
    server.close();
  });
});
