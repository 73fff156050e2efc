import { DatabaseError } from '../../../../lib/core/errors.js';
import { systemClock } from '../../../../lib/core/time.js';
import { Footing, type Recorded, Recorder } from '../../../../lib/engine/play/recorder.js';
import type { RefusedWrite, RunWrite } from '../../../../lib/engine/runs.js';
import { InMemoryRunStore } from '../../../../lib/engine/runs.memory.js';
import { InMemoryRunCatalog } from '../../../../lib/engine/starts.memory.js';
import type { CheckedEvent, StepRecord } from '../../../../lib/engine/step.js';
import { MemoryTables } from '../../../../lib/engine/tables.memory.js';
import { InMemoryTransport } from '../../../../lib/worker/transport.memory.js';
import { gate } from '../../../support/gate.js';
import { thrownBy } from '../../../support/thrown-by.js';

const stepId = 'r1:0';
const task = { stepId, runId: 'r1', seq: 0, name: 's', group: 's', input: 'null', attempt: 1 };
const asked: StepRecord = {
  runId: 'r1',
  seq: 0,
  kind: 'remote',
  name: 's',
  status: 'pending',
  attempt: 0,
  failures: 0,
  deferrals: 0,
  askedAt: null,
  worker: null,
  settled: null,
  output: null,
  error: null,
  ref: null,
  wakeAt: null,
  createdAt: 1,
  startedAt: 1,
  finishedAt: null,
};

const NOTHING = { steps: [], tasks: [], takes: [], withdraws: [] };

/** Runs in their first epoch. */
async function claimedIn(store: InMemoryRunStore, tables: MemoryTables, ...ids: string[]): Promise<void> {
  const order = { workflow: 'w', version: 1, namespace: '', input: 'null', priority: 0, delayMs: 0 };
  await new InMemoryRunCatalog(systemClock, tables).create(ids.map((id) => ({ id, ...order })));
  await store.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
  const workflows = [{ name: 'w', version: 1 }];
  await store.claim({ nodeId: 'n', namespace: '', workflows, limit: ids.length, which: 'due' });
}

describe('Recorder', () => {
  let store: InMemoryRunStore;
  let transport: InMemoryTransport;
  /** What was written for whom outside, and told, in order. */
  let outgoing: string[];
  /** Writes of one run, in one batch. */
  let record: (...writes: Partial<RunWrite>[]) => Promise<unknown>;

  beforeEach(async () => {
    const tables = new MemoryTables();
    store = new InMemoryRunStore(systemClock, tables);
    transport = new InMemoryTransport(systemClock);
    outgoing = [];
    const note = (what: string, ids: readonly string[]) => void outgoing.push(`${what} ${ids.join()}`);
    const idsOf = (events: readonly CheckedEvent[]) => events.map(({ mutationId }) => mutationId);
    const recorder = new Recorder({
      store,
      dispatcher: transport,
      answers: transport,
      onError: () => undefined,
      events: {
        write: async (events, tx) => {
          note('writes', idsOf(events));
          tx.afterCommit(() => note('tells', idsOf(events)));
        },
      },
      effects: {
        write: async (operations, tx) => {
          const subjects = operations.map(({ operation: { subject } }) => subject);
          note('enqueues', subjects);
          tx.afterCommit(() => note('tells of', subjects));
        },
      },
    });
    const order = { workflow: 'w', version: 1, namespace: '' };
    await new InMemoryRunCatalog(systemClock, tables).create([
      { id: 'r1', ...order, input: 'null', priority: 0, delayMs: 0 },
    ]);
    await store.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
    const workflows = [{ name: 'w', version: 1 }];
    const [run] = await store.claim({ nodeId: 'n', namespace: '', workflows, limit: 1, which: 'due' });
    const blank = { runId: 'r1', epoch: run!.epoch, steps: [], tasks: [], takes: [], withdraws: [] };
    record = async (...writes) => {
      const written = await Promise.all(writes.map((write) => recorder.record({ ...blank, ...write })));
      expect(written).toEqual(writes.map(() => 'written'));
    };
  });

  const tasks = async () =>
    transport.claim({ workerId: 'w', groups: [{ group: 's', limit: 9 }], names: ['s'], limit: 9, leaseMs: 1_000 });

  it('asks nobody for a step that has timed out before the asking was written', async () => {
    const failed: StepRecord = { ...asked, status: 'failed', settled: 1 };
    await record({ steps: [asked], tasks: [task] }, { steps: [failed], withdraws: [stepId] });
    expect(await store.histories(['r1'])).toMatchObject([{ status: 'failed' }]);
    expect(await tasks()).toEqual([]);
  });

  it('nor for one that was given up before it was written, with its run or until its next attempt', async () => {
    await record({ steps: [asked], tasks: [task] }, { withdraws: [stepId] });
    expect(await tasks()).toEqual([]);
  });

  it('writes what goes out once for all, events last, and tells of it once it is there', async () => {
    const publishes = (...ids: string[]) => [
      { seq: 0, events: ids.map((mutationId) => ({ mutationId, channel: 'c', data: null, headers: null })) },
    ];
    const operation = { operation: 'erase', subject: 'anna', entryIds: ['1'], size: 1 };
    await record(
      { extras: { publishes: publishes('a', 'b') } },
      { extras: { enqueues: [{ seq: 1, operation }] } },
      { steps: [asked] },
      { extras: { publishes: publishes('c') } },
    );
    expect(outgoing).toEqual(['enqueues anna', 'writes a,b,c', 'tells of anna', 'tells a,b,c']);
    await record({ steps: [asked] });
    expect(outgoing).toHaveLength(4);
  });

  it('asks for what is given up and asked for again', async () => {
    await record({ steps: [asked], tasks: [task] }, { withdraws: [stepId] }, { tasks: [{ ...task, attempt: 2 }] });
    expect(await tasks()).toMatchObject([{ stepId, attempt: 2 }]);
  });
});

