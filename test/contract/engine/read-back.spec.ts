import { readBackFrom } from '../../../lib/engine/play/attempts.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { sqlStorage } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { lockWaiter } from '../../support/lock-waiters.js';

const step: StepRecord = {
  runId: 'r1',
  seq: 0,
  kind: 'transaction',
  name: 'a',
  status: 'completed',
  attempt: 0,
  failures: 0,
  deferrals: 0,
  askedAt: null,
  worker: null,
  settled: 1,
  output: '1',
  error: null,
  ref: null,
  wakeAt: null,
  createdAt: 1,
  startedAt: 1,
  finishedAt: 1,
};

describeDatabases('reading back', (at) => {
  let backend: OpenBackend;
  beforeAll(async () => {
    backend = await at.open();
  });
  afterAll(() => backend.close());

  it('waits for a commit that is still under way on the server: its record is the last word (fault 7)', async () => {
    const storage = await sqlStorage(backend);
    const node = { id: 'n1', namespace: '', roles: 'engine' };
    await storage.roster.beat(node, 60_000);
    await storage.catalog.create([
      { id: 'r1', namespace: '', workflow: 'w', version: 1, input: 'null', priority: 0, delayMs: 0 },
    ]);
    const workflows = [{ name: 'w', version: 1 }];
    const [run] = await storage.store.claim({ nodeId: 'n1', namespace: '', workflows, limit: 1, which: 'due' });
    const claim = { runId: 'r1', epoch: run!.epoch };
    const commits = gate();
    const written = gate();
    const underWay = storage.executor!.transaction(async (tx) => {
      await storage.store.commit(
        [{ ...claim, steps: [step], tasks: [], takes: [], withdraws: [] }],
        async () => {},
        tx,
      );
      written.open();
      await commits.opened;
    });
    await written.opened;
    const options = { onError: () => undefined, stopped: new AbortController().signal };
    const reading = readBackFrom(storage.store, options)(claim, 0);
    const waits = lockWaiter(backend);
    expect(await Promise.race([reading.then(() => 'read'), waits.then(() => 'waits')])).toBe('waits');
    commits.open();
    await underWay;
    expect(await reading).toMatchObject({ seq: 0, settled: 1, output: '1' });
    await storage.close();
  });
});
