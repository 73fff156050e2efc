import { withDatabase } from '../../../lib/cli/database.js';
import { taskOf } from '../../../lib/conformance/transport.js';
import { type DurableNode, MINUTE_MS } from '../../../lib/engine/nodes.js';
import { SqlSampleStore } from '../../../lib/engine/nodes.sql.js';
import { type QueuesPage, queuesPage } from '../../../lib/operate/overview.js';
import { GroupFlow } from '../../../lib/operate/samples.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { raw } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { SqlTaskDispatcher, SqlTaskSource } from '../../../lib/worker/transport.sql.js';
import { describeDatabases } from '../../support/backends.js';
import { createDatabase, type FreshDatabase } from '../../support/fresh-database.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes a database of its own, or a server');

/** Sorted by their bytes, `B D Z` come first; as in English, `a B c D e Z`. */
const WAITING = ['a', 'c', 'D', 'Z'];
const SERVED = ['B', 'D', 'e', 'ü', '1', '2'];
/** When processes write what they have counted. */
const NOW = Date.parse('2030-01-02T03:04:05Z');

/** By process, in one minute. */
const COUNTED = { engine: { 'group.in D': 7 }, one: { 'group.out D': 1 }, two: { 'group.out D': 2, 'group.in d': 9 } };

describeDatabases('pages of queues, with groups that only a process serves', ({ db }) => {
  const databases: FreshDatabase[] = [];
  afterAll(() => Promise.all(databases.map((database) => database.close())));

  /** All pages, or that of one group. */
  const pagesOf = async (database: FreshDatabase, limit: number, group?: string): Promise<QueuesPage[]> =>
    withDatabase(database.url, async (executor) => {
      const tables = tablesWithPrefix('durable');
      await migrate(executor, tables);
      const notifier = createNotifier(executor, 'durable', () => undefined);
      const dispatcher = new SqlTaskDispatcher(executor, tables, notifier);
      await dispatcher.dispatch(WAITING.map((group, seq) => taskOf(seq, { group })));
      const samples = new SqlSampleStore(executor, tables, () => raw(String(NOW)));
      for (const [node, counts] of Object.entries(COUNTED))
        await samples.write({ namespace: node, node, body: JSON.stringify({ counts }) });
      const groups = Object.fromEntries(SERVED.map((group) => [group, ['charge']]));
      const ports = {
        source: new SqlTaskSource(executor, tables, notifier),
        holds: { list: async () => [] },
        nodes: async () => [{ id: 'n', host: 'h', draining: null, serves: { groups } } as unknown as DurableNode],
        // The minute of the samples is over.
        flow: new GroupFlow(samples, () => NOW + MINUTE_MS),
        namespace: '',
      };
      const pages: QueuesPage[] = [];
      let cursor: string | undefined;
      do {
        pages.push(
          await queuesPage(ports, { limit, ...(group && { group }), ...(cursor !== undefined && { cursor }) }),
        );
        ({ cursor } = pages.at(-1)!);
      } while (cursor !== undefined && pages.length < 20);
      return pages;
    });

  it.each(db === 'postgres' ? [undefined, 'en-US'] : [undefined])(
    'show each group once, and at most as many as were asked for [sorted as %s]',
    async (locale) => {
      const database = await createDatabase(db, undefined, locale === undefined ? {} : { locale });
      databases.push(database);
      for (const limit of [2, 3, 100]) {
        const pages = await pagesOf(database, limit);
        const groups = pages.flatMap(({ queues }) => queues.map(({ group }) => group));
        expect([...groups].sort()).toEqual([...new Set([...WAITING, ...SERVED])].sort());
        expect(Math.max(...pages.map(({ queues }) => queues.length))).toBeLessThanOrEqual(limit);
        const whole = await pagesOf(database, 100);
        expect(groups).toEqual(whole[0]!.queues.map(({ group }) => group));
        const D = pages.flatMap(({ queues }) => queues).find(({ group }) => group === 'D');
        expect(D).toMatchObject({ waiting: 1, servedBy: [{ id: 'n' }], perMinute: { in: 7, out: 3 } });
        const a = pages.flatMap(({ queues }) => queues).find(({ group }) => group === 'a');
        expect(a).toMatchObject({ perMinute: { in: 0, out: 0 } });
      }
      for (const [group, found] of [
        ['D', [{ group: 'D', waiting: 1, servedBy: [{ id: 'n' }] }]],
        ['ü', [{ group: 'ü', waiting: 0 }]],
        // Nobody serves it, and it has no tasks.
        ['d', []],
      ] as const) {
        const pages = await pagesOf(database, 1, group);
        expect(pages).toMatchObject([{ queues: found }]);
        expect(pages[0]!.queues).toHaveLength(found.length);
      }
    },
  );
});
