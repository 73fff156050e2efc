import assert from 'node:assert/strict';
import type { NodeRoster } from '../engine/model/node-roster.js';
import type { RunCatalog } from '../engine/model/run-catalog.js';
import type { RunControl } from '../engine/model/run-control.js';
import type { ClaimedRun, NewRun, RunRecord } from '../engine/model/run.js';
import type { ClaimRuns, RunClaim, RunStore, RunWrite } from '../engine/model/run-store.js';
import type { StepRecord } from '../engine/model/step-record.js';
import { groupOf, type StepAnswer, stepIdOf, type StepTask } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import type { ManualClock } from '../time/clock.js';

/** The engine's storage, empty, with `clock` as its clock. */
export interface RunStoreFixture {
  store: RunStore;
  catalog: RunCatalog;
  control: RunControl;
  roster: NodeRoster;
  clock: ManualClock;
}

/** Storage with transactions: `work` is rolled back when it throws. */
export interface TransactionalRunStoreFixture extends RunStoreFixture {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export const NODE_LEASE_MS = 10_000;

export const newRun = (id: string, fields: Partial<NewRun> = {}): NewRun => ({
  id,
  namespace: '',
  workflow: 'order',
  version: 1,
  input: '{"n":1}',
  priority: 0,
  delayMs: 0,
  ...fields,
});

export const create = (at: RunStoreFixture, ...runs: NewRun[]) => at.catalog.create(runs);

export const signIn = (at: RunStoreFixture, id = 'node', namespace = ''): Promise<number> =>
  at.roster.beat({ id, namespace, roles: 'engine' }, NODE_LEASE_MS).then(({ now }) => now);

export const claim = (at: RunStoreFixture, request: Partial<ClaimRuns> = {}): Promise<ClaimedRun[]> =>
  at.store.claim({
    nodeId: 'node',
    namespace: '',
    workflows: [{ name: 'order', version: 1 }],
    limit: 500,
    which: 'due',
    ...request,
  });

/** Runs with these ids, owned by `node`, in the order of the ids given. */
export async function owned(at: RunStoreFixture, ids: readonly string[], nodeId = 'node'): Promise<ClaimedRun[]> {
  await create(at, ...ids.map((id) => newRun(id)));
  await signIn(at, nodeId);
  const runs = await claim(at, { nodeId });
  assert.deepEqual(runs.map(({ id }) => id).sort(), [...ids].sort());
  return ids.map((id) => runs.find((run) => run.id === id)!);
}

export const ownedOne = async (at: RunStoreFixture, id: string, nodeId = 'node'): Promise<ClaimedRun> =>
  (await owned(at, [id], nodeId))[0]!;

export const stepOf = (runId: string, seq: number, fields: Partial<StepRecord> = {}): StepRecord => ({
  runId,
  seq,
  kind: 'remote',
  name: 'charge',
  status: 'pending',
  attempt: 0,
  failures: 0,
  deferrals: 0,
  settled: null,
  output: null,
  error: null,
  ref: null,
  wakeAt: null,
  createdAt: 1,
  askedAt: null,
  startedAt: 2,
  finishedAt: null,
  worker: null,
  ...fields,
});

export const taskFor = (runId: string, seq: number): StepTask => ({
  stepId: stepIdOf(runId, seq),
  runId,
  seq,
  name: 'charge',
  group: groupOf('charge'),
  input: 'null',
  attempt: 1,
});

export const answerTo = (runId: string, seq: number, fields: Partial<StepAnswer> = {}): StepAnswer => ({
  stepId: stepIdOf(runId, seq),
  runId,
  seq,
  status: 'completed',
  output: String(seq),
  error: null,
  startedAt: 3,
  createdAt: 4,
  ...fields,
});

export const claimOf = ({ id, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>, owner = 'node'): RunClaim => ({
  runId: id,
  epoch,
  owner,
});

export const writeOf = ({ id, epoch }: Pick<ClaimedRun, 'id' | 'epoch'>, fields: Partial<RunWrite> = {}): RunWrite => ({
  runId: id,
  epoch,
  steps: [],
  tasks: [],
  takes: [],
  withdraws: [],
  ...fields,
});

export const alone = async (): Promise<undefined> => undefined;

/** Commits and returns the ids of the runs that were lost. */
export const commit = async (at: RunStoreFixture, ...writes: RunWrite[]): Promise<string[]> =>
  (await at.store.commit(writes, alone)).map(({ runId }) => runId);

/** A parked run that waits for the answers to its remote steps 0, 1, … */
export async function parked(at: RunStoreFixture, id: string, steps = 1, settled = 0): Promise<void> {
  const run = await ownedOne(at, id);
  const asked = Array.from({ length: steps }, (_, seq) => stepOf(id, seq));
  const transition = { status: 'suspended', wakeAt: null, settled } as const;
  assert.deepEqual(await commit(at, writeOf(run, { steps: asked, transition })), []);
}

export const settle = (at: RunStoreFixture, answers: readonly StepAnswer[], namespace = ''): Promise<string[]> =>
  at.store.settleUnowned(namespace, answers, alone);

export async function find(at: RunStoreFixture, id: string): Promise<RunRecord> {
  const [run] = await at.catalog.find([id]);
  assert.ok(run, `run ${id} is not there`);
  return run;
}

export const history = async (at: RunStoreFixture, id: string): Promise<StepRecord[]> =>
  (await at.store.histories([id])).sort((a, b) => a.seq - b.seq);

export const ids = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id);

export const boom = (): Promise<never> => Promise.reject(new Error('boom'));
