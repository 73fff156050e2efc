import pg from 'pg';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { SESSION_SETTINGS } from '../../../lib/sql/pg-sessions.js';
import { raw, sql, type Statement } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import * as leases from '../../../lib/worker/leases.postgres.sql.js';
import {
  deleteAnswers,
  deleteTasks,
  selectAlive,
  selectAnswers,
  selectHolders,
  takeAnswersPostgres,
} from '../../../lib/worker/tasks.sql.js';
import { backends, type OpenBackend } from '../../support/backends.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

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
const indexesOf = (node: PlanNode): string[] => [node['Index Name'] ?? [], (node.Plans ?? []).map(indexesOf)].flat(2);
const nodesOf = (node: PlanNode): string[] => [node['Node Type'], ...(node.Plans ?? []).flatMap(nodesOf)];

const onPostgres = backends.find(({ orm, db }) => orm === 'typeorm' && db === 'postgres');

(onPostgres ? describe : describe.skip)('T18: plans on PostgreSQL', () => {
  let backend: OpenBackend;
  let db: SqlExecutor;
  const tables = tablesWithPrefix('durable');
  const run = (text: string) => db.run(raw(text));

  beforeAll(async () => {
    backend = await onPostgres!.open({ poolMax: 1 });
    db = typeOrmExecutor(backend.handle as object);
    await migrate(db, tables, { part: 'transport' });
    await run('ALTER TABLE durable_transport_tasks SET (autovacuum_enabled = false)');
    await run('ALTER TABLE durable_transport_results SET (autovacuum_enabled = false)');
  });
  afterAll(() => backend.close());

  async function plan(statement: Statement): Promise<PlanNode> {
    const { rows } = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN (FORMAT JSON) ${statement}`);
    return (JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }])[0].Plan;
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

  const scope = () => ({ tables, dialect: db.dialect, now: () => db.dialect.now });
  const claims = Array.from({ length: 100 }, (_, i) => ({ stepId: `r:${i}`, claimedBy: 'w', claimedAt: 1 }));
  const reports = claims.map((claim, seq) => {
    const answer = { status: 'completed' as const, output: '1', error: null, startedAt: 1 };
    return { claim, runId: 'r', seq, attempt: 1, ...answer };
  });
  const stepIds = claims.map(({ stepId }) => stepId);
  const claimFrom = (count: number) => {
    const groups = GROUPS.slice(0, count).map((group) => ({ group, limit: 100, since: 0 }));
    return leases.claimTasks(scope(), { workerId: 'w', groups, names: GROUPS, limit: 100, leaseMs: 30_000 }, 'w');
  };
  const others: [string, () => Statement][] = [
    ['report', () => leases.reportTasks(scope(), reports, { sender: 's' })],
    ['extend', () => leases.extendClaims(scope(), tables.tasks, claims)],
    ['release', () => leases.releaseClaims(scope(), tables.tasks, claims)],
    ['settle', () => leases.deleteClaimed(scope(), tables.results, claims)],
    ['lease', () => leases.leaseByKey(scope(), tables.results, stepIds, 'w', 1)],
    ['take', () => deleteAnswers(scope(), stepIds)],
    ['withdraw tasks', () => deleteTasks(scope(), stepIds)],
    ['withdraw answers', () => takeAnswersPostgres(scope(), stepIds)],
    ['lost', () => selectAlive(scope(), stepIds)],
    ['lost claims', () => selectHolders(scope(), stepIds)],
    ['peek', () => selectAnswers(scope(), 100, { createdAt: 0, stepId: '' })],
  ];

  describe.each(states)('%s', (state, prepare) => {
    beforeAll(() => prepare(), 60_000);

    it.each([1, 20])('a claim from %d groups reads the index in its order', async (count) => {
      const root = await plan(claimFrom(count));
      const scans = ['Index Scan', 'Tid Scan', 'ModifyTable'].map((node) => `${node} of durable_transport_tasks`);
      expect(new Set(scansOf(root))).toEqual(new Set(scans));
      expect(nodesOf(root)).not.toContain('Sort');
    });

    it.each(others)('%s goes by index', async (_, statement) => {
      const scans = scansOf(await plan(statement())).filter((scan) => scan.startsWith('Seq'));
      // Where statistics call the table empty, its few pages may be read one after the other.
      expect(scans.length === 0 || state === 'bloated, then analysed').toBe(true);
    });
  });

  it.each([2, 3, 9])('%i rows among many dead ones are found by their key, as by no other index', async (left) => {
    await fill();
    const { host, port, user, password, database } = backend;
    const holder = new pg.Client({ host, port, user, password, database });
    await holder.connect();
    try {
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await holder.query('SELECT count(*) FROM durable_transport_results');
      for (const table of ['durable_transport_tasks', 'durable_transport_results']) {
        await run(`DELETE FROM ${table} WHERE seq > ${left}`);
        await run(`VACUUM ANALYZE ${table}`);
      }
      // As in sessions of our own.
      for (const [name, value] of SESSION_SETTINGS) await run(`SET ${name} = ${value}`);
      const used: Record<string, string[]> = {};
      for (const [name, statement] of others) used[name] = indexesOf(await plan(statement()));
      const { peek, ...byKey } = used;
      expect(new Set(peek)).toEqual(new Set(['durable_transport_results_collect']));
      expect(Object.entries(byKey).filter(([, names]) => names.some((name) => !name.endsWith('_pkey')))).toEqual([]);
    } finally {
      await run('RESET ALL');
      await holder.end();
    }
  });

  it.each(['SELECT 1', 'VACUUM ANALYZE durable_transport_tasks, durable_transport_results'])(
    'keeps no plan of an empty table (%s)',
    async (prepare) => {
      await run('TRUNCATE durable_transport_tasks, durable_transport_results');
      await run(prepare);
      for (let n = 0; n < 8; n++) {
        await db.run(claimFrom(20));
        for (const [, statement] of others) await db.run(statement());
      }
      const { rows } = await db.run<{ statement: string }>(
        raw(
          `SELECT statement FROM pg_prepared_statements WHERE generic_plans > 0 AND cardinality(parameter_types) > 0`,
        ),
      );
      expect(rows).toEqual([]);
      const { rows: all } = await db.run(
        raw(`SELECT 1 FROM pg_prepared_statements WHERE custom_plans >= 8 AND cardinality(parameter_types) > 0`),
      );
      expect(all).toHaveLength(1 + others.length);
    },
  );
});
