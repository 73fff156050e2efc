import { ManualClock } from '../../../lib/core/time.js';
import type { EndedTask } from '../../../lib/core/protocol.js';
import { claim as claimTasks, LEASE_MS } from '../../../lib/conformance/transport.js';
import { outgoingTo } from '../../../lib/engine/play/recorder.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { RunExtras, RunWrite } from '../../../lib/engine/runs.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, memoryStorage, type OpenStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { needsOwner } from '../../support/role-of-tests.js';
import {
  answerTo,
  claimOf,
  history,
  owned,
  type RunStoreFixture,
  stepOf,
  taskFor,
  writeOf,
} from '../conformance/fixtures.js';

needsOwner('engine and worker are of one process, and share its connection');

type Fixture = OpenStorage & RunStoreFixture;

/** Commits that need no other table than those of runs and tasks, and others. */
const EXTRAS: [how: string, extras: RunExtras | undefined][] = [
  ['by itself', undefined],
  ['with more of its run', { attributes: { stage: 'paid' } }],
];

function cases(at: () => Fixture) {
  const commit = (...writes: RunWrite[]) => at().store.commit(writes, outgoingTo(at()));

  /** Runs whose task of step 0 a worker of this process has claimed. */
  async function working(...ids: string[]): Promise<{ runs: ClaimedRun[]; ends: EndedTask[] }> {
    const runs = await owned(at(), ids);
    await commit(...ids.map((id, i) => writeOf(runs[i]!, { steps: [stepOf(id, 0)], tasks: [taskFor(id, 0)] })));
    const claimed = await claimTasks(at(), { limit: ids.length });
    const ends = ids.map((id) => {
      const { runId, seq, claim } = claimed.find((task) => task.runId === id)!;
      return { runId, seq, ...claim };
    });
    return { runs, ends };
  }

  /** The outcome of step 0, and the request for step 1. */
  const outcome = (run: ClaimedRun, ends: EndedTask[], extras?: RunExtras): RunWrite =>
    writeOf(run, {
      steps: [stepOf(run.id, 0, { status: 'completed', output: '0', settled: 1 }), stepOf(run.id, 1)],
      tasks: [taskFor(run.id, 1)],
      ends,
      ...(extras && { extras }),
    });

  const settledOf = async (id: string) => (await history(at(), id)).map(({ settled }) => settled);

  it.each(EXTRAS)(
    '%s it ends the task without an answer, also if its lease was renewed meanwhile',
    async (_, extras) => {
      const { runs, ends } = await working('a');
      at().clock.advance(1);
      await at().source.extend(ends);
      expect(await commit(outcome(runs[0]!, ends, extras))).toEqual([]);
      expect(await at().dispatcher.lost(['a:0', 'a:1'])).toEqual(['a:0']);
      expect(await settledOf('a')).toEqual([1, null]);
    },
  );

  it.each(EXTRAS)(
    '%s it is refused for runs whose task is not held any more, and for these alone',
    async (_, extras) => {
      const ids = ['another worker has it', 'it was withdrawn', 'its run was lost', 'it is held'];
      const { runs, ends } = await working(...ids);
      at().clock.advance(LEASE_MS);
      await at().source.extend(ends.slice(1));
      at().clock.advance(1);
      expect(await claimTasks(at(), { workerId: 'w2' })).toHaveLength(1);
      await at().dispatcher.withdraw(['it was withdrawn:0']);
      await at().store.release([claimOf(runs[2]!)], false);
      const refused = await commit(...runs.map((run, i) => outcome(run, [ends[i]!], extras)));
      expect(new Map(refused.map(({ runId, because }) => [runId, because]))).toEqual(
        new Map([
          ['another worker has it', 'unheld'],
          ['it was withdrawn', 'unheld'],
          ['its run was lost', undefined],
        ]),
      );
      expect(await Promise.all(ids.map(settledOf))).toEqual([[null], [null], [null], [1, null]]);
      const tasks = ids.flatMap((id) => [`${id}:0`, `${id}:1`]);
      const gone = new Set(await at().dispatcher.lost(tasks));
      expect(tasks.filter((stepId) => !gone.has(stepId))).toEqual([
        'another worker has it:0',
        'its run was lost:0',
        'it is held:1',
      ]);
    },
  );

  it.each(EXTRAS)('%s it ends all tasks of a run, or none', async (_, extras) => {
    const [run] = (await owned(at(), ['a'])) as [ClaimedRun];
    const seqs = [0, 1];
    const steps = seqs.map((seq) => stepOf('a', seq));
    await commit(writeOf(run, { steps, tasks: seqs.map((seq) => taskFor('a', seq)) }));
    const claimed = await claimTasks(at());
    const ends = claimed.map(({ runId, seq, claim }) => ({ runId, seq, ...claim }));
    const write = writeOf(run, {
      steps: steps.map((step) => ({ ...step, status: 'completed' as const, output: '0', settled: step.seq + 1 })),
      ends,
      ...(extras && { extras }),
    });
    const stranger = ends.map((end) => (end.seq === 1 ? { ...end, claimedBy: 'w2#b.1' } : end));
    expect(await commit({ ...write, ends: stranger })).toMatchObject([{ runId: 'a', because: 'unheld' }]);
    expect(await at().dispatcher.lost(['a:0', 'a:1'])).toEqual([]);
    expect(await commit(write)).toEqual([]);
    expect(await at().dispatcher.lost(['a:0', 'a:1'])).toEqual(['a:0', 'a:1']);
  });

  it('tried again after its reply was lost, it is as it was, whether it had been committed or not', async () => {
    const { runs, ends } = await working('a', 'b');
    const [a, b] = runs.map((run, i) => outcome(run, [ends[i]!])) as [RunWrite, RunWrite];
    await commit(a);
    expect(await commit({ ...a, again: true }, { ...b, again: true })).toEqual([]);
    expect(await Promise.all(['a', 'b'].map(settledOf))).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(await at().dispatcher.lost(['a:0', 'a:1', 'b:0', 'b:1'])).toEqual(['a:0', 'b:0']);
  });

  return { commit, working, outcome };
}

