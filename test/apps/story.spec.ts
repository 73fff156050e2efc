import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  Effects,
  InvalidArgumentError,
  memoryBackend,
  OutboxOperations,
  type Story,
  type StoryEntry,
  WorkflowClient,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { asked, Aggregate, PersonBroker, PersonChild, PersonLife, PersonSteps, told } from '../support/erasure-life.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

const PROVIDERS = [PersonLife, PersonChild, Aggregate, PersonSteps, PersonBroker];
const OPTIONS = {
  outbox: { retain: '1h', pollInterval: '50ms', debounce: '5ms' },
  effects: { pollInterval: '20ms' },
} as const;
const BY = { actor: 'ada', reason: 'a customer asked' };
const attributes = { order: '42' };
const NOTE = 'a-note-of-a-person';

const kinds = (entries: readonly StoryEntry[]): string[] => entries.map(({ kind }) => kind);

const has = (entries: readonly StoryEntry[], text: string): boolean => JSON.stringify(entries).includes(text);

/** The fields that everything has are left out. */
function lines(entries: readonly StoryEntry[], ...only: string[]): string[] {
  return entries
    .filter(({ kind }) => only.length === 0 || only.includes(kind))
    .map((entry) => `${entry.kind}${'name' in entry ? ` ${entry.name}` : ''}`);
}

