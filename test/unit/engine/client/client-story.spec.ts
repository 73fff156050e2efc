import { InMemoryActLog } from '../../../../lib/acts/acts.memory.js';
import { type Codec, jsonCodec, UnreadablePayload } from '../../../../lib/core/codec.js';
import { ManualClock } from '../../../../lib/core/time.js';
import { ClientStory } from '../../../../lib/engine/client/insight.js';
import { PUBLISHED } from '../../../../lib/engine/erasure.js';
import { Payloads } from '../../../../lib/engine/payloads.js';
import { inMemoryEngineStorage } from '../../../../lib/engine/storage.memory.js';
import { MemoryTables } from '../../../../lib/engine/tables.memory.js';
import { claim, commit, newRun, signIn, stepOf, writeOf } from '../../../contract/conformance/fixtures.js';

const none = async () => undefined;

function storyOn(codec: Codec = jsonCodec) {
  const clock = new ManualClock();
  const storage = inMemoryEngineStorage(clock, () => [], new MemoryTables(), new InMemoryActLog(clock));
  const payloads = new Payloads(codec, { payloadBytes: 1_000 });
  return { clock, storage, story: new ClientStory({ storage, payloads, namespace: '' }) };
}

describe('a story', () => {
  it('shows values and errors that the codec of the app cannot read as such', async () => {
    const broken: Codec = {
      encode: (value) => JSON.stringify(value),
      decode: () => {
        throw new Error('the key is gone');
      },
    };
    const { clock, storage, story } = storyOn(broken);
    await storage.catalog.create([newRun('a')]);
    await signIn({ ...storage, clock });
    const [run] = await claim({ ...storage, clock });
    const step = stepOf('a', 0, {
      status: 'failed',
      settled: 1,
      output: 'x',
      error: '{"message":"Sealed","code":"declined","sealed":"y"}',
      finishedAt: 3,
    });
    await commit({ ...storage, clock }, writeOf(run!, { steps: [step] }));
    const { entries } = await story.story({ id: 'a' }, { payloads: true });
    const unreadable = new UnreadablePayload('the key is gone');
    expect(entries.find(({ kind }) => kind === 'run.created')).toMatchObject({ input: unreadable });
    expect(entries.find(({ kind }) => kind === 'step.ended')).toMatchObject({
      output: unreadable,
      error: { code: 'declined', message: expect.stringContaining('the key is gone') as string },
    });
  });

  it('tells what started a run, and why it is blocked', async () => {
    const { clock, storage, story } = storyOn();
    await storage.catalog.create([newRun('a', { scheduleId: 'nightly' })]);
    await signIn({ ...storage, clock });
    const [run] = await claim({ ...storage, clock });
    const steps = [
      stepOf('a', 0, { status: 'completed', settled: 1, createdAt: clock.now() + 1, finishedAt: clock.now() + 2 }),
    ];
    const reason = { reason: 'non_determinism', detail: 'it does not fit' } as const;
    const transition = { status: 'suspended', wakeAt: null, settled: 1, ...reason } as const;
    await commit({ ...storage, clock }, writeOf(run!, { steps, transition }));
    clock.advance(10);
    const { entries } = await story.story({ id: 'a' }, {});
    expect(entries.map(({ kind }) => kind)).toEqual([
      ...['schedule.fired', 'run.created', 'run.started', 'step.asked', 'step.ended', 'run.blocked'],
    ]);
    expect(entries[0]).toMatchObject({ scheduleId: 'nightly' });
    expect(entries.at(-1)).toMatchObject({
      reason: 'non_determinism',
      detail: 'it does not fit',
      at: entries.at(-2)!.at,
    });
  });

  it('goes on where a page ended, even if the run of its last entry is gone, and others came before it', async () => {
    const { storage, story } = storyOn();
    await storage.catalog.create(['b', 'd', 'f'].map((id) => newRun(id, { attributes: { order: 1 } })));
    const page = (cursor?: string) => story.story({ attribute: { order: 1 } }, { limit: 2, ...(cursor && { cursor }) });
    const first = await page();
    expect(first.entries.map(({ runId }) => runId)).toEqual(['b', 'd']);
    await storage.catalog.create(['a', 'e'].map((id) => newRun(id, { attributes: { order: 1 } })));
    await storage.control.close('d', 'terminated', none);
    await storage.removal.delete(['d'], none);
    const second = await page(first.cursor);
    expect(second.entries.map(({ runId }) => runId)).toEqual(['e', 'f']);
    expect(second.cursor).toBeUndefined();
  });

  it('says so if more runs belong to it than it tells of, and tells of none of another namespace', async () => {
    const { storage, story } = storyOn();
    const ids = Array.from({ length: 1_001 }, (_, n) => `r${String(n).padStart(4, '0')}`);
    await storage.catalog.create(ids.map((id) => newRun(id, { attributes: { tenant: 't' } })));
    await storage.catalog.create([newRun('elsewhere', { namespace: 'other' })]);
    expect(await story.story({ attribute: { tenant: 't' } }, { limit: 1 })).toMatchObject({
      runs: 1_000,
      complete: false,
    });
    expect(await story.story({ id: ids.slice(1) }, { limit: 1 })).toMatchObject({ runs: 1_000, complete: true });
    expect(await story.story({ id: ids }, { limit: 1 })).toMatchObject({ runs: 1_000, complete: false });
    expect(await story.story({ id: ['elsewhere', 'r0000'] }, {})).toMatchObject({
      runs: 1,
      entries: [{ kind: 'run.created', runId: 'r0000' }],
    });
  });

  it('counts a run once that is named and a descendant too, and none of another namespace', async () => {
    const { storage, story } = storyOn();
    const ids = Array.from({ length: 600 }, (_, n) => `r${String(n).padStart(4, '0')}`);
    const child = (id: string, parent: string, namespace = '') =>
      newRun(id, { namespace, parent: { id: parent, seq: 0, close: 'abandon' } });
    await storage.catalog.create([newRun('top')]);
    await storage.catalog.create(ids.map((id) => child(id, 'top')));
    await storage.catalog.create(ids.map((id) => child(`a-${id}`, 'top', 'other')));
    await storage.catalog.create([child('z', 'r0599')]);
    const told = await story.story({ id: ['top', ...ids] }, { limit: 1_000 });
    expect(told).toMatchObject({ runs: 602, complete: true });
    expect(told.entries.map(({ runId }) => runId)).toContain('z');
    const elsewhere = ids.map((id) => `a-${id}`);
    expect(await story.story({ id: [...elsewhere, ...ids, 'a-foreign'] }, { limit: 1 })).toMatchObject({
      runs: 401,
      complete: false,
    });
  });

  it('tells of a hundred generations, and says so if there are more', async () => {
    const { storage, story } = storyOn();
    const chain = Array.from({ length: 102 }, (_, n) => n);
    await storage.catalog.create(
      chain.map((n) => newRun(`g${n}`, n === 0 ? {} : { parent: { id: `g${n - 1}`, seq: 0, close: 'abandon' } })),
    );
    expect(await story.story({ id: 'g0' }, { limit: 1 })).toMatchObject({ runs: 101, complete: false });
    expect(await story.story({ id: 'g1' }, { limit: 1 })).toMatchObject({ runs: 101, complete: true });
  });

  it('looks for each event once, however many channels its step has published to', async () => {
    const clock = new ManualClock();
    const storage = inMemoryEngineStorage(clock, () => [], new MemoryTables(), new InMemoryActLog(clock));
    const payloads = new Payloads(jsonCodec, { payloadBytes: 1_000 });
    let asked = '';
    const deadLetters = async (published: unknown) => {
      asked = JSON.stringify(published);
      return [];
    };
    const story = new ClientStory({ storage, payloads, namespace: '', outgoingStory: { deadLetters } });
    await storage.catalog.create([newRun('a')]);
    await signIn({ ...storage, clock });
    const [run] = await claim({ ...storage, clock });
    const listed = (prefix: string) => Array.from({ length: 500 }, (_, n) => `${prefix}${n}`);
    const output = JSON.stringify({ ids: listed('m'), channels: listed('c') });
    const step = stepOf('a', 0, { kind: 'marker', status: 'completed', ref: PUBLISHED, output });
    await commit({ ...storage, clock }, writeOf(run!, { steps: [step] }));
    await story.story({ id: 'a' }, {});
    expect(asked).toContain('"m499"');
    expect(asked.length).toBeLessThan(30_000);
  });
});
