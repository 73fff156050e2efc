import type { TaskReport } from '../../lib/worker/task-source.js';
import type { Process } from './processes.js';
import { until } from './until.js';

/** Claims the next task, as a worker in another language does. */
export const claimOne = async (process: Process, name = 'far', leaseMs = 30_000) =>
  until('a task', async () => {
    const groups = [{ group: name, limit: 1 }];
    const [task] = await process.storage.source.claim({
      workerId: 'by hand',
      groups,
      names: [name],
      limit: 1,
      leaseMs,
    });
    return task;
  });

export const report = (
  process: Process,
  task: Awaited<ReturnType<typeof claimOne>>,
  answer: Partial<TaskReport> = {},
) =>
  process.storage.source.report([
    {
      claim: task.claim,
      runId: task.runId,
      seq: task.seq,
      attempt: task.attempt,
      status: 'completed',
      output: '1',
      error: null,
      startedAt: 5,
      ...answer,
    },
  ]);