describe('Recorder, where the database has lost what a claim has recorded', () => {
  it('tells of it once, however many writes of the claim are under way', async () => {
    const tables = new MemoryTables();
    const store = new InMemoryRunStore(systemClock, tables);
    const transport = new InMemoryTransport(systemClock);
    const told: string[][] = [];
    const recorder = new Recorder({
      store,
      dispatcher: transport,
      answers: transport,
      onError: () => undefined,
      onHistoryLost: (runIds) => void told.push([...runIds]),
    });
    const ids = ['r1', 'r2'];
    await new InMemoryRunCatalog(systemClock, tables).create(
      ids.map((id) => ({ id, workflow: 'w', version: 1, namespace: '', input: 'null', priority: 0, delayMs: 0 })),
    );
    await store.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
    const workflows = [{ name: 'w', version: 1 }];
    const claimed = await store.claim({ nodeId: 'n', namespace: '', workflows, limit: 2, which: 'due' });
    const writes = claimed.map(({ id, epoch }) => {
      const footing = new Footing();
      footing.stepOnto([{ ...asked, runId: id, status: 'completed', settled: 1 }], []);
      return { runId: id, epoch, steps: [], tasks: [], takes: [], withdraws: [], footing };
    });
    for (let n = 0; n < 2; n++) {
      const recorded = await Promise.all(writes.map((write) => recorder.record({ ...write })));
      expect(recorded).toEqual(['ahead', 'ahead']);
    }
    expect(told.map((one) => one.sort())).toEqual([ids]);
  });
});

describe('Recorder, where a worker no longer holds a task whose outcome is recorded', () => {
  it('writes nothing of the run after it, and what it has of others', async () => {
    const [begun, goes] = [gate(), gate()];
    const tables = new MemoryTables();
    const transport = new InMemoryTransport(systemClock);
    class Slow extends InMemoryRunStore {
      override async commit(...args: Parameters<InMemoryRunStore['commit']>): Promise<readonly RefusedWrite[]> {
        begun.open();
        await goes.opened;
        return super.commit(...args);
      }
    }
    const store = new Slow(systemClock, tables);
    await claimedIn(store, tables, 'r1', 'r2');
    const recorder = new Recorder({ store, dispatcher: transport, answers: transport, onError: () => undefined });
    const write = (runId: string, seq: number, more = {}) =>
      recorder.record({ ...NOTHING, runId, epoch: 1, steps: [{ ...asked, runId, seq }], ...more });
    const ends = [{ stepId, runId: 'r1', seq: 0, claimedBy: 'w#1', claimedAt: 1 }];
    const first = write('r1', 0, { ends });
    await begun.opened;
    const others = [write('r1', 1), write('r2', 0)];
    goes.open();
    expect(await Promise.all([first, ...others])).toEqual(['unheld', 'lost', 'written']);
    expect((await store.histories(['r1', 'r2'])).map(({ runId }) => runId)).toEqual(['r2']);
  });
});

