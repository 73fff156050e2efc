import type { WorkflowContext } from '../../../lib/engine/context.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, type Delivered, executorOf } from '../../support/db-transports.js';
import { engineParts } from '../../support/engine-parts.js';
import { sqlStorageOn } from '../../support/engine-storage.js';
import { holding } from '../../support/holding-executor.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('a DbTransport makes the tables');

const LEASE_MS = 30_000;

describeDatabases('a claim whose reply comes after its lease', (at) => {
  let backend: OpenBackend;
  let transports: DbTransports;
  let clock: ManualClock;
  let results: Delivered[];
  let ran: string[];
  let serial = 0;
  let prefix: string;

  beforeAll(async () => void (backend = await at.open()));
  beforeEach(() => {
    prefix = `t${++serial}`;
    clock = new ManualClock();
    [results, ran] = [[], []];
    transports = new DbTransports(backend);
  });
  afterEach(() => transports.close());
  afterAll(() => backend.close());

  const create = (options = {}) => transports.create({ prefix, clock, leaseMs: LEASE_MS, ...options });
  /** One whose first claim has been made, and is not answered yet. */
  const claiming = async () => {
    const late = holding(executorOf(at, backend.handle), 'lost');
    const engine = create().onResult((result) => void results.push(result));
    const worker = create({ executor: late.executor }).handle('x', (_, { attempt }) => ran.push(`late ${attempt}`));
    const lost: string[] = [];
    worker.telemetry.on('task.released', ({ reason }) => void lost.push(reason));
    await engine.dispatch({ runId: 'r', seq: 0, stepId: 'r:0', name: 'x', attempt: 1 });
    await late.held;
    clock.advance(LEASE_MS + 1);
    return { late, lost };
  };

  it('begins nothing that another worker has claimed meanwhile', async () => {
    const { late, lost } = await claiming();
    create().handle('x', (_, { attempt }) => ran.push(`other ${attempt}`));
    await until('the other one has done it', () => results.length === 1);
    late.letGo();
    await until('it is given up', () => lost.length === 1 || ran.length > 1);
    expect([lost, ran]).toEqual([['late'], ['other 2']]);
  });

  it('begins nothing where nobody has claimed it either: it is given back, and claimed anew', async () => {
    const { late, lost } = await claiming();
    late.letGo();
    await until('it is done', () => results.length === 1);
    expect([lost, ran]).toEqual([['late'], ['late 1']]);
    expect(results).toMatchObject([{ status: 'completed' }]);
  });
});

describeDatabases('a claim of runs whose reply comes after the lease of its process', (at) => {
  it('begins nothing: the run is given back, and another process plays it', async () => {
    const backend = await at.open();
    await (await sqlStorageOn(executorOf(at, backend.handle))).close();
    const late = holding(executorOf(at, backend.handle), 'crashes');
    const ran: string[] = [];
    const engines = await Promise.all(
      [late.executor, executorOf(at, await backend.another())].map(async (executor, i) => {
        const storage = await sqlStorageOn(executor);
        // The lease of the first one is over soon, and it may lose what it plays later, too.
        const parts = engineParts(storage, { nodeLeaseMs: i === 0 ? 900 : 60_000 });
        parts.define('order', (ctx: WorkflowContext, order: string) =>
          ctx.step('pay', () => ran.push(`engine ${i}: ${order}`)),
        );
        return { storage, parts };
      }),
    );
    const [first, second] = engines.map(({ parts }) => parts);
    const handle = await second!.client.start('order', 'late');
    await first!.start();
    await late.held;
    await second!.start();
    await handle.result();
    await second!.stop();
    late.letGo();
    await (await first!.client.start('order', 'next')).result();
    expect(new Set(ran)).toEqual(new Set(['engine 1: late', 'engine 0: next']));
    for (const { parts, storage } of engines) {
      await parts.stop();
      await storage.close();
    }
    await backend.close();
  });
});
