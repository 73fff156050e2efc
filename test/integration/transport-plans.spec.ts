import { render } from '../../lib/sql/render.js';
import { migrate } from '../../lib/sql/migrator.js';
import type { SqlExecutor } from '../../lib/sql/sql-executor.js';
import { raw, sql, type Statement } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../lib/sql/typeorm-executor.js';
import * as leases from '../../lib/transport/lease.postgres.sql.js';
import { deleteAnswers, selectAnswers } from '../../lib/transport/result.sql.js';
import { selectAlive, upsertTasksPostgres, withdrawPostgres } from '../../lib/transport/task.sql.js';
import { backends, type OpenBackend } from '../support/backends.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const GROUPS = Array.from({ length: 20 }, (_, i) => `g${i}`);
const ROWS = 40_000;

/** What would read or sort a backlog: everything but the index in its order, or rows by their place. */
function scansOf(node: PlanNode): string[] {
  const inner = (node.Plans ?? []).flatMap(scansOf);
  return node['Relation Name'] ? [`${node['Node Type']} of ${node['Relation Name']}`, ...inner] : inner;
}
const nodesOf = (node: PlanNode): string[] => [node['Node Type'], ...(node.Plans ?? []).flatMap(nodesOf)];

const onPostgres = backends.find(({ orm, db }) => orm === 'typeorm' && db === 'postgres');

(onPostgres ? describe : describe.skip)('T18: plans on PostgreSQL', () => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  const tables = tablesWithPrefix('durable');
  const run = (text: string) => db.run(raw(text));

  beforeAll(async () => {
    backend = await onPostgres!.open();
    db = typeOrmExecutor(backend.handle as object);
    await migrate(db, tables, { part: 'transport' });
    await run('ALTER TABLE durable_transport_tasks SET (autovacuum_enabled = false)');
    await run('ALTER TABLE durable_transport_results SET (autovacuum_enabled = false)');
  });
  afterAll(() => backend.close());

  async function plan(statement: Statement): Promise<PlanNode[]> {
    const bound = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN (FORMAT JSON) ${statement}`);
    // As it is planned once and for all for a prepared statement.
    const { text } = render(statement, db.dialect);
    const generic = await db.run<{ 'QUERY PLAN': string }>(raw(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`));
    return [...bound.rows, ...generic.rows].map(
      (row) => (JSON.parse(row['QUERY PLAN']) as [{ Plan: PlanNode }])[0].Plan,
    );
  }

  async function fill(): Promise<void> {
    await run('TRUNCATE durable_transport_tasks, durable_transport_results');
    await run(
      `INSERT INTO durable_transport_tasks SELECT 'r:' || n, 'r', n, 'g' || n % 20, 'g' || n % 20, repeat('x', 200), 1, 'pending', NULL, NULL, n FROM generate_series(1, ${ROWS}) n`,
    );
    await run(
      `INSERT INTO durable_transport_results SELECT 'r:' || n, 'r', n, 'completed', '1', NULL, n, NULL, NULL, n FROM generate_series(1, ${ROWS}) n`,
    );
  }
  const analyse = () => run('ANALYZE durable_transport_tasks, durable_transport_results');
  const bloat = async () => {
    await run('DELETE FROM durable_transport_tasks WHERE seq % 4000 <> 0');
    await run('DELETE FROM durable_transport_results WHERE seq % 4000 <> 0');
  };
  const lease = () => run(`UPDATE durable_transport_tasks SET claimed_by = 'other', claimed_at = 9000000000000`);

  const states: [string, () => Promise<unknown>][] = [
    ['freshly filled', fill],
    ['analysed', () => fill().then(analyse)],
    ['bloated', () => fill().then(bloat)],
    ['analysed, then bloated', () => fill().then(analyse).then(bloat)],
    ['bloated, then analysed', () => fill().then(bloat).then(analyse)],
    ['analysed empty, then filled', async () => run('TRUNCATE durable_transport_tasks').then(analyse).then(fill)],
    ['all leased, analysed', () => fill().then(lease).then(analyse)],
    [
      'all in one group, analysed',
      () =>
        fill()
          .then(() => run(`UPDATE durable_transport_tasks SET grp = 'g0', name = 'g0'`))
          .then(analyse),
    ],
  ];

  describe.each(states)('%s', (state, prepare) => {
    beforeAll(() => prepare(), 60_000);
    const scope = () => ({ tables, dialect: db.dialect, now: () => db.dialect.now });
    const claims = Array.from({ length: 100 }, (_, i) => ({ stepId: `r:${i}`, claimedBy: 'w', claimedAt: 1 }));
    const reports = claims.map((claim, seq) => ({
      claim,
      runId: 'r',
      seq,
      status: 'completed' as const,
      output: '1',
      error: null,
      startedAt: 1,
    }));
    const stepIds = claims.map(({ stepId }) => stepId);

    it.each([1, 20])('a claim from %d groups reads the index in its order', async (count) => {
      const groups = GROUPS.slice(0, count).map((group) => ({ group, limit: 100, since: 0 }));
      const request = { workerId: 'w', groups, names: GROUPS, limit: 100, leaseMs: 30_000 };
      for (const root of await plan(leases.claimTasks(scope(), request, 'w'))) {
        expect(new Set(scansOf(root))).toEqual(
          new Set([
            'Index Scan of durable_transport_tasks',
            'Tid Scan of durable_transport_tasks',
            'ModifyTable of durable_transport_tasks',
          ]),
        );
        expect(nodesOf(root)).not.toContain('Sort');
      }
    });

    it.each<[string, () => Statement]>([
      ['report', () => leases.reportTasks(scope(), reports, 's')],
      ['extend', () => leases.extendClaims(scope(), tables.tasks, claims)],
      ['release', () => leases.releaseClaims(scope(), tables.tasks, claims)],
      ['settle', () => leases.deleteClaimed(scope(), tables.results, claims)],
      ['lease', () => leases.leaseByKey(scope(), tables.results, stepIds, 'w', 1)],
      ['take', () => deleteAnswers(scope(), stepIds)],
      ['withdraw', () => withdrawPostgres(scope(), stepIds)],
      ['lost', () => selectAlive(scope(), stepIds)],
      ['dispatch', () => upsertTasksPostgres(scope(), [], 's')],
      ['peek', () => selectAnswers(scope(), 100, { createdAt: 0, stepId: '' })],
    ])('%s goes by index', async (_, statement) => {
      for (const root of await plan(statement())) {
        const scans = scansOf(root).filter((scan) => scan.startsWith('Seq'));
        // Where statistics call the table empty, its few pages may be read one after the other.
        expect(scans.length === 0 || state === 'bloated, then analysed').toBe(true);
      }
    });
  });
});
