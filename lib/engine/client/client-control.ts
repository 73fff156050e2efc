import {
  InvalidArgumentError,
  WorkflowNotEndedError,
  WorkflowNotFoundError,
  WorkflowNotRetryableError,
} from '../../errors.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { givingUp } from '../endings/giving-up.js';
import { checkRunId } from '../model/names.js';
import { type Duration, toMs } from '../../time/duration.js';
import { FINAL_STATUSES, isFinal, type RunStatus } from '../model/run.js';

export interface ControlOptions {
  /** An open transaction of the app's ORM: the change takes effect if and when that commits. */
  transaction?: unknown;
}

type Ports = Pick<EngineStorage, 'catalog' | 'control' | 'dispatcher' | 'answers' | 'transactions'>;

export class ClientControl {
  constructor(private readonly ports: Ports) {}

  /** Returns false if the run had ended already. @throws WorkflowNotFoundError */
  async close(id: string, how: 'cancelled' | 'terminated', { transaction }: ControlOptions): Promise<boolean> {
    const { control, transactions } = this.ports;
    const open = transactionOf(transactions, transaction);
    const outcome = await control.close(checkRunId(id), how, givingUp(this.ports), open);
    if (outcome === 'missing') throw new WorkflowNotFoundError(id);
    return outcome !== 'over';
  }

  /** @throws WorkflowNotFoundError, WorkflowNotRetryableError */
  async retry(id: string, { transaction }: ControlOptions): Promise<void> {
    const { control, catalog, transactions } = this.ports;
    const open = transactionOf(transactions, transaction);
    const outcome = await control.retry(checkRunId(id), open);
    if (outcome === 'missing') throw new WorkflowNotFoundError(id);
    if (outcome === 'not-stuck') {
      const [run] = await catalog.find([id], open);
      throw new WorkflowNotRetryableError(id, run?.status ?? 'gone');
    }
  }
}

export interface PurgeOptions {
  /** Only runs that ended at least this long ago. */
  olderThan: Duration;
  /** Only runs with these final statuses. Default: all of them. */
  status?: RunStatus | readonly RunStatus[];
  /** How many runs one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

type RemovalPorts = Pick<EngineStorage, 'catalog' | 'removal' | 'dispatcher' | 'answers' | 'transactions'>;

/** Deletes runs that have ended. */
export class ClientRemoval {
  constructor(
    private readonly ports: RemovalPorts,
    private readonly namespace: string,
  ) {}

  /** @throws WorkflowNotEndedError */
  async delete(id: string, { transaction }: ControlOptions): Promise<boolean> {
    const { removal, catalog, transactions } = this.ports;
    const open = transactionOf(transactions, transaction);
    const deleted = await removal.delete([checkRunId(id)], givingUp(this.ports), open);
    if (deleted.length > 0) return true;
    const [run] = await catalog.find([id], open);
    if (run && !isFinal(run.status)) throw new WorkflowNotEndedError(id, run.status);
    return false;
  }

  /** @throws InvalidArgumentError */
  async purge({ olderThan, status = FINAL_STATUSES, batchSize = 500 }: PurgeOptions): Promise<number> {
    const statuses = typeof status === 'string' ? [status] : status;
    const open = statuses.find((one) => !FINAL_STATUSES.includes(one));
    if (open !== undefined || statuses.length === 0)
      throw new InvalidArgumentError('status', open ?? statuses, `of ${FINAL_STATUSES.join(', ')}`);
    if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > 10_000)
      throw new InvalidArgumentError('batchSize', batchSize, 'a whole number from 1 to 10000');
    const { namespace } = this;
    const request = { namespace, status: statuses, olderThanMs: toMs(olderThan, 'olderThan'), limit: batchSize };
    for (let purged = 0; ;) {
      const batch = await this.ports.removal.purge(request, givingUp(this.ports));
      if (batch === 0) return purged;
      purged += batch;
    }
  }
}
