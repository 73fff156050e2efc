import { type ByOperator, OPERATOR_OPTIONS } from '../../acts/act.js';
import { acting, actingInParts, type Deed, type Found } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import {
  WorkflowErasedError,
  WorkflowNotEndedError,
  WorkflowNotResumableError,
  WorkflowNotRetryableError,
} from '../../errors/repair-errors.js';
import { WorkflowNotFoundError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { givingUp } from '../endings/giving-up.js';
import { ownRun } from './own-run.js';
import type { PurgeSignals, SignalCursor } from '../model/mailbox.js';
import { checkRunId } from '../model/names.js';
import { type Duration, toMs } from '../../time/duration.js';
import type { CloseOutcome, ResumptionRefusal } from '../model/run-control.js';
import { FINAL_STATUSES, isFinal, type RunRecord, type RunStatus } from '../model/run.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

export interface ControlOptions extends ByOperator {
  /** An open transaction of the app's ORM: the change takes effect if and when that commits. */
  transaction?: unknown;
}

export const CONTROL_OPTIONS = { ...OPERATOR_OPTIONS, transaction: true } satisfies KnownOptions<ControlOptions>;

type Ports = Pick<
  EngineStorage,
  'catalog' | 'control' | 'dispatcher' | 'answers' | 'transactions' | 'acts' | 'edits' | 'hooks'
>;

export class ClientControl {
  constructor(
    private readonly ports: Ports,
    private readonly namespace: string,
  ) {}

  /** Returns false if the run had ended already. @throws WorkflowNotFoundError */
  async close(id: string, how: 'cancelled' | 'terminated', options: ControlOptions): Promise<boolean> {
    const { control, transactions, acts } = this.ports;
    checkRunId(id);
    const open = transactionOf(transactions, options.transaction);
    const deed: Deed<CloseOutcome> = {
      ...this.deedOn(id, how === 'cancelled' ? 'cancel' : 'terminate'),
      outcome: (outcome) => ({ outcome }),
    };
    const outcome = await acting(acts, options, open, deed, async (tx) => {
      await ownRun(this.ports.catalog, this.namespace, id, tx);
      const closed = await control.close(id, how, givingUp(this.ports), tx);
      if (closed === 'missing') throw new WorkflowNotFoundError(id);
      return closed;
    });
    return outcome !== 'over';
  }

  /** @throws WorkflowNotFoundError, WorkflowNotRetryableError, WorkflowNotResumableError */
  async retry(id: string, options: ControlOptions): Promise<void> {
    const { control, catalog, transactions, acts } = this.ports;
    checkRunId(id);
    const open = transactionOf(transactions, options.transaction);
    const deed: Deed<void> = { ...this.deedOn(id, 'retry'), outcome: () => ({ outcome: 'retried' }) };
    await acting(acts, options, open, deed, async (tx) => {
      await ownRun(catalog, this.namespace, id, tx);
      const outcome = await control.retry(id, givingUp(this.ports), tx);
      if (outcome === 'missing') throw new WorkflowNotFoundError(id);
      if (outcome === 'erased') throw new WorkflowErasedError(id);
      if (outcome === 'retried') return;
      if (typeof outcome === 'object') throw notResumable(id, outcome);
      const [run] = await catalog.find([id], tx);
      throw new WorkflowNotRetryableError(id, run?.status ?? 'gone');
    });
  }

  private deedOn(target: string, action: string): Omit<Deed<never>, 'outcome'> {
    const before = async (tx: Transaction) => foundRun(await this.ports.edits.lock([target], tx));
    return { action, kind: 'run', target, namespace: this.namespace, before };
  }
}

/** Why a failed run does not go on. */
export const notResumable = (
  id: string,
  { why, runId, step, seq }: ResumptionRefusal,
): WorkflowErasedError | WorkflowNotResumableError =>
  why === 'erased' ? new WorkflowErasedError(runId) : new WorkflowNotResumableError(id, why, runId, step, seq);

/** What a run was before it was changed. */
export function foundRun([run]: readonly RunRecord[]): Found {
  if (!run) return {};
  const { namespace, workflow, status, reason, reasonDetail } = run;
  return {
    namespace,
    details: { workflow, before: { status, ...(reason && { reason }), ...(reasonDetail && { reasonDetail }) } },
  };
}

export interface PurgeOptions extends ByOperator {
  /** Only runs that ended at least this long ago. */
  olderThan: Duration;
  /** Only runs with these final statuses. Default: all of them. */
  status?: RunStatus | readonly RunStatus[];
  /** How many runs one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

export interface PurgeSignalsOptions extends ByOperator {
  /** Only signals that were sent at least this long ago. */
  olderThan: Duration;
  /** How many signals one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

const PURGE_SIGNALS_OPTIONS = {
  ...OPERATOR_OPTIONS,
  olderThan: true,
  batchSize: true,
} satisfies KnownOptions<PurgeSignalsOptions>;
const PURGE_OPTIONS = { ...PURGE_SIGNALS_OPTIONS, status: true } satisfies KnownOptions<PurgeOptions>;

type RemovalPorts = Pick<
  EngineStorage,
  'catalog' | 'removal' | 'signalRemoval' | 'dispatcher' | 'answers' | 'transactions' | 'acts'
>;

/** The record of a deletion names at most this many descendants. */
const MOST_NAMED = 100;

/** Deletes runs that have ended. */
export class ClientRemoval {
  constructor(
    private readonly ports: RemovalPorts,
    private readonly namespace: string,
  ) {}

  /** @throws WorkflowNotEndedError */
  async delete(id: string, options: ControlOptions): Promise<boolean> {
    const { removal, catalog, transactions, acts } = this.ports;
    checkRunId(id);
    const open = transactionOf(transactions, options.transaction);
    const deed: Deed<string[]> = {
      ...({ action: 'delete', kind: 'run', target: id, namespace: this.namespace } as const),
      // Not locked: the deletion locks ancestors first, and a run that has ended hardly changes.
      before: async (tx) => {
        const found = await catalog.find([id], tx);
        return foundRun(found.filter(({ namespace }) => namespace === this.namespace));
      },
      outcome: (ids) => ({
        outcome: ids.length > 0 ? 'deleted' : 'missing',
        details: { runs: ids.length, ids: ids.slice(0, MOST_NAMED) },
      }),
    };
    const deleted = await acting(acts, options, open, deed, async (tx) => {
      const [there] = await catalog.find([id], tx);
      if (there?.namespace !== this.namespace) return [];
      const ids = await removal.delete([id], givingUp(this.ports), tx);
      const [run] = ids.length > 0 ? [] : await catalog.find([id], tx);
      if (run && !isFinal(run.status)) throw new WorkflowNotEndedError(id, run.status);
      return ids;
    });
    return deleted.length > 0;
  }

  /** @throws InvalidArgumentError */
  async purge(options: PurgeOptions): Promise<number> {
    const { olderThan, status = FINAL_STATUSES, ...rest } = checkedOptions(options, PURGE_OPTIONS, 'purge');
    const { batchSize = 500, ...by } = rest;
    const statuses = typeof status === 'string' ? [status] : status;
    const open = statuses.find((one) => !FINAL_STATUSES.includes(one));
    if (open !== undefined || statuses.length === 0)
      throw new InvalidArgumentError('status', open ?? statuses, `of ${FINAL_STATUSES.join(', ')}`);
    checkBatch(batchSize);
    const { namespace } = this;
    const request = { namespace, status: statuses, olderThanMs: toMs(olderThan, 'olderThan'), limit: batchSize };
    const details = { olderThanMs: request.olderThanMs, status: statuses };
    return actingInParts(this.ports.acts, by, { action: 'purge runs', namespace, details }, async () => {
      for (let purged = 0; ;) {
        const batch = await this.ports.removal.purge(request, givingUp(this.ports));
        if (batch === 0) return purged;
        purged += batch;
      }
    });
  }

  /** @throws InvalidArgumentError */
  async purgeSignals(options: PurgeSignalsOptions): Promise<number> {
    const checked = checkedOptions(options, PURGE_SIGNALS_OPTIONS, 'purgeSignals');
    const { olderThan, batchSize = 500, ...by } = checked;
    checkBatch(batchSize);
    const { namespace } = this;
    const request = { namespace, olderThanMs: toMs(olderThan, 'olderThan'), limit: batchSize };
    const details = { olderThanMs: request.olderThanMs };
    const deed = { action: 'purge signals', namespace, details };
    return actingInParts(this.ports.acts, by, deed, () => this.purgeAllSignals(request));
  }

  private async purgeAllSignals(request: PurgeSignals): Promise<number> {
    const { signalRemoval } = this.ports;
    let purged = 0;
    for (let batch = 1; batch > 0; purged += batch) batch = await signalRemoval.purgeOfKeys(request);
    let cursor: SignalCursor | undefined;
    do {
      const page = await signalRemoval.purgeOfRuns(request, cursor);
      purged += page.purged;
      cursor = page.next;
    } while (cursor);
    return purged;
  }
}

function checkBatch(batchSize: number): void {
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > 10_000)
    throw new InvalidArgumentError('batchSize', batchSize, 'a whole number from 1 to 10000');
}