function tellsStories(boot: () => Promise<INestApplicationContext>): void {
  let app: INestApplicationContext;
  let workflows: WorkflowClient;

  /** One run that goes through everything, one that fails, and one of another key. */
  beforeAll(async () => {
    app = await boot();
    workflows = app.get(WorkflowClient);
    const life = await workflows.start(PersonLife, { id: 'a', note: NOTE, waits: true }, { id: 'life-a', attributes });
    await workflows.signal(told, { note: NOTE }, { workflowId: 'life-a', ...BY });
    await workflows.signal(asked, { note: NOTE }, { key: 'key-a' });
    const failing = await workflows.start(
      PersonLife,
      { id: 'f', note: NOTE, fails: true },
      { id: 'life-f', attributes },
    );
    await workflows.start(PersonChild, { note: 'other' }, { id: 'other', attributes: { order: '43' } });
    await Promise.all([life.result(), failing.result().catch(() => undefined), workflows.result('other')]);
    const letters = app.get(OutboxOperations);
    for (const id of ['a', 'f'])
      await until('the dead letter', async () => {
        const found = await letters.deadLetters({ destination: 'broker', channel: `refused.${id}` });
        return found.length === 1;
      });
    await until('the calls have ended', async () => (await app.get(Effects).statusCounts()).succeeded === 2);
  });

  const paged = async (limit: number): Promise<Story> => {
    const all: StoryEntry[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await workflows.story({ attribute: attributes }, { limit, ...(cursor && { cursor }) });
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      all.push(...page.entries);
      if (page.cursor === undefined) return { ...page, entries: all };
      cursor = page.cursor;
    }
  };

  it('tells everything of a business key in the order of time', async () => {
    const story = await workflows.story({ attribute: attributes });
    const { entries, cursor, complete, runs } = story;
    expect({ cursor, complete, runs }).toEqual({ cursor: undefined, complete: true, runs: 4 });
    const times = entries.map(({ at }) => at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(has(entries, '"other"')).toBe(false);
    const ofLife = entries.filter(({ runId }) => runId === 'life-a');
    expect(kinds(ofLife)[0]).toBe('run.created');
    // An event of a run may die after it.
    expect(kinds(ofLife.filter(({ kind }) => kind !== 'event.dead')).at(-1)).toBe('run.ended');
    expect(lines(ofLife, 'step.asked', 'step.attempt', 'step.ended')).toEqual([
      ...['step.asked once more', 'step.attempt once more', 'step.ended once more'],
      ...['step.asked erasure.remote', 'step.attempt erasure.remote', 'step.ended erasure.remote'],
    ]);
    expect(lines(ofLife, 'wait.begun', 'wait.ended', 'signal.taken').sort()).toEqual([
      ...['signal.taken by key', 'signal.taken own'],
      ...['wait.begun by key', 'wait.begun noted', 'wait.begun own', 'wait.ended noted'],
    ]);
    for (const kind of ['event.published', 'signal.sent'])
      expect(kinds(ofLife).filter((other) => other === kind)).toHaveLength(2);
    const once = ['run.started', 'child.asked', 'child.ended', 'effect.asked', 'effect.attempted', 'effect.ended'];
    for (const kind of [...once, 'event.dead', 'act', 'run.ended'])
      expect(kinds(ofLife).filter((other) => other === kind)).toEqual([kind]);
    const find = (kind: string, runId: string) => entries.find((entry) => entry.kind === kind && entry.runId === runId);
    const { childId } = find('child.asked', 'life-a') as Extract<StoryEntry, { kind: 'child.asked' }>;
    expect(kinds(entries.filter(({ runId }) => runId === childId))).toEqual(
      expect.arrayContaining(['run.created', 'step.ended', 'run.ended']),
    );
    expect(find('run.created', childId!)).toMatchObject({ parentId: 'life-a', workflow: 'erasure.child' });
    expect(find('act', 'life-a')).toMatchObject({ ...BY, action: 'signal', target: { kind: 'run', id: 'life-a' } });
    expect(find('event.dead', 'life-f')).toMatchObject({ destination: 'broker', channel: 'refused.f', attempts: 1 });
    expect(find('effect.ended', 'life-f')).toMatchObject({ status: 'succeeded', handler: 'erasure.crm', error: null });
    expect(find('run.ended', 'life-f')).toMatchObject({ status: 'failed', error: { message: `failed with ${NOTE}` } });
    expect(find('step.attempt', 'life-a')).toMatchObject({ attempt: 1, outcome: 'failed' });
  });

  it('tells the same page by page', async () => {
    const whole = await workflows.story({ attribute: attributes });
    for (const limit of [1, 3, 7]) expect(await paged(limit)).toEqual(whole);
    expect(await workflows.story({ id: ['life-a', 'life-f'] }, { limit: 1_000 })).toEqual(whole);
  });

  it('leaves payloads out unless they are asked for', async () => {
    const valued = ['input', 'output', 'payload', 'ref', 'details'];
    const fields = (entries: readonly StoryEntry[]) => new Set(entries.flatMap((entry) => Object.keys(entry)));
    const without = fields((await workflows.story({ id: 'life-a' })).entries);
    expect(valued.filter((field) => without.has(field))).toEqual([]);
    const { entries } = await workflows.story({ id: 'life-a' }, { payloads: true });
    expect(valued.filter((field) => !fields(entries).has(field))).toEqual([]);
    const ended = entries.find(({ kind, runId }) => kind === 'run.ended' && runId === 'life-a');
    expect(ended).toMatchObject({ output: { done: NOTE } });
    expect(entries.filter(({ kind }) => kind === 'signal.sent')).toMatchObject([
      { payload: { note: NOTE } },
      { payload: { note: NOTE } },
    ]);
  });

  it('refuses what names nobody', async () => {
    for (const target of [{}, { attribute: {} }, { id: [] }, { id: '' }, null, { attribute: { order: {} } }])
      await expect(workflows.story(target as never)).rejects.toThrow(InvalidArgumentError);
    for (const options of [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { cursor: 'x' }, { cursor: 'WzEsMl0' }])
      await expect(workflows.story({ id: 'life-a' }, options)).rejects.toThrow(InvalidArgumentError);
  });

  it('tells of a deleted run what operators did', async () => {
    await workflows.delete('other', BY);
    const { entries, runs } = await workflows.story({ id: ['other', 'nobody'] });
    expect(runs).toBe(2);
    expect(entries).toMatchObject([{ kind: 'act', action: 'delete', runId: 'other', erased: false }]);
  });

  it('tells of erased runs that they were erased, and nothing of what they held', async () => {
    await workflows.erase({ attribute: attributes }, { ...BY, discard: true });
    expect((await workflows.story({ attribute: attributes })).entries).toEqual([]);
    const { entries } = await workflows.story({ id: 'life-a' }, { payloads: true });
    expect(has(entries, NOTE)).toBe(false);
    expect(entries.every(({ erased }) => erased)).toBe(true);
    expect(kinds(entries)).toEqual(expect.arrayContaining(['run.created', 'run.erased', 'step.ended', 'act']));
  });
}

describe('stories [in memory]', () => {
  let app: INestApplicationContext;
  afterAll(() => app.close());
  tellsStories(async () => {
    const imports = [DurableModule.forRoot({ backend: memoryBackend(), ...OPTIONS })];
    return (app = await bootApp({ imports, providers: PROVIDERS }));
  });
});

describeDatabases('stories', ({ orm, db }) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let app: INestApplicationContext;
  beforeAll(async () => {
    database = await createDatabase(db);
  });
  afterAll(async () => {
    await app?.close();
    await database.close();
  });
  tellsStories(async () => {
    const imports = [ormModule(orm, database), DurableModule.forRoot(OPTIONS)];
    return (app = await bootApp({ imports, providers: PROVIDERS }));
  });
});
