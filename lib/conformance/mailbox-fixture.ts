import { type Delivered, type NewSignal, type Sent, readDelivered, signalChannel } from '../engine/model/mailbox.js';
import type { ClaimedRun } from '../engine/model/run.js';
import type { RunExtras, SignalWait } from '../engine/model/run-store.js';
import type { EngineStorageFixture } from './engine-storage.js';
import { owned, stepOf, writeOf } from './run-store.js';

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
