import { claim as claimTasks } from '../../../lib/conformance/transport.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { StepTask } from '../../../lib/core/protocol.js';
import type { DeadWorker } from '../../../lib/engine/tasks.js';
import type { NodeLoad } from '../../../lib/engine/nodes.js';
import { sessionsOfProcess } from '../../../lib/sql/pools.js';
import { selectOwnSession } from '../../../lib/sql/servers.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, memoryStorage, type OpenStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { answerTo, taskFor } from '../conformance/fixtures.js';

type Fixture = OpenStorage & { clock: ManualClock };

function cases(at: () => Fixture) {
  const dead = (id: string, group: string): DeadWorker => ({ id, groups: [group], expiresAt: at().clock.now() });

  /** Tasks of two groups, claimed by worker `w1` and by `w2`, in this order. */
  async function working(): Promise<void> {
    const tasks = [0, 1, 2].map((seq) => taskFor('a', seq));
    await at().dispatcher.dispatch(tasks);
    expect(await claimTasks(at(), { limit: 1, groups: [tasks[0]!.group] })).toHaveLength(1);
    expect(await claimTasks(at(), { limit: 1, groups: [tasks[0]!.group], workerId: 'w2' })).toHaveLength(1);
  }

  it('leaves its tasks to others at once, as a lease does that has expired', async () => {
    await working();
    const { group } = taskFor('a', 0);
    const told: unknown[] = [];
    const stop = at().source.onTasks((groups) => told.push(groups));
    expect(await at().dispatcher.free!([dead('w1', group)])).toBe(true);
    const claimed = await claimTasks(at(), { groups: [group], workerId: 'w3' });
    stop();
    expect(new Set(claimed.map(({ seq, attempt, lostBy }) => [seq, attempt, lostBy]))).toEqual(
      new Set([
        [0, 2, 'w1'],
        [2, 1, undefined],
      ]),
    );
    expect(told).toEqual([[group]]);
  });

  it('had none of the tasks of others, of groups that it did not serve, or that were renewed since it counts as dead', async () => {
    await working();
    const { group } = taskFor('a', 0);
    const others = [dead('w', group), dead('w1', 'other'), { ...dead('w1', group), expiresAt: at().clock.now() - 1 }];
    for (const other of others) expect(await at().dispatcher.free!([other])).toBe(true);
    expect(await at().dispatcher.free!([])).toBe(true);
    expect((await claimTasks(at(), { groups: [group] })).map(({ seq }) => seq)).toEqual([2]);
  });
}

const TITLE = 'a worker that has died';

describe(`${TITLE}, in memory`, () => {
  let fixture: Fixture;
  beforeEach(() => {
    const clock = new ManualClock();
    fixture = { ...memoryStorage(clock), clock };
  });
  cases(() => fixture);
});

describeDatabases(TITLE, (at) => {
  let backend: OpenBackend;
  let fixture: Fixture;

  beforeAll(async () => {
    backend = await at.open();
    const clock = new ManualClock();
    fixture = { ...(await sqlStorageOn(executorOf(backend), { clock })), clock };
  });
  afterEach(async () => {
    for (const table of ['nodes', 'transport_tasks', 'transport_results'])
      await backend.query(`DELETE FROM durable_${table}`);
  });
  afterAll(async () => {
    await fixture.close();
    await backend.close();
  });

  cases(() => fixture);

  it('waits for no task that another transaction is ending', async () => {
    const { dispatcher, executor, answers } = fixture;
    const tasks = [0, 1].map((seq) => taskFor('a', seq));
    const [{ group }] = tasks as [StepTask, StepTask];
    await dispatcher.dispatch(tasks);
    await claimTasks(fixture, { groups: [group] });
    const [answered, commits] = [gate(), gate()];
    const completing = executor!.transaction(async (tx) => {
      await answers.answer([answerTo('a', 0)], tx);
      answered.open();
      await commits.opened;
    });
    await answered.opened;
    // Otherwise it waits until the server gives up.
    const w1 = { id: 'w1', groups: [group], expiresAt: fixture.clock.now() };
    const isDone = await dispatcher.free!([w1]).finally(commits.open);
    await completing;
    expect(isDone).toBe(false);
    expect((await claimTasks(fixture, { groups: [group], workerId: 'w2' })).map(({ seq }) => seq)).toEqual([1]);
    expect(await dispatcher.free!([w1])).toBe(true);
  });

  const NEVER = [2_000_000_001, 1] as const;

  it('is known by its sessions: the server has none of its user any more', async () => {
    const { executor, clock, roster } = fixture;
    const [own] = (
      await executor!.run<{ session: number; port: number; me: string }>(selectOwnSession(executor!.dialect))
    ).rows;
    const me = own!.me;
    const mine = sessionsOfProcess().find(
      ({ session, port }) => session === Number(own!.session) && port === Number(own!.port),
    )!;
    const nodes: Record<string, Partial<NodeLoad>> = {
      died: { sessions: [NEVER], sessionsOf: me },
      'may be frozen': { sessions: [NEVER, [mine.session, mine.port]], sessionsOf: me },
      'of another user': { sessions: [NEVER], sessionsOf: `${me}2` },
      'behind a proxy': { sessions: [NEVER] },
      'has had none': { sessions: [], sessionsOf: me },
      'has signed off': { sessions: [NEVER], sessionsOf: me },
      'is back': { sessions: [NEVER], sessionsOf: me },
    };
    const signIn = (id: string) =>
      roster.beat(
        { id, namespace: '', roles: 'worker', serves: { groups: { far: ['far'] } }, load: () => nodes[id] as NodeLoad },
        1,
      );
    const ids = Object.keys(nodes);
    for (const id of ids) await signIn(id);
    expect(await roster.dead(ids)).toEqual([]);
    // The server was started a moment ago, perhaps.
    clock.advance(1);
    await roster.leave('has signed off');
    await signIn('is back');
    expect(await roster.dead(ids)).toMatchObject([{ id: 'died', groups: ['far'] }]);
    expect(await roster.dead(['nobody'])).toEqual([]);
    expect(await roster.dead([])).toEqual([]);
  });
});
