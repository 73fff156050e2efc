import { inspect } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Effects,
  InvalidArgumentError,
  memoryBackend,
  type MemoryBackend,
  OutboxOperations,
  WorkflowClient,
  WorkflowErasedError,
} from '../../lib/index.js';
import type { PollLoop } from '../../lib/core/loops.js';
import { stateOf } from '../../lib/memory-backend.js';
import { ProcessRuntime } from '../../lib/nest/runtime.js';
import { describeDatabases } from '../support/backends.js';
import {
  Aggregate,
  asked,
  PersonBroker,
  PersonChild,
  PersonLife,
  PersonSteps,
  SECRET,
  told,
} from '../support/erasure-life.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { PERSONAL_COLUMNS } from '../support/personal-columns.js';
import { until } from '../support/until.js';

const PROVIDERS = [PersonLife, PersonChild, Aggregate, PersonSteps, PersonBroker];
const OPTIONS = {
  outbox: { retain: '1h', pollInterval: '50ms', debounce: '5ms' },
  effects: { pollInterval: '20ms' },
} as const;
const BY = { actor: 'ada', reason: 'they asked for it' };

/** Where an app keeps what it stores, and how to find a text in it. */
interface Place {
  boot(): Promise<INestApplicationContext>;
  /** The places that hold the text. */
  find(text: string): Promise<string[]>;
}

function erasesPersons(place: () => Place): void {
  let app: INestApplicationContext;
  let workflows: WorkflowClient;
  beforeEach(async () => {
    app = await place().boot();
    workflows = app.get(WorkflowClient);
  });
  const deadLetters = async (channel: string) =>
    (await app.get(OutboxOperations).deadLetters({ destination: 'broker', channel })).length;

  it('erases all that a busy life has left, and nothing of anybody else', async () => {
    const note = SECRET;
    const attributes = { customer: SECRET };
    const life = await workflows.start(PersonLife, { id: 'a', note }, { id: 'life-a', attributes });
    const failing = await workflows.start(PersonLife, { id: 'f', note, fails: true }, { id: 'life-f', attributes });
    const other = await workflows.start(
      PersonLife,
      { id: 'o', note: 'other' },
      { id: 'life-o', attributes: { customer: 'c2' } },
    );
    await workflows.signal(told, { note }, { workflowId: 'life-a' });
    await app.get(Effects).enqueue({
      operation: 'mine',
      subject: SECRET,
      calls: [{ handler: 'erasure.crm', ref: SECRET, payload: { note: `abandoned ${SECRET}` } }],
    });
    await workflows.signal(asked, { note }, { key: 'never taken' });
    await workflows.start(Aggregate, { note: 'many' }, { id: 'parent' });
    await Promise.all([life.result(), failing.result().catch(() => undefined), other.result()]);
    await workflows.result('parent');
    for (const id of ['a', 'f', 'o'])
      await until('the dead letter', async () => (await deadLetters(`refused.${id}`)) === 1);
    await until('it is abandoned', async () => (await app.get(Effects).statusCounts()).abandoned === 1);
    const before = await workflows.getStatus('life-o', { history: true });
    expect((await place().find(SECRET)).length).toBeGreaterThan(9);

    const target = {
      attribute: { customer: SECRET },
      effects: [{ operation: 'mine', subject: SECRET }],
      signals: [{ signal: asked, key: 'never taken' }],
    };
    const kept = await workflows.erase(target, BY);
    expect(kept).toMatchObject({ complete: false, underWay: 0, left: 3 });
    expect(kept.kept.map(({ kind }) => kind).sort()).toEqual(['dead-letter', 'dead-letter', 'effect']);
    expect(kept.erased).toMatchObject({ runs: 4, effects: 2, events: 4, signals: 2 });
    const report = await workflows.erase({ ...target, id: ['life-a', 'life-f'] }, { ...BY, discard: true });
    expect(report).toMatchObject({ complete: true, left: 0, erased: { effects: 1, deadLetters: 2 } });
    expect(await place().find(SECRET)).toEqual([]);

    expect(await workflows.getStatus('life-o', { history: true })).toEqual(before);
    const erased = await workflows.getStatus('life-f', { history: true });
    expect(erased).toMatchObject({
      erased: true,
      status: 'failed',
      input: null,
      error: null,
      attributes: {},
      logs: [],
    });
    expect(erased.history!.length).toBe(before.history!.length);
    await expect(workflows.result('life-a')).rejects.toThrow(WorkflowErasedError);
    await expect(workflows.retry('life-f')).rejects.toThrow(WorkflowErasedError);
    // The same start again answers the erased run; a new life begins if it is asked for.
    expect(await workflows.start(PersonLife, { id: 'f', note: 'x' }, { id: 'life-f' })).toMatchObject({
      created: false,
    });
    const again = await workflows.start(
      PersonLife,
      { id: 'f', note: 'x' },
      { id: 'life-f', idReuse: 'allow-if-failed' },
    );
    expect(again.created).toBe(true);
    await again.result();
    expect(await workflows.getStatus('life-f')).toMatchObject({ erased: false, output: { done: 'x' } });
    // Nothing is left to be done.
    const idle = await workflows.erase({ id: ['life-a', 'nobody'] }, { ...BY, discard: true });
    expect(Object.values(idle.erased).every((count) => count === 0)).toBe(true);
    expect(idle.complete).toBe(true);
  });

  it('erases runs that are under way when they end', async () => {
    const attributes = { customer: SECRET };
    const ids = Array.from({ length: 5 }, (_, n) => `way-${n}`);
    for (const id of ids) await workflows.start(PersonLife, { id, note: SECRET, waits: true }, { id, attributes });
    await until('they wait', async () => {
      const histories = await Promise.all(ids.map((id) => workflows.getStatus(id, { history: true })));
      return histories.every(({ history }) => history!.at(-1)?.name === 'own');
    });
    const report = await workflows.erase({ attribute: attributes }, { ...BY, discard: true });
    expect(report).toMatchObject({ underWay: 5, complete: false });
    expect(report.kept[0]).toMatchObject({ kind: 'run', id: 'way-0' });
    expect(await workflows.getStatus('way-0')).toMatchObject({ erased: false, attributes });
    for (const id of ids) {
      await workflows.signal(told, { note: SECRET }, { workflowId: id });
      await workflows.signal(asked, { note: SECRET }, { key: `key-${id}` });
    }
    for (const id of ids) await workflows.result(id).catch(() => undefined);
    // What looks for them every few seconds looks now.
    const eraser = app.get(ProcessRuntime).vitals.loops['erasure'] as PollLoop;
    await until('all are erased', async () => {
      eraser.wake();
      return (await place().find(SECRET)).length === 0;
    });
    for (const id of ids) expect(await workflows.getStatus(id)).toMatchObject({ erased: true, status: 'completed' });
  });

  it('erases the outcome of a child in the history of its parent, and not the parent', async () => {
    await workflows.start(Aggregate, { note: SECRET }, { id: 'sum' });
    await workflows.result('sum');
    const report = await workflows.erase({ attribute: { customer: SECRET } }, BY);
    expect(report).toMatchObject({ complete: true, erased: { runs: 1 } });
    const { history, ...parent } = await workflows.getStatus('sum', { history: true });
    expect(parent).toMatchObject({ erased: true, output: 'one person more' });
    expect(history).toMatchObject([{ kind: 'child', output: null }]);
    expect(await workflows.result('sum')).toBe('one person more');
  });

  it('refuses what names nobody, and whoever does not say who and why', async () => {
    for (const target of [{}, { attribute: {} }, { id: [] }, { id: '' }, { signals: 'x' }, { channels: [''] }, null])
      await expect(workflows.erase(target as never, BY)).rejects.toThrow(InvalidArgumentError);
    for (const by of [{}, { actor: 'ada' }, { actor: '', reason: 'x' }, { actor: 'ada', reason: '' }])
      await expect(workflows.erase({ id: 'x' }, by as never)).rejects.toThrow(InvalidArgumentError);
  });
}

