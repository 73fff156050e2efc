import { DatabaseError } from '../../../lib/core/errors.js';
import type { RunAtEpoch } from '../../../lib/engine/play/activation.js';
import { readBackFrom } from '../../../lib/engine/play/attempts.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import { sql } from '../../../lib/sql/statement.js';
import type { OpenBackend } from '../../support/backends.js';
import { borrow, type BorrowedConnection } from '../../support/borrowed-connection.js';
import { type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { type BehindNode, holdBehind } from '../../support/galera-lag.js';
import { describeWithGalera } from '../../support/galera-nodes.js';
import { until } from '../../support/until.js';

const step: StepRecord = {
  runId: 'r1',
  seq: 0,
  kind: 'transaction',
  name: 'a',
  status: 'completed',
  attempt: 0,
  failures: 0,
  deferrals: 0,
  askedAt: null,
  worker: null,
  settled: 1,
  output: '1',
  error: null,
  ref: null,
  wakeAt: null,
  createdAt: 1,
  startedAt: 1,
  finishedAt: 1,
};
const options = { onError: () => undefined, stopped: new AbortController().signal };

describeWithGalera('reading back on a node of Galera that is behind', ({ on, address }) => {
  describe.each(['typeorm', 'mikro-orm'] as const)('with %s', (orm) => {
    let backend: OpenBackend;
    /** Of the process that has lost its connection to the writer, and comes to the other node. */
    let other: OpenBackend;
    let [there, here]: OpenStorage[] = [];
    let claim: RunAtEpoch;
    let behind: BehindNode;

    beforeEach(async () => {
      backend = await on(0, orm).open();
      there = await sqlStorage(backend);
      const connect = () => backend.another({ poolMax: 1, orm: { port: address(1).port } });
      other = { ...backend, handle: await until('the node has the database', () => connect().catch(() => undefined)) };
      here = await sqlStorage(other);
      claim = await claimed();
      await until('the node has the claim', hasClaim);
      behind = await holdBehind(backend, address(1));
      await there.store.commit([{ ...claim, steps: [step], tasks: [], takes: [], withdraws: [] }], async () => {});
    });
    afterEach(async () => {
      await behind.release();
      await there?.close();
      await here?.close();
      await backend.close();
    });

    async function claimed(): Promise<RunAtEpoch> {
      await there!.roster.beat({ id: 'n1', namespace: '', roles: 'engine' }, 60_000);
      const made = { id: 'r1', namespace: '', workflow: 'w', version: 1, input: 'null', priority: 0, delayMs: 0 };
      await there!.catalog.create([made]);
      const workflows = [{ name: 'w', version: 1 }];
      const request = { nodeId: 'n1', namespace: '', workflows, limit: 1, which: 'due' } as const;
      const [run] = await there!.store.claim(request);
      return { runId: 'r1', epoch: run!.epoch };
    }

    async function hasClaim(): Promise<boolean> {
      const { rows } = await here!.executor!.run(sql`SELECT 1 FROM durable_runs WHERE owner = 'n1'`);
      return rows.length > 0;
    }

    async function expectReadBack(): Promise<void> {
      const reading = readBackFrom(here!.store, options)(claim, 0);
      const waits = behind.waits().then(() => 'waits');
      expect(await Promise.race([reading.then(() => 'read'), waits])).toBe('waits');
      await behind.release();
      expect(await reading).toMatchObject({ seq: 0, settled: 1, output: '1' });
    }

    /** As code of the app leaves its connection, the only one of the pool. */
    async function left(work: (connection: BorrowedConnection) => Promise<unknown>): Promise<void> {
      const connection = await borrow(other);
      await work(connection);
      await connection.giveBack();
    }

    it('waits until the node has what another one has committed', async () => {
      await expect(here!.store.histories(['r1'])).resolves.toEqual([]);
      await expectReadBack();
    });

    it('does so also where a transaction with an older snapshot was left open', async () => {
      await left(async (connection) => {
        await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
        await connection.query('START TRANSACTION');
        await connection.query('SELECT * FROM durable_steps');
      });
      await expectReadBack();
    });

    it('leaves the session as the app has set it', async () => {
      await behind.release();
      const read = sql`SELECT @@SESSION.wsrep_sync_wait AS n`;
      await left((connection) => connection.query('SET SESSION wsrep_sync_wait = 2'));
      await expect(here!.executor!.readLatest!(read)).resolves.toMatchObject({ rows: [{ n: 3 }] });
      await expect(here!.executor!.readLatest!(sql`SELECT 1 FROM absent`)).rejects.toThrow(DatabaseError);
      await expect(here!.executor!.run(read)).resolves.toMatchObject({ rows: [{ n: 2 }] });
    });

    it('does so also on a session without autocommit', async () => {
      await left((connection) => connection.query('SET autocommit = 0'));
      await expect(here!.store.histories(['r1'])).resolves.toEqual([]);
      await expectReadBack();
    });
  });
});
