import assert from 'node:assert/strict';
import { groupOf, type StepAnswer, stepIdOf, type StepTask } from '../../../lib/core/protocol.js';
import type { ManualClock } from '../../../lib/core/time.js';
import type { Transaction } from '../../../lib/core/transaction.js';
import type { RunControl } from '../../../lib/engine/control.js';
import type { NodeRoster } from '../../../lib/engine/nodes.js';
import type { ClaimedRun, NewRun, RunRecord } from '../../../lib/engine/run.js';
import type { ClaimRuns, RunClaim, RunExtras, RunStore, RunWrite, SignalWait } from '../../../lib/engine/runs.js';
import {
  type Delivered,
  type NewSignal,
  readDelivered,
  type Sent,
  signalChannel,
} from '../../../lib/engine/signals.js';
import type { RunCatalog } from '../../../lib/engine/starts.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import type { EngineStorage } from '../../../lib/engine/storage.js';

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

/** Every port of the engine on one storage, empty, with `clock` as its clock. */
export interface EngineStorageFixture {
  storage: EngineStorage;
  clock: ManualClock;
  /** For storage with transactions: `work` is rolled back when it throws. */
  transaction?: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

export const channelOf = (target: string, addressed: 'run' | 'key' = 'key'): string =>
  signalChannel({ namespace: '', addressed, name: 'told', target });

export const signalTo = (target: string, payload: number, fields: Partial<NewSignal> = {}): NewSignal => ({
  namespace: '',
  channel: channelOf(target, fields.addressed),
  name: 'told',
  target,
  addressed: 'key',
  dedupId: null,
  payload: String(payload),
  ...fields,
});

export const send = (at: EngineStorageFixture, ...signals: NewSignal[]): Promise<Sent[]> =>
  at.storage.mailbox.send(signals);

/** Creates runs that are executed here. */
export const running = ({ storage, clock }: EngineStorageFixture, ...ids: string[]): Promise<ClaimedRun[]> =>
  owned({ ...storage, clock }, ids);

export type WaitFields = Partial<Pick<SignalWait, 'after' | 'since' | 'deadline'>>;

export const waitOf = (run: ClaimedRun, seq: number, channel: string, fields: WaitFields = {}): SignalWait => ({
  channel,
  stepId: `${run.id}:${seq}`,
  runId: run.id,
  seq,
  after: 0,
  since: run.since,
  deadline: null,
  ...fields,
});

/** Writes these extras in a commit of the engine. */
export async function record(at: EngineStorageFixture, run: ClaimedRun, extras: RunExtras): Promise<void> {
  const seqs = [...new Set((extras.waits ?? []).map(({ seq }) => seq))];
  const steps = seqs.map((seq) => stepOf(run.id, seq, { kind: 'signal', name: 'told' }));
  const lost = await at.storage.store.commit([writeOf(run, { steps, extras })], async () => undefined);
  if (lost.length > 0) throw new Error(`Run "${run.id}" was lost`);
}

/** Records a step that waits for a key. */
export const waiting = (
  at: EngineStorageFixture,
  run: ClaimedRun,
  seq: number,
  keys: readonly string[],
  fields: WaitFields = {},
): Promise<void> => record(at, run, { waits: keys.map((key) => waitOf(run, seq, channelOf(key), fields)) });

export const deliver = ({ storage }: EngineStorageFixture, ...channels: string[]) =>
  storage.mailbox.deliver(
    (answers, tx) => storage.answers.answer(answers, tx),
    channels.length > 0 ? channels : undefined,
  );

export const expire = ({ storage }: EngineStorageFixture, ...stepIds: string[]) =>
  storage.mailbox.expire(stepIds, (answers, tx) => storage.answers.answer(answers, tx));

/** Takes the answers of steps, as their runs do, in the order of their ids. */
export async function given({ storage }: EngineStorageFixture): Promise<Record<string, string>> {
  const { answers } = await storage.dispatcher.peek(10_000);
  await storage.dispatcher.take(answers.map(({ stepId }) => stepId));
  const sorted = answers.sort((a, b) => (a.stepId < b.stepId ? -1 : 1));
  return Object.fromEntries(
    sorted.map(({ stepId, output }) => {
      const { position, payload } = readDelivered(output) as Delivered;
      return [stepId, `${payload}@${position}`];
    }),
  );
}
