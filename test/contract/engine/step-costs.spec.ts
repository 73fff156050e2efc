import { ManualClock } from '../../../lib/core/time.js';
import type { WorkflowContext } from '../../../lib/engine/context.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { engineParts } from '../../support/engine-parts.js';
import { executorOf, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { needsOwner } from '../../support/role-of-tests.js';
import { until } from '../../support/until.js';

needsOwner('engine and worker are of one process, and share its connection');

const STEPS = 20;

/** Stands still, as a credit ends soon. */
const clock = new ManualClock();

type Count = Record<'commits' | 'claims' | 'reports', number>;

/** The statements that a step may need. A claim that finds nothing is a poll. */
function tally({ statements }: Observation): Count {
  const count = (kind: RegExp) => statements.filter(({ text }) => kind.test(text)).length;
  const polls = statements.filter(({ text, rows }) => /RETURNING t\.step_id/.test(text) && rows === 0).length;
  return {
    commits: count(/INSERT INTO \S*durable_steps/),
    claims:
      count(/UPDATE \S*durable_transport_tasks\S*\s+(AS t\s+)?(FORCE INDEX \S+\s+)?SET (t\.)?(claimed_by|attempt) =/) -
      polls,
    reports: count(/INSERT INTO \S*durable_transport_results/),
  };
}

describeDatabases('what a remote step asks of the database', (at) => {
  let backend: OpenBackend;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    backend = await at.open();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => backend.close());

  async function process() {
    const { executor, observation } = observed(executorOf({ orm: at.orm, handle: await backend.another() }));
    const storage = await sqlStorageOn(executor, { clock });
    ends.push(() => storage.close());
    return { storage, observation };
  }

  it.each(['one process', 'two processes'])('is counted in %s', async (how) => {
    const near = await process();
    const far = how === 'one process' ? near : await process();
    const parts = engineParts(near.storage, { clock });
    ends.push(() => parts.stop());
    const worker = workerOn(far.storage, { far: (n: number) => n }, { clock });
    ends.push(() => worker.stop());
    parts.define('order', async (ctx: WorkflowContext) => {
      for (let n = 0; n < STEPS; n++) await ctx.remote<number>('far', n);
    });
    await parts.start();
    const asked = new Set([near, far]);
    const rows = how === 'one process' ? 0 : STEPS;
    // With each answer the worker gives a credit for the next step, where the database has notifications.
    const claims = at.db === 'postgres' ? Math.min(rows, 1) : rows;
    const expected: Count = { commits: STEPS + 1, claims, reports: rows };
    // A worker that looks at first, or is told of older tasks, claims some.
    await until(`a run with ${JSON.stringify(expected)}`, async () => {
      for (const { observation } of asked) observation.reset();
      await parts.client.startAndWait('order', null);
      const counts = [...asked].map(({ observation }) => tally(observation));
      const sum = (kind: keyof Count) => counts.reduce((total, each) => total + each[kind], 0);
      return (Object.keys(expected) as (keyof Count)[]).every((kind) => sum(kind) === expected[kind]);
    });
  });
});
