import { WorkflowNotFoundError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { RunCatalog } from '../model/run-catalog.js';
import type { RunRecord } from '../model/run.js';

/** An id belongs to one run of all namespaces, and who knows it may be of another one. @throws WorkflowNotFoundError */
export async function ownRun(
  catalog: Pick<RunCatalog, 'find'>,
  namespace: string,
  id: string,
  tx?: Transaction,
): Promise<RunRecord> {
  const [run] = await catalog.find([id], tx);
  if (run?.namespace !== namespace) throw new WorkflowNotFoundError(id);
  return run;
}
