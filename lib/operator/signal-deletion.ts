import { type ActedBy, OPERATOR_OPTIONS, requiredOperator } from '../acts/act.js';
import { acting } from '../acts/act-log.js';
import { signalName, targetOf } from '../engine/client/client-signals.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import { signalChannel } from '../engine/model/mailbox.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { checkedLimit } from './questions.js';

/** Whose signals: of either a run or a key. */
export interface DeleteSignalsOptions extends ActedBy {
  workflowId?: string;
  key?: string;
  /** How many at most, those that were sent first. From 1 to 1,000. Default 1,000. */
  limit?: number;
}

const OPTIONS = {
  ...OPERATOR_OPTIONS,
  workflowId: true,
  key: true,
  limit: true,
} satisfies KnownOptions<DeleteSignalsOptions>;

interface Ports {
  storage: Pick<EngineStorage, 'signalRemoval' | 'acts'>;
  namespace: string;
}

/** Deletes signals that no run has taken, in one transaction with the act. Returns how many. */
export async function deleteSignals(
  { storage, namespace }: Ports,
  signal: string,
  options: DeleteSignalsOptions,
): Promise<number> {
  const given = checkedOptions(options, OPTIONS, 'Operator.deleteSignals') ?? {};
  const by = requiredOperator(given);
  const limit = checkedLimit(given.limit ?? 1_000, 1_000);
  const name = signalName(signal);
  const { addressed, target } = targetOf(given);
  const channel = signalChannel({ namespace, name, addressed, target });
  const deed = {
    action: 'delete signals',
    kind: addressed === 'run' ? ('run' as const) : ('signal' as const),
    target,
    namespace,
    outcome: (count: number) => ({ outcome: count > 0 ? 'deleted' : 'missing', details: { signal: name, count } }),
  };
  return acting(storage.acts, by, undefined, deed, (tx) => storage.signalRemoval.deleteUntaken(channel, limit, tx!));
}
