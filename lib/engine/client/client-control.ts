import { WorkflowNotFoundError, WorkflowNotRetryableError } from '../../errors.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { closeAlongside } from '../endings/close-alongside.js';
import { checkRunId } from '../model/names.js';
import type { ClosedAlongside, CloseOutcome } from '../model/run-control.js';

export interface ControlOptions {
  /** An open transaction of the app's ORM: it counts if and when that commits. */
  transaction?: unknown;
}

type Closed = Parameters<ClosedAlongside>[0];
type Ports = Pick<EngineStorage, 'catalog' | 'control' | 'dispatcher' | 'answers' | 'transactions'>;

/** What the client does to runs that are there: ends them, or has them go on. */
export class ClientControl {
  constructor(private readonly ports: Ports) {}

  /** Answers false when the run had ended already. @throws WorkflowNotFoundError */
  async close(id: string, how: 'cancelled' | 'terminated', { transaction }: ControlOptions): Promise<boolean> {
    const { control, transactions } = this.ports;
    const open = transaction === undefined ? transactions.ambient() : transactions.join(transaction);
    let told: Closed = { answers: [], limiters: [], withdrawn: [] };
    const outcome = await control.close(
      checkRunId(id),
      how,
      closeAlongside(this.ports, (closed) => (told = closed)),
      open?.tx,
    );
    if (outcome === 'missing') throw new WorkflowNotFoundError(id);
    const announce = () => this.announce(id, outcome, told, open !== undefined);
    if (open) open.afterCommit(announce);
    else announce();
    return outcome !== 'over';
  }

  /** @throws WorkflowNotFoundError, WorkflowNotRetryableError */
  async retry(id: string, { transaction }: ControlOptions): Promise<void> {
    const { control, catalog, transactions } = this.ports;
    const open = transaction === undefined ? transactions.ambient() : transactions.join(transaction);
    const outcome = await control.retry(checkRunId(id), open?.tx);
    if (outcome === 'missing') throw new WorkflowNotFoundError(id);
    if (outcome === 'not-stuck') {
      const [run] = await catalog.find([id], open?.tx);
      throw new WorkflowNotRetryableError(id, run?.status ?? 'gone');
    }
    open?.afterCommit(() => catalog.announceDue());
  }

  private announce(id: string, outcome: CloseOutcome, { answers, limiters, withdrawn }: Closed, joined: boolean): void {
    if (joined) this.ports.control.announce(id, outcome, limiters);
    if (withdrawn.length > 0) this.ports.dispatcher.announceWithdrawn?.(withdrawn);
    if (answers.length > 0) this.ports.answers.announceAnswers(answers);
  }
}
