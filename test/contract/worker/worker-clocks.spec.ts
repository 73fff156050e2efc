import { DatabaseError } from '../../../lib/core/errors.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { macrotask } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, executorOf } from '../../support/db-transports.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';

/** The first renewal comes after two seconds. */
const LEASE_MS = 6_000;

/** A database that is away for as long as a test says so. */
function leaving(executor: SqlExecutor): { executor: SqlExecutor; away: boolean } {
  const door = { executor, away: false };
  const refuse = () => Promise.reject(new DatabaseError('away', true));
  door.executor = Object.assign(Object.create(executor) as SqlExecutor, {
    run: (...args: Parameters<SqlExecutor['run']>) => (door.away ? refuse() : executor.run(...args)),
    transaction: (...args: Parameters<SqlExecutor['transaction']>) =>
      door.away ? refuse() : executor.transaction(...args),
  });
  return door;
}

describeDatabases(
  'a transport whose wall clock is put forward while the database is away',
  (at) => {
    let backend: OpenBackend;
    let transports: DbTransports;
    const realNow = Date.now;

    beforeAll(async () => void (backend = await at.open()));
    beforeEach(() => void (transports = new DbTransports(backend)));
    afterEach(async () => {
      Date.now = realNow;
      await transports.close();
    });
    afterAll(() => backend.close());

    it('keeps what it works on, tasks and results', async () => {
      const [slow, callback] = [gate(), gate()];
      const [failed, calls] = [new Set<string>(), [] as string[]];
      let signal: AbortSignal | undefined;
      const door = leaving(executorOf(at, backend.handle));
      const transport = transports.create({ executor: door.executor, leaseMs: LEASE_MS });
      transport.telemetry.on('loop.error', ({ loop }) => void failed.add(loop));
      transport.handle('quick', () => 1).handle('slow', (_, step) => ((signal = step.signal), slow.opened));
      transport.onResult(({ stepId }) => (calls.push(stepId), callback.opened));
      for (const [seq, name] of ['quick', 'slow'].entries())
        await transport.dispatch({ runId: 'r1', seq, stepId: `r1:${seq}`, name, attempt: 1 });
      await until('both are under way', () => signal && calls.length === 1);
      door.away = true;
      Date.now = () => realNow() + LEASE_MS;
      await until('both renewals have failed', () => failed.has('worker.extend') && failed.has('results.extend'));
      await macrotask();
      expect(signal!.aborted).toBe(false);
      Date.now = realNow;
      door.away = false;
      slow.open();
      callback.open();
      const results = () => backend.query('SELECT step_id FROM durable_transport_results');
      await until('both are done', async () => calls.length > 1 && (await results()).length === 0);
      expect(calls).toEqual(['r1:0', 'r1:1']);
    });
  },
  { only: ({ name }) => name === 'typeorm on postgres' },
);