const TITLE = 'a commit that records the outcome of a worker of this process';

describe(`${TITLE} in memory`, () => {
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
  let observation: Observation;

  beforeAll(async () => {
    backend = await at.open();
    const watched = observed(executorOf(backend));
    observation = watched.observation;
    const clock = new ManualClock();
    fixture = { ...(await sqlStorageOn(watched.executor, { clock })), clock };
  });
  afterEach(async () => {
    for (const table of ['runs', 'steps', 'nodes', 'run_attributes', 'transport_tasks', 'transport_results'])
      await backend.query(`DELETE FROM durable_${table}`);
  });
  afterAll(async () => {
    await fixture.close();
    await backend.close();
  });

  const { commit, working, outcome } = cases(() => fixture);

  it.each(EXTRAS)('%s it waits for no task that another transaction is ending', async (_, extras) => {
    const { runs, ends } = await working('a', 'b');
    const [answered, commits] = [gate(), gate()];
    const completing = fixture.executor!.transaction(async (tx) => {
      await fixture.answers.answer([answerTo('a', 0)], tx);
      answered.open();
      await commits.opened;
    });
    await answered.opened;
    // Otherwise it waits until the server gives up.
    const refused = await commit(...runs.map((run, i) => outcome(run, [ends[i]!], extras))).finally(commits.open);
    await completing;
    expect(refused).toMatchObject([{ runId: 'a', because: 'unheld' }]);
    expect(await fixture.dispatcher.lost(['b:0', 'b:1'])).toEqual(['b:0']);
  });

  if (at.db === 'postgres')
    it('is one statement', async () => {
      const { runs, ends } = await working('a', 'b');
      observation.reset();
      expect(await commit(...runs.map((run, i) => outcome(run, [ends[i]!])))).toEqual([]);
      expect(observation.statements).toHaveLength(1);
    });
});
