import { MOST_SCANNED, SqlActLog } from '../../../lib/acts/acts.sql.js';
import { SqlHoldStore } from '../../../lib/acts/holds.sql.js';
import { SqlEffectInsight } from '../../../lib/effects/insight.sql.js';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import { SqlNodeRoster, SqlSampleStore } from '../../../lib/engine/nodes.sql.js';
import { SqlStory } from '../../../lib/engine/story.sql.js';
import { SqlUnfinishedRuns } from '../../../lib/engine/unfinished.sql.js';
import { SqlDeadLetters } from '../../../lib/outbox/storage.sql.js';
import type { OutboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { waitingTasks } from '../../../lib/worker/waiting-tasks.sql.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { FAR, insertParked, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { relayTables } from '../../support/outbox-relay-tables.js';
import { rowsReadBy } from '../../support/rows-read.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const ROWS = 100_000;
const AT_MOST = 20;
const FEW = 600;
/** What a page of acts looks at twice; MySQL and MariaDB put it aside in between, and look at each row by its id. */
const SCANNED = 7 * MOST_SCANNED + FEW;

describeDatabases(
  'the questions of operators, among 100,000 of everything',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let storage: OpenStorage;
    let outbox: OutboxTables;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 1 });
      db = executorOf(backend);
      storage = await sqlStorage(backend);
      outbox = await relayTables(db);
      const { query } = backend;
      await numbersTable(query, ROWS);
      const insert = (table: string, values: Record<string, string>, where = '1 = 1') =>
        query(
          `INSERT INTO durable_${table} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')} FROM numbers WHERE ${where}`,
        );
      await insertParked(query, ROWS);
      // The last ones in the order of ids.
      for (const [parent, ids] of Object.entries({ parent: '9', 'other parent': '8' }))
        await query(`UPDATE durable_runs SET parent_id = '${parent}' WHERE id LIKE 'parked-${ids}%'`);
      await insert('effects', {
        ...{
          entry_id: `CONCAT('e', n)`,
          operation: `'o'`,
          subject: `CONCAT('s', n)`,
          handler: `CONCAT('h', MOD(n, 5))`,
        },
        ...{ enqueued_at: 'n', status: `'pending'`, open: '1', ready: 'CASE WHEN MOD(n, 2) = 0 THEN 1 ELSE 0 END' },
        next_attempt_at: 'CASE WHEN MOD(n, 2) = 1 THEN n END',
      });
      await insert('acts', {
        at: 'n',
        actor: `CONCAT('actor-', MOD(n, 5))`,
        action: `CASE WHEN n = 7 THEN 'rare' WHEN MOD(n, 2) = 0 THEN 'retry' ELSE 'look' END`,
        kind: `CASE WHEN n = 5 THEN 'hold' ELSE 'run' END`,
        ...{ target: `CONCAT('run-', MOD(n, 50000))`, namespace: `''`, details: `'{}'`, outcome: `'done'` },
      });
      await insert('samples', {
        minute: '60000 * CAST(n AS decimal(20))',
        node: `CONCAT('n', n)`,
        namespace: `''`,
        body: `'{}'`,
      });
      await insert(
        'outbox',
        {
          ...{ mutation_id: `CONCAT('m', n)`, channel: `CONCAT('c', MOD(n, 2000))`, name: `'x'`, data: `'{}'` },
          processed: 'CASE WHEN MOD(n, 10) = 9 THEN TRUE ELSE FALSE END',
        },
        '1 = 1 ORDER BY n',
      );
      await insert('outbox_channels', {
        ...{ destination: `'a'`, channel: `CONCAT('c', n)`, failed_at: '1' },
        state: `CASE WHEN MOD(n, 5) = 0 THEN 'blocked' END`,
      });
      await insert('outbox_dead', {
        ...{ destination: `'a'`, sequence_id: 'n + 1', mutation_id: `'m'`, name: `'x'`, attempts: '1' },
        ...{ channel: `CASE WHEN n < 5000 THEN 'busy' ELSE CONCAT('c', n) END`, reason: `'failed'`, failed_at: '1' },
      });
      await insert('transport_tasks', {
        ...{ step_id: `CONCAT('t', n)`, run_id: `'r'`, seq: 'n', name: `'x'`, grp: `CONCAT('g', MOD(n, 40))` },
        ...{ attempt: '1', status: `'pending'`, created_at: 'n' },
      });
      await insert(
        'nodes',
        {
          ...{ id: `CONCAT('n', n)`, namespace: `''`, roles: `'engine'`, started_at: '1' },
          expires_at: `CASE WHEN n < 10 THEN ${FAR} ELSE n END`,
        },
        'n < 500',
      );
      await insert(
        'holds',
        {
          ...{ namespace: `CASE WHEN n < 5 THEN '' ELSE 'other' END`, kind: `'workflow'`, name: `CONCAT('w', n)` },
          ...{ since: '1', actor: `'ada'`, reason: `'r'` },
        },
        'n < 5000',
      );
      const tables = [
        'runs',
        'acts',
        'samples',
        'outbox',
        'outbox_channels',
        'outbox_dead',
        'transport_tasks',
        'effects',
      ];
      const analyzed = [...tables, 'nodes', 'holds'].map((table) => `durable_${table}`).join(', ');
      await query(at.db === 'postgres' ? `VACUUM ANALYZE ${analyzed}` : `ANALYZE TABLE ${analyzed}`);
    });
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });

    const scope = (): Scope => ({
      tables: tablesWithPrefix('durable'),
      dialect: db.dialect,
      now: () => db.dialect.now,
    });
    const acts = (on: SqlExecutor) => new SqlActLog(on, scope().tables);
    const letters = (on: SqlExecutor) => new SqlDeadLetters(on, { ...scope(), tables: outbox, retains: false });
    const range = { namespace: '', from: 0, until: FAR };

    type Ask = (on: SqlExecutor) => Promise<unknown>;
    const listed =
      (query: object): Ask =>
      (on) =>
        acts(on).list({ namespace: '', limit: 100, ...query });

    it.each<[string, number, Ask]>([
      ['acts', SCANNED, listed({})],
      ['acts of an actor', SCANNED, listed({ actor: 'actor-1' })],
      ['acts of nobody', FEW, listed({ actor: 'nobody' })],
      ['acts of nobody with a verb', FEW, listed({ actor: 'nobody', action: 'retry' })],
      ['acts of an actor with a verb of nobody', SCANNED, listed({ actor: 'actor-1', action: 'rare' })],
      ['acts of a kind', SCANNED, listed({ kind: 'hold' })],
      ['acts with a rare verb', FEW, listed({ action: 'rare' })],
      ['acts with a verb, of another namespace', SCANNED, listed({ action: 'retry', namespace: 'other' })],
      ['acts on something', FEW, listed({ target: 'run-7' })],
      ['acts on nothing', FEW, listed({ kind: 'run', target: 'nothing' })],
      ['acts of long ago', SCANNED, listed({ until: 500 })],
      ['acts of nobody since then', FEW, listed({ since: 99_000, actor: 'nobody' })],
      ['acts after the last one', FEW, listed({ since: FAR })],
      ['samples', FEW, (on) => new SqlSampleStore(on, scope().tables).range({ ...range, limit: 100 })],
      [
        'last samples',
        FEW,
        (on) => new SqlSampleStore(on, scope().tables).range({ ...range, limit: 100, keep: 'last' }),
      ],
      ['versions', 35_000, (on) => unfinished(on).versions({ namespace: '', afterId: '', scan: 10_000 })],
      // 2,000 channels, a few reads of each.
      ['the lag', 25_000, (on) => letters(on).lag('a', 10, AT_MOST)],
      ['standing channels', FEW, (on) => letters(on).standing('a', 100)],
      ['dead letters', FEW, (on) => letters(on).list({ destination: 'a', limit: 100 })],
      ['later dead letters', FEW, (on) => letters(on).list({ destination: 'a', limit: 100, after: '50000' })],
      ['dead letters of a channel', FEW, (on) => letters(on).list({ destination: 'a', channel: 'c90000', limit: 100 })],
      ['unserved tasks', 25_000, (on) => waitingTasks(on, scope(), { olderThanMs: 0, cursor: undefined })],
      ['children', FEW, (on) => story(on).children({ namespace: '', parentIds: ['parent'], limit: 101 })],
      // MySQL and MariaDB put the first ones of each parent aside.
      ['children of several', 2 * FEW, (on) => story(on).children({ namespace: '', parentIds: PARENTS, limit: 101 })],
      // Of each handler 100, and 1,000 that were never queued; MySQL and MariaDB put both aside.
      ['unclaimed effects', 5_500, (on) => effects(on).unclaimed(1)],
      ['holds', FEW, (on) => new SqlHoldStore(on, scope().tables, storage.notifier!).list('')],
      ['nodes', 3_000, (on) => new SqlNodeRoster(on, scope().tables).nodes()],
    ])('%s: a part of them is read', async (_name, most, ask) => {
      expect(await rowsReadBy(db, ask)).toBeLessThan(most);
    });

    const PARENTS = ['other parent', 'nobody', 'parent'];
    const story = (on: SqlExecutor) => new SqlStory(on, scope().tables);
    const effects = (on: SqlExecutor) => new SqlEffectInsight(on, { ...scope(), tables: effectTables('durable') });
    const unfinished = (on: SqlExecutor) => new SqlUnfinishedRuns(on, scope().tables);

    it('acts that few pages have are all found, page by page', async () => {
      const found: string[] = [];
      let pages = 0;
      for (let before: string | undefined; ; pages++) {
        const page = await acts(db).list({ namespace: '', limit: 10, kind: 'hold', ...(before && { before }) });
        found.push(...page.acts.map(({ target }) => target));
        if (page.next === undefined) break;
        before = page.next;
      }
      expect(found).toEqual(['run-5']);
      expect(pages).toBe(ROWS / MOST_SCANNED);
      const { acts: old } = await acts(db).list({ namespace: '', limit: 3, since: 40_000, until: 40_002 });
      expect(old.map(({ at: time }) => time.getTime())).toEqual([40_001, 40_000]);
    });

    it('dead letters are requeued part by part', async () => {
      expect(await letters(db).requeue('a', 'busy')).toBe(5_000);
      expect(await letters(db).requeue('a', 'c90000', ['90001', '90002'])).toBe(1);
    });
  },
  { only: ({ orm }: Backend) => orm === 'typeorm' },
);
