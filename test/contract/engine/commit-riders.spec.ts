import { answerTo, owned, type RunStoreFixture, stepOf, taskFor, writeOf } from '../conformance/fixtures.js';
import { outgoingTo } from '../../../lib/engine/play/recorder.js';
import type { ClaimedRun } from '../../../lib/engine/run.js';
import type { RunWrite } from '../../../lib/engine/runs.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf, type OpenStorage, sqlStorageOn } from '../../support/engine-storage.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { until } from '../../support/until.js';

/** What an engine commits for a remote step that follows another: one answer is taken, one task dispatched. */
const nextStep = (run: ClaimedRun): RunWrite =>
  writeOf(run, {
    steps: [stepOf(run.id, 0, { status: 'completed', output: '0', settled: 1 }), stepOf(run.id, 1)],
    tasks: [taskFor(run.id, 1)],
    takes: [taskFor(run.id, 0).stepId],
  });

describeDatabases('a commit that dispatches tasks and takes answers', (at) => {
  let backend: OpenBackend;
  let storage: OpenStorage;
  let observation: Observation;

  beforeAll(async () => {
    backend = await at.open();
    const watched = observed(executorOf(backend));
    observation = watched.observation;
    storage = await sqlStorageOn(watched.executor, { clock: new ManualClock() });
  });
  afterEach(async () => {
    for (const table of ['runs', 'steps', 'nodes', 'transport_tasks', 'transport_results'])
      await backend.query(`DELETE FROM durable_${table}`);
  });
  afterAll(async () => {
    await storage.close();
    await backend.close();
  });

  const commit = (writes: readonly RunWrite[]) => storage.store.commit(writes, outgoingTo(storage));
  /** Runs that wait for the answer to their step 0, which has come. */
  const answered = async (...ids: string[]): Promise<ClaimedRun[]> => {
    const runs = await owned(storage as unknown as RunStoreFixture, ids);
    await storage.store.commit(
      runs.map((run) => writeOf(run, { steps: [stepOf(run.id, 0)] })),
      async () => undefined,
    );
    await storage.answers.answer(ids.map((id) => answerTo(id, 0)));
    return runs;
  };
  const stepIdsIn = async (table: 'tasks' | 'results') =>
    (await backend.query<{ step_id: string }>(`SELECT step_id FROM durable_transport_${table} ORDER BY step_id`)).map(
      ({ step_id }) => step_id,
    );

  it('does so for the runs that pass the fencing, and for no other', async () => {
    const [a, b, c] = (await answered('a', 'b', 'c')) as [ClaimedRun, ClaimedRun, ClaimedRun];
    const lost = { ...nextStep(b), epoch: b.epoch - 1 };
    const ahead: RunWrite = { ...nextStep(c), known: [{ seq: 7, settled: 7 }] };
    const refused = await commit([nextStep(a), lost, ahead]);
    expect(refused.map(({ runId, because }) => [runId, because])).toEqual([
      ['b', undefined],
      ['c', 'ahead'],
    ]);
    expect(await stepIdsIn('tasks')).toEqual(['a:1']);
    expect(await stepIdsIn('results')).toEqual(['b:0', 'c:0']);
  });

  it('wakes workers of this process once, and those of others, with the groups', async () => {
    const other = await sqlStorageOn(executorOf({ orm: at.orm, handle: await backend.another() }));
    const here: (readonly string[] | undefined)[] = [];
    const elsewhere: (readonly string[] | undefined)[] = [];
    const stops = [
      storage.source.onTasks((groups) => here.push(groups)),
      other.source.onTasks((groups) => elsewhere.push(groups)),
    ];
    try {
      if (at.db === 'postgres') await until('both hear', () => storage.source.live && other.source.live);
      const [a] = await answered('a');
      here.splice(0);
      elsewhere.splice(0);
      await commit([nextStep(a!)]);
      expect(here).toEqual([['charge']]);
      if (at.db === 'postgres') await until('the other hears', () => elsewhere.length > 0);
      expect(elsewhere).toEqual(at.db === 'postgres' ? [['charge']] : []);
    } finally {
      stops.forEach((stop) => stop());
      await other.close();
    }
  });

  it('leaves tasks as they are that were dispatched before, as when the reply to it was lost', async () => {
    const [a] = await answered('a');
    await commit([nextStep(a!)]);
    await backend.query(`UPDATE durable_transport_tasks SET claimed_by = 'w', claimed_at = 5`);
    const woken: (readonly string[] | undefined)[] = [];
    const stop = storage.source.onTasks((groups) => woken.push(groups));
    expect(await commit([nextStep(a!)])).toEqual([]);
    stop();
    expect(woken).toEqual([['charge']]);
    const [task] = await backend.query(`SELECT claimed_by, attempt FROM durable_transport_tasks`);
    expect([task?.['claimed_by'], Number(task?.['attempt'])]).toEqual(['w', 1]);
  });

  it('notifies of the ends of other runs in the same commit', async () => {
    const [a, b] = await answered('a', 'b');
    await backend.query(`UPDATE durable_runs SET notifies = 1 WHERE id = 'b'`);
    const ended = writeOf(b!, { transition: { status: 'completed', output: '1' } });
    expect(await commit([nextStep(a!), ended])).toEqual([]);
    expect(await stepIdsIn('tasks')).toEqual(['a:1']);
    expect(await stepIdsIn('results')).toEqual(['b:0']);
    expect(await backend.query(`SELECT id, status FROM durable_runs WHERE id = 'b'`)).toEqual([
      { id: 'b', status: 'completed' },
    ]);
  });

  if (at.db === 'postgres')
    it('is one statement', async () => {
      const runs = await answered('a', 'b');
      observation.reset();
      expect(await commit(runs.map(nextStep))).toEqual([]);
      expect(observation.statements).toHaveLength(1);
      expect(await stepIdsIn('tasks')).toEqual(['a:1', 'b:1']);
    });
});
