import { InvalidArgumentError, WorkflowNotFoundError } from '../../errors.js';
import { Batcher } from '../../time/batcher.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { type NewSignal, type Sent, WorkflowSignal, signalChannel } from '../model/mailbox.js';
import { checkName, checkRunId } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';

/** Pass either `key` or `workflowId`: the target of the signal. */
export interface SignalOptions {
  /** All runs that wait with this key, now or later, if they began before sending; else one run that begins later. */
  key?: string;
  /** The id of the run that receives it. */
  workflowId?: string;
  /** For deduplication: signals with the same id to the same run or key count as one. At most 191 characters. */
  id?: string;
  /** An open transaction of the app's ORM: the signal is sent if and when that commits. */
  transaction?: unknown;
}

export interface SignalReceipt {
  /** False when a signal with this `id` had been sent before. */
  created: boolean;
}

interface Ports {
  storage: Pick<EngineStorage, 'mailbox' | 'transactions'>;
  payloads: Payloads;
  namespace: string;
}

/** Sends the app's signals to runs. */
export class ClientSignals {
  private readonly batcher: Batcher<NewSignal, Sent>;

  constructor(private readonly ports: Ports) {
    this.batcher = new Batcher((signals) => ports.storage.mailbox.send(signals), {
      sizeOf: ({ payload }) => payload.length,
      isolates: () => true,
    });
  }

  async send(
    signal: WorkflowSignal<unknown> | string,
    payload: unknown,
    options: SignalOptions,
  ): Promise<SignalReceipt> {
    const { mailbox, transactions } = this.ports.storage;
    const given = this.newSignal(signal, payload, options);
    const open = transactionOf(transactions, options.transaction);
    const [sent] = open ? await mailbox.send([given], open) : [await this.batcher.add(given)];
    if (sent === 'no_run') throw new WorkflowNotFoundError(given.target);
    return { created: sent === 'sent' };
  }

  private newSignal(signal: unknown, payload: unknown, options: SignalOptions): NewSignal {
    const { payloads, namespace } = this.ports;
    const name = checkName(signal instanceof WorkflowSignal ? signal.name : signal, 'The signal, or its name,');
    const to = targetOf(options);
    return {
      namespace,
      name,
      ...to,
      channel: signalChannel({ namespace, name, ...to }),
      dedupId: options.id === undefined ? null : checkName(options.id, 'The id of a signal'),
      payload: payloads.encode(payload, `The payload of signal "${name}"`),
    };
  }
}

function targetOf({ key, workflowId }: SignalOptions): Pick<NewSignal, 'addressed' | 'target'> {
  if ((key === undefined) === (workflowId === undefined))
    throw new InvalidArgumentError('key', key, 'either the key or the workflowId of the receiver');
  return key === undefined
    ? { addressed: 'run', target: checkRunId(workflowId) }
    : { addressed: 'key', target: checkName(key, 'The key of a signal') };
}
