import { claim, reportOf, taskOf } from '../../../lib/conformance/transport.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { type Tables, tablesWithPrefix } from '../../../lib/sql/tables.js';
import type { ClaimedTask } from '../../../lib/worker/task-source.js';
import { SqlTaskDispatcher, SqlTaskSource } from '../../../lib/worker/transport.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import { gate } from '../../support/gate.js';
import { holdingCommit, holdingWithin } from '../../support/holding-executor.js';
import { lockWaiter } from '../../support/lock-waiters.js';

describeDatabases('a task that is claimed again while its old claim waits for the row', (at) => {
  it.each(['report', 'extend', 'release'] as const)('is the new owner’s: %s', async (act) => {
    const backend = await at.open();
    const db = executorOf(at, backend.handle);
    const tables = tablesWithPrefix('durable');
    await migrate(db, tables, { part: 'transport' });
    const notifier = createNotifier(db, 'durable', () => undefined);
    const source = new SqlTaskSource(db, tables, notifier);
    // So many that the server looks for rows by their place.
    await new SqlTaskDispatcher(db, tables, notifier).dispatch(Array.from({ length: 500 }, (_, seq) => taskOf(seq)));
    const [old] = await claim({ source }, { limit: 1 });
    const [claimed, goesOn] = [gate(), gate()];
    const again = db.transaction(async (tx) => {
      await tx.run(sql`UPDATE ${tables.tasks} SET claimed_by = 'other', claimed_at = claimed_at + ${raw('60000')}
        WHERE step_id = ${old!.stepId}`);
      claimed.open();
      await goesOn.opened;
    });
    await claimed.opened;
    const doing = act === 'report' ? source.report([reportOf(old!)]).then(([held]) => held) : source[act]([old!.claim]);
    await lockWaiter(backend);
    goesOn.open();
    await again;
    expect(await doing).toEqual({ report: false, extend: [], release: undefined }[act]);
    const rows = await backend.query(`SELECT claimed_by FROM durable_transport_tasks WHERE step_id = '${old!.stepId}'`);
    expect(rows).toMatchObject([{ claimed_by: 'other' }]);
    await backend.close();
  });
});

describeDatabases('a claim in progress', (at) => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  let dispatcher: SqlTaskDispatcher;
  let tables: Tables;
  const sourceOn = (executor: SqlExecutor) =>
    new SqlTaskSource(
      executor,
      tables,
      createNotifier(executor, 'durable', () => undefined),
    );
  beforeEach(async () => {
    backend = await at.open();
    db = executorOf(at, backend.handle);
    tables = tablesWithPrefix('durable');
    await migrate(db, tables, { part: 'transport' });
    dispatcher = new SqlTaskDispatcher(
      db,
      tables,
      createNotifier(db, 'durable', () => undefined),
    );
    await dispatcher.dispatch(Array.from({ length: 40 }, (_, n) => taskOf(n + 100)));
  });
  afterEach(() => backend.close());

  const numbers = (from: number, length: number) => Array.from({ length }, (_, n) => from + n);
  const endedOf = ({ claim: { stepId, claimedBy, claimedAt }, runId, seq }: ClaimedTask) => {
    return { stepId, runId, seq, claimedBy, claimedAt };
  };
  const seqsOf = (tasks: readonly { seq: number }[]) => tasks.map(({ seq }) => seq).sort((a, b) => a - b);

  it('locks nothing that others hold: their outcomes are recorded meanwhile', async () => {
    const held = await claim({ source: sourceOn(db) }, { limit: 20 });
    const late = holdingWithin(executorOf(at, await backend.another()), 'step_id');
    const claiming = claim({ source: sourceOn(late.executor) }, { limit: 5, workerId: 'w2' });
    await late.held;
    await expect(db.transaction((tx) => dispatcher.end(held.map(endedOf), tx))).resolves.toEqual([]);
    // Nor does it keep other workers from what it leaves.
    const others = await claim({ source: sourceOn(db) }, { limit: 5, workerId: 'w3' });
    late.letGo();
    expect(seqsOf([...(await claiming), ...others])).toEqual(numbers(120, 10));
  });

  it('locks nothing that others hold where it finds nothing either', async () => {
    const held = await claim({ source: sourceOn(db) }, { limit: 40 });
    const late = holdingCommit(executorOf(at, await backend.another()));
    const claiming = claim({ source: sourceOn(late.executor) }, { workerId: 'w2' });
    // On PostgreSQL a claim is one statement.
    await Promise.race([late.held, claiming]);
    await expect(db.transaction((tx) => dispatcher.end(held.map(endedOf), tx))).resolves.toEqual([]);
    late.letGo();
    await expect(claiming).resolves.toEqual([]);
  });

  it('keeps nobody from what stands behind any number of tasks that it has locked', async () => {
    const late = holdingWithin(executorOf(at, await backend.another()), 'step_id');
    const claiming = claim({ source: sourceOn(late.executor) }, { limit: 30 });
    await late.held;
    const others = await claim({ source: sourceOn(db) }, { limit: 5, workerId: 'w2' });
    late.letGo();
    await claiming;
    expect(seqsOf(others)).toEqual(numbers(130, 5));
  });
});