describe('Recorder, where a write of a run is not taken', () => {
  const blame = { failures: 12, patienceMs: 0, retry: { delay: 0 } };
  const poison: StepRecord = { ...asked, name: 'poison', status: 'completed', settled: 1 };
  let tables: MemoryTables;
  /** How often the database refuses what is called poison. */
  let refusals: number;
  let record: () => Promise<Recorded>;

  beforeEach(async () => {
    tables = new MemoryTables();
    refusals = Infinity;
    const store = new (class extends InMemoryRunStore {
      override async commit(...args: Parameters<InMemoryRunStore['commit']>): Promise<readonly RefusedWrite[]> {
        const isPoison = args[0].some(({ steps }) => steps.length > 0);
        if (isPoison && refusals-- > 0) throw new DatabaseError('The connection was lost', true);
        return super.commit(...args);
      }
    })(systemClock, tables);
    const transport = new InMemoryTransport(systemClock);
    const recorder = new Recorder({
      store,
      dispatcher: transport,
      answers: transport,
      onError: () => undefined,
      owner: 'n',
      blame,
    });
    await new InMemoryRunCatalog(systemClock, tables).create([
      { id: 'r1', workflow: 'w', version: 1, namespace: '', input: 'null', priority: 0, delayMs: 0 },
    ]);
    await store.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
    const workflows = [{ name: 'w', version: 1 }];
    const [run] = await store.claim({ nodeId: 'n', namespace: '', workflows, limit: 1, which: 'due' });
    record = () =>
      recorder.record({ runId: 'r1', epoch: run!.epoch, steps: [poison], tasks: [], takes: [], withdraws: [] });
  });

  const lines = () => (tables.logs.get('r1') ?? []).map(({ level, message }) => [level, message]);

  it('blames it where something else of the run is taken, and says so in its log, once per activation', async () => {
    expect(await thrownBy(record())).toMatchObject({ code: 'WRITE_REFUSED', workflowId: 'r1' });
    expect(lines()).toEqual([['warn', expect.stringContaining('does not accept what this run records')]]);
  });

  it.each(['owner', 'epoch'] as const)('does not where the run has another %s: nothing of it is taken', async (key) => {
    refusals = 4 * blame.failures;
    const another = key === 'owner' ? { owner: 'another' } : { epoch: 7 };
    Object.assign(tables.runs.get('r1')!, another);
    expect(await record()).toBe('lost');
    expect(refusals).toBeLessThan(0);
    expect(lines()).toEqual([]);
  });
});

describe('Recorder, where writes of a run were in one commit whose reply was lost', () => {
  it('tries them again as one, by itself', async () => {
    const tables = new MemoryTables();
    const commits: RunWrite[][] = [];
    const store = new (class extends InMemoryRunStore {
      override async commit(...args: Parameters<InMemoryRunStore['commit']>): Promise<readonly RefusedWrite[]> {
        commits.push(args[0].map((write) => ({ ...write })));
        if (commits.length === 1) await super.commit(...args);
        if (commits.length <= 3) throw new DatabaseError('The connection was lost', true);
        return super.commit(...args);
      }
    })(systemClock, tables);
    const transport = new InMemoryTransport(systemClock);
    const recorder = new Recorder({ store, dispatcher: transport, answers: transport, onError: () => undefined });
    await claimedIn(store, tables, 'r1', 'r2');
    const write = (runId: string, step: Partial<StepRecord>) =>
      recorder.record({ ...NOTHING, runId, epoch: 1, steps: [{ ...asked, runId, ...step }] });
    const recorded = [write('r1', { attempt: 1 }), write('r1', { attempt: 1, askedAt: 7 }), write('r2', {})];
    expect(await Promise.all(recorded)).toEqual(['written', 'written', 'written']);
    const apart = commits.slice(3).map((writes) => writes.map(({ runId, steps, again }) => [runId, steps, again]));
    const last = { ...asked, attempt: 1, askedAt: 7 };
    expect(apart).toEqual(
      expect.arrayContaining([[['r1', [last], true]], [['r2', [{ ...asked, runId: 'r2' }], true]]]),
    );
    expect(apart).toHaveLength(2);
  });
});

describe('Recorder, where a write of a run fills several statements', () => {
  it('holds none of the others, and keeps the order of those of its run', async () => {
    const [begun, over] = [gate(), gate()];
    const commits: number[] = [];
    const output = 'x'.repeat(1_000_001);
    const tables = new MemoryTables();
    const store = new (class extends InMemoryRunStore {
      override async commit(...args: Parameters<InMemoryRunStore['commit']>): Promise<readonly RefusedWrite[]> {
        const steps = args[0].flatMap((write) => write.steps);
        if (steps.some((step) => step.output === output)) {
          begun.open();
          await over.opened;
        }
        commits.push(...steps.map(({ seq }) => seq));
        return super.commit(...args);
      }
    })(systemClock, tables);
    await claimedIn(store, tables, 'large', 'small');
    const transport = new InMemoryTransport(systemClock);
    const recorder = new Recorder({ store, dispatcher: transport, answers: transport, onError: () => undefined });
    const write = (runId: string, step: Partial<StepRecord>) =>
      recorder.record({ ...NOTHING, runId, epoch: 1, steps: [{ ...asked, runId, ...step }] });
    const large = [write('large', { seq: 1, output }), write('large', { seq: 2 })];
    await begun.opened;
    await write('small', { seq: 3 });
    over.open();
    await Promise.all(large);
    expect(commits).toEqual([3, 1, 2]);
  });
});