describe('erasing persons [in memory]', () => {
  let backend: MemoryBackend;
  let app: INestApplicationContext;
  afterEach(() => app.close());
  erasesPersons(() => ({
    boot: async () => {
      backend = memoryBackend();
      app = await bootApp({ imports: [DurableModule.forRoot({ backend, ...OPTIONS })], providers: PROVIDERS });
      return app;
    },
    find: async (text) => {
      const { tables, rows, events, effects, acts } = stateOf(backend);
      const all = Object.entries({ ...tables, ...rows, ...events, ...effects, ...acts });
      return all
        .filter(([, table]) =>
          inspect(table, { depth: 20, maxStringLength: null, maxArrayLength: null }).includes(text),
        )
        .map(([name]) => name);
    },
  }));
});

describeDatabases('the columns of the tables', ({ orm, db }) => {
  it('with texts are known, and what an erasure does with them', async () => {
    const database = await createDatabase(db);
    const app = await bootApp({ imports: [ormModule(orm, database), DurableModule.forRoot(OPTIONS)] });
    await app.close();
    const schema = db === 'postgres' ? 'current_schema()' : 'DATABASE()';
    // A computed column holds what another one does.
    const computed = db === 'postgres' ? '' : ` AND extra NOT LIKE '%GENERATED%'`;
    const columns = await database.query(
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = ${schema}
       AND (data_type LIKE '%char%' OR data_type LIKE '%text%' OR data_type LIKE 'json%') AND table_name LIKE 'durable\\_%'${computed}`,
    );
    await database.close();
    const found: Record<string, string[]> = {};
    for (const { t, c } of columns) (found[String(t).replace('durable_', '')] ??= []).push(String(c));
    const known = Object.entries(PERSONAL_COLUMNS).filter(([table]) => table !== 'outbox_era' || db !== 'postgres');
    const sorted = (tables: [string, string[]][]) => Object.fromEntries(tables.map(([t, names]) => [t, names.sort()]));
    expect(sorted(Object.entries(found))).toEqual(sorted(known.map(([table, fates]) => [table, Object.keys(fates)])));
  });
});

describeDatabases('erasing persons', ({ orm, db }) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let app: INestApplicationContext;
  beforeEach(async () => {
    database = await createDatabase(db);
  });
  afterEach(async () => {
    await app?.close();
    await database.close();
  });
  erasesPersons(() => ({
    boot: async () => {
      const imports = [ormModule(orm, database), DurableModule.forRoot(OPTIONS)];
      app = await bootApp({ imports, providers: PROVIDERS });
      return app;
    },
    find: async (text) => {
      const schema = db === 'postgres' ? 'current_schema()' : 'DATABASE()';
      const tables = await database.query(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const rows = await database.query(`SELECT * FROM ${String(name)}`);
        for (const row of rows)
          for (const [column, value] of Object.entries(row))
            if (JSON.stringify(value ?? null).includes(text)) found.push(`${String(name)}.${column}`);
      }
      return [...new Set(found)].sort();
    },
  }));
});
