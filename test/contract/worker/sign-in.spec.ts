import { SqlNodeRoster } from '../../../lib/engine/nodes.sql.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, executorOf } from '../../support/db-transports.js';
import { sqlStorage } from '../../support/engine-storage.js';
import { newRun } from '../conformance/fixtures.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('looks at a database without our tables');

describeDatabases(
  'a DbTransport with handlers',
  (at) => {
    let backend: OpenBackend;
    let transports: DbTransports;
    beforeEach(async () => {
      backend = await at.open();
      transports = new DbTransports(backend);
    });
    afterEach(async () => {
      await transports.close();
      await backend.close();
    });
    const listed = async () => {
      const executor = executorOf(backend, backend.handle);
      return (await new SqlNodeRoster(executor, tablesWithPrefix('durable')).nodes()).nodes;
    };

    it('signs in beside an engine, with what it serves, and signs off', async () => {
      await (await sqlStorage(backend)).close();
      const transport = transports.create({ instanceId: 'etl', groups: ['files', 'mails'], concurrency: 3 });
      transport.handle('read', () => 1);
      await until('it has signed in', async () => (await listed()).length > 0);
      transport.handle('write', () => 1);
      const all = ['read', 'write'];
      await until('it serves both', async () => (await listed())[0]?.serves.groups?.['mails']?.length === 2);
      const [node] = await listed();
      const serves = { groups: { files: all, mails: all }, concurrency: 3 };
      expect(node).toMatchObject({ namespace: '', roles: 'transport', serves, leftAt: null });
      expect(node?.id).toMatch(/^etl-[\da-f-]{13}$/);
      await transports.close();
      expect((await listed())[0]?.leftAt).toEqual(expect.any(Number));
      expect(transports.errors).toEqual([]);
    });

    it('counts deaths of processes, and not the leases that living ones have lost', async () => {
      const storage = await sqlStorage(backend);
      try {
        for (const id of ['innocent', 'deadly']) await storage.catalog.create([newRun(id)]);
        // What ten workers in turn have lost: one that is alive, and ten that never signed in.
        await storage.roster.beat({ id: 'alive', namespace: '', roles: 'worker' }, 3_600_000);
        const losses = (runId: string, worker: string) =>
          Array.from({ length: 10 }, (_, i) => ({ runId, seq: 0, attempt: i + 1, worker, finishedAt: 1, error: '{}' }));
        await storage.lostAttempts.record([...losses('innocent', 'alive'), ...losses('deadly', 'unknown')]);
        const transport = transports.create();
        const done = new Map<string, unknown>();
        transport.onResult(({ runId, output, error }) => void done.set(runId, output ?? error?.code));
        for (const [runId, holder] of Object.entries({ innocent: 'alive', deadly: 'unknown', foreign: 'alive' })) {
          await transport.dispatch({
            runId,
            seq: 0,
            name: 'read',
            input: null,
            attempt: runId === 'foreign' ? 10 : 11,
          });
          const claimed = [`${holder}#abc.1`, runId];
          await backend.query(
            `UPDATE durable_transport_tasks SET claimed_by = ?, claimed_at = 1 WHERE run_id = ?`,
            claimed,
          );
        }
        transport.handle('read', () => 'read');
        await until('all results', () => done.size === 3);
        expect(Object.fromEntries(done)).toEqual({ innocent: 'read', deadly: 'crash_loop', foreign: 'crash_loop' });
        await transports.close();
        expect(transports.errors).toEqual([]);
      } finally {
        await storage.close();
      }
    });

    it('works without the tables of an engine', async () => {
      const done: string[] = [];
      const transport = transports.create();
      transport.handle('read', () => 'read').onResult(({ output }) => done.push(String(output)));
      await transport.dispatch({ runId: 'r1', seq: 1, name: 'read', input: null });
      await until('the result', () => done.length > 0);
      await transports.close();
      expect(transports.errors).toEqual([]);
      await expect(listed()).rejects.toMatchObject({ transient: false });
    });
  },
  { only: ({ orm }: Backend) => orm === 'typeorm' },
);
