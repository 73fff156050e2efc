import { WorkflowNotFoundError, WorkflowNotRetryableError } from '../../errors.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import { givingUp } from '../endings/giving-up.js';
import { checkRunId } from '../model/names.js';

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
