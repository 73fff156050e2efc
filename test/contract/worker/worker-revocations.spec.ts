import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import type { StepContext } from '../../../lib/core/protocol.js';
import type { Worker } from '../../../lib/worker/worker.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { emptyTables } from '../../support/empty-tables.js';
import { type EngineParts, engineParts } from '../../support/engine-parts.js';
import { executorOf, type OpenStorage, sqlStorageOn, workerOn } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { type Observation, observed } from '../../support/observed-executor.js';
import { until } from '../../support/until.js';

/** A lease that is renewed long after the test: what is told at a renewal comes too late. */
const LEASE_MS = 3_600_000;

/** How a step that a worker works on comes to be wanted no more. */
const HOWS = ['cancel', 'terminate', 'timeout of the run', 'timeout of the step'] as const;
type How = (typeof HOWS)[number];

const looks = ({ statements }: Observation): number =>
  statements.filter(({ text }) => text.startsWith('SELECT step_id, attempt, claimed_by, claimed_at FROM')).length;

describeDatabases('a handler in another process', (at) => {
  let backend: OpenBackend;
  let clock: ManualClock;
  let engine: EngineParts;
  /** The ORM of the other process. */
  let other: unknown;
  let far: OpenStorage;
  let observation: Observation;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    backend = await at.open();
    other = await backend.another();
    await (await sqlStorageOn(executorOf(backend))).close();
  });
  beforeEach(async () => {
    await emptyTables(backend);
    clock = new ManualClock();
    const near = await sqlStorageOn(executorOf(backend), { clock });
    engine = engineParts(near, { clock });
    const watched = observed(executorOf({ orm: at.orm, handle: other }));
    observation = watched.observation;
    far = await sqlStorageOn(watched.executor, { clock });
    ends.push(
      () => near.close(),
      () => far.close(),
      () => engine.stop(),
    );
    await engine.start();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => backend.close());

  const serve = async (run: (input: never, step: StepContext) => unknown): Promise<Worker> => {
    const worker = workerOn(far, { far: run }, { leaseMs: LEASE_MS, shutdownTimeoutMs: 500, clock });
    ends.push(() => worker.stop());
    if (at.db === 'postgres') await until('notifications arrive', () => far.notified!());
    return worker;
  };

  it.each(HOWS)('has its signal aborted soon after its task was withdrawn: %s', async (how: How) => {
    const inside = gate();
    let aborted = false;
    await serve(async (_, { signal }) => {
      signal.addEventListener('abort', () => (aborted = true));
      inside.open();
      await until('it is told', () => signal.aborted);
    });
    const options = how === 'timeout of the step' ? ({ timeout: '1s', retry: false } as const) : {};
    engine.define('order', (ctx: WorkflowContext) => ctx.remote('far', null, options));
    const handle = await engine.client.start('order', null, how === 'timeout of the run' ? { timeout: '1s' } : {});
    await inside.opened;
    if (how === 'cancel' || how === 'terminate') await handle[how]();
    else clock.advance(1_000);
    await expect(handle.result()).rejects.toThrow();
    await until('its signal aborts', () => aborted);
    // Where a notification says so, nobody has to look.
    if (at.db === 'postgres') expect(looks(observation)).toBe(0);
  });

  it('is looked after by a statement a second, and only while it runs', async () => {
    const [inside, go] = [gate(), gate()];
    const { loops } = await serve(async () => {
      inside.open();
      await go.opened;
    });
    engine.define('order', (ctx: WorkflowContext) => ctx.remote('far'));
    /** Resolves once the loop that looks has ended a tick. */
    const tick = async () => {
      const from = performance.now();
      const { pulse } = await until('it ticks', () => {
        const loop = loops['worker.revocations']!;
        return loop.pulse.agoMs < performance.now() - from && loop;
      });
      expect(pulse.napMs).toBe(1_000);
    };
    /** For a whole tick at least. */
    const aWhile = async () => {
      observation.reset();
      const from = performance.now();
      await tick();
      await tick();
      return { looked: looks(observation), seconds: (performance.now() - from) / 1_000 };
    };
    expect((await aWhile()).looked).toBe(0);
    const handle = await engine.client.start('order');
    await inside.opened;
    const { looked, seconds } = await aWhile();
    expect(looked > 0).toBe(at.db !== 'postgres');
    // However long it was: the machine may have stood still.
    expect(looked).toBeLessThanOrEqual(Math.floor(seconds) + 1);
    go.open();
    await handle.result();
    expect((await aWhile()).looked).toBe(0);
  });
});
