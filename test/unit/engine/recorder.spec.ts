import { InMemoryRunCatalog } from '../../../lib/engine/runs/in-memory-run-catalog.js';
import { InMemoryRunStore } from '../../../lib/engine/runs/in-memory-run-store.js';
import { MemoryTables } from '../../../lib/engine/memory-tables.js';
import { Recorder } from '../../../lib/engine/play/recorder.js';
import type { StepRecord } from '../../../lib/engine/runs/step-record.js';
import { systemClock } from '../../../lib/time/clock.js';
import { InMemoryTransport } from '../../../lib/transport/in-memory-transport.js';

const stepId = 'r1:0';
const task = { stepId, runId: 'r1', seq: 0, name: 's', group: 's', input: 'null', attempt: 1 };
const asked: StepRecord = {
  ...{ runId: 'r1', seq: 0, kind: 'remote', name: 's', status: 'pending', attempt: 0, settled: null },
  ...{ output: null, error: null, ref: null, wakeAt: null, createdAt: 1, startedAt: 1, finishedAt: null },
};

describe('Recorder', () => {
  it('asks nobody for a step that has timed out before the asking was written', async () => {
    const tables = new MemoryTables();
    const store = new InMemoryRunStore(systemClock, tables);
    const transport = new InMemoryTransport(systemClock);
    const recorder = new Recorder({ store, dispatcher: transport, answers: transport, onError: () => undefined });
    const order = { workflow: 'w', version: 1, namespace: '' };
    await new InMemoryRunCatalog(systemClock, tables).create([
      { id: 'r1', ...order, input: 'null', priority: 0, delayMs: 0 },
    ]);
    await store.beat({ id: 'n', namespace: '', roles: '' }, 60_000);
    const workflows = [{ name: 'w', version: 1 }];
    const [run] = await store.claim({ nodeId: 'n', namespace: '', workflows, limit: 1, which: 'due' });
    const write = { runId: 'r1', epoch: run!.epoch, takes: [], withdraws: [] };
    const failed: StepRecord = { ...asked, status: 'failed', settled: 1 };
    const written = await Promise.all([
      recorder.record({ ...write, steps: [asked], tasks: [task] }),
      recorder.record({ ...write, steps: [failed], tasks: [], withdraws: [stepId] }),
    ]);
    expect(written).toEqual(['written', 'written']);
    expect(await store.histories(['r1'])).toMatchObject([{ status: 'failed' }]);
    expect(await transport.lost([stepId])).toEqual([stepId]);
  });
});
