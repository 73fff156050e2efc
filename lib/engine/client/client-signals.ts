import { type ByOperator, OPERATOR_OPTIONS } from '../../acts/act.js';
import { acting } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowNotFoundError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { Batcher } from '../../time/batcher.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { type NewSignal, type Sent, WorkflowSignal, signalChannel } from '../model/mailbox.js';
import { checkName, checkRunId } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';
import type { RunRecord } from '../model/run.js';
import { validated } from '../model/validated.js';
import type { KnownOptions } from '../../options/known-options.js';

/** Pass either `key` or `workflowId`: the target of the signal. */
export interface SignalOptions extends ByOperator {
  /** All runs that wait with this key, now or later, if they began before sending; else one run that begins later. */
  key?: string;
  /** The id of the run that receives it. */
  workflowId?: string;
  /** For deduplication: signals with the same id to the same run or key count as one. At most 191 characters. */
  id?: string;
  /** An open transaction of the app's ORM: the signal is sent if and when that commits. */
  transaction?: unknown;
}

export const SIGNAL_OPTIONS = {
  ...OPERATOR_OPTIONS,
  key: true,
  workflowId: true,
  id: true,
  transaction: true,
} satisfies KnownOptions<SignalOptions>;

export interface SignalReceipt {
  /** False when a signal with this `id` had been sent before. */
  created: boolean;
}

interface Ports {
  storage: Pick<EngineStorage, 'mailbox' | 'transactions' | 'acts' | 'catalog'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if nobody listens. */
  telemetry?: Telemetry | undefined;
}

/** Sends the app's signals to runs. */
export class ClientSignals {
  private readonly batcher: Batcher<NewSignal, Sent>;
  private readonly receivers: Batcher<string, RunRecord | undefined>;

  constructor(private readonly ports: Ports) {
    this.batcher = new Batcher((signals) => ports.storage.mailbox.send(signals), {
      sizeOf: ({ payload }) => payload.length,
      isolates: () => true,
    });
    this.receivers = new Batcher((ids) => this.find(ids));
  }

  async send(
    signal: WorkflowSignal<unknown, unknown> | string,
    payload: unknown,
    options: SignalOptions,
  ): Promise<SignalReceipt> {
    const { mailbox, transactions, acts } = this.ports.storage;
    const open = transactionOf(transactions, options.transaction);
    const given = await this.newSignal(signal, payload, options, open);
    const { addressed, target, name, namespace } = given;
    const outcome = ({ created }: SignalReceipt) => ({
      outcome: created ? 'sent' : 'repeated',
      details: { signal: name },
    });
    const deed = {
      action: 'signal',
      kind: addressed === 'run' ? 'run' : 'signal',
      target,
      namespace,
      outcome,
    } as const;
    return acting(acts, options, open, deed, async (tx) => {
      const [sent] = tx ? await mailbox.send([given], tx) : [await this.batcher.add(given)];
      if (sent === 'no_run') throw new WorkflowNotFoundError(target);
      const runId = addressed === 'run' ? target : undefined;
      this.ports.telemetry?.tracing?.told({ kind: 'signal', name, runId });
      return { created: sent === 'sent' };
    });
  }

  private async newSignal(
    signal: unknown,
    payload: unknown,
    options: SignalOptions,
    tx: Transaction | undefined,
  ): Promise<NewSignal> {
    const { namespace } = this.ports;
    const name = signalName(signal);
    const to = targetOf(options);
    const accepted = acceptedPayload(signal, payload);
    const dedupId = options.id === undefined ? null : checkName(options.id, 'The id of a signal');
    const payloads = await this.payloadsOf(to, tx);
    return {
      namespace,
      name,
      ...to,
      channel: signalChannel({ namespace, name, ...to }),
      dedupId,
      payload: payloads.encode(accepted, `The payload of signal "${name}"`),
    };
  }

  /** Only a codec that encrypts needs to know the run, whose input names the key. */
  private async payloadsOf({ addressed, target }: Target, tx: Transaction | undefined): Promise<Payloads> {
    const { payloads } = this.ports;
    if (addressed === 'key') return payloads.of({});
    const run = payloads.texts.seals ? await (tx ? this.found(target, tx) : this.receivers.add(target)) : undefined;
    return run ? payloads.ofRun(run) : payloads.of({ runId: target });
  }

  /** The snapshot of the caller's transaction may be older than the run. */
  private async found(id: string, tx: Transaction): Promise<RunRecord | undefined> {
    const [run] = await this.ports.storage.catalog.find([id], tx);
    return run ?? this.receivers.add(id);
  }

  private async find(ids: readonly string[]): Promise<(RunRecord | undefined)[]> {
    const runs = await this.ports.storage.catalog.find([...new Set(ids)]);
    const byId = new Map(runs.map((run) => [run.id, run]));
    return ids.map((id) => byId.get(id));
  }
}

/** @throws InvalidArgumentError */
export const signalName = (signal: unknown): string =>
  checkName(signal instanceof WorkflowSignal ? signal.name : signal, 'The signal, or its name,');

/** What the schema of the signal makes of a payload. @throws ValidationError, AsyncSchemaError */
export const acceptedPayload = (signal: unknown, payload: unknown): unknown =>
  signal instanceof WorkflowSignal && signal.schema
    ? validated(signal.schema, payload, `The payload of signal "${signal.name}"`)
    : payload;

type Target = Pick<NewSignal, 'addressed' | 'target'>;

/** @throws InvalidArgumentError */
export function targetOf({ key, workflowId }: Pick<SignalOptions, 'key' | 'workflowId'>): Target {
  if ((key === undefined) === (workflowId === undefined))
    throw new InvalidArgumentError('key', key, 'either the key or the workflowId of the receiver');
  return key === undefined
    ? { addressed: 'run', target: checkRunId(workflowId) }
    : { addressed: 'key', target: checkName(key, 'The key of a signal') };
}
