import type { StepTask } from '../../protocol/step.js';
import { afterCommit } from '../../protocol/transaction.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { TaskDispatcher } from '../model/task-dispatcher.js';

/** The dispatcher, which tells how many tasks came into each group, once they are committed. */
export const withToldDispatches = (dispatcher: TaskDispatcher, telemetry: Telemetry): TaskDispatcher => ({
  dispatch: async (tasks, tx) => {
    await dispatcher.dispatch(tasks, tx);
    if (telemetry.hears('tasks.dispatched')) afterCommit(tx, () => tell(telemetry, tasks));
  },
  dispatched: (tasks, since) => {
    dispatcher.dispatched?.(tasks, since);
    if (telemetry.hears('tasks.dispatched')) tell(telemetry, tasks);
  },
  peek: (...args) => dispatcher.peek(...args),
  take: (...args) => dispatcher.take(...args),
  withdraw: (...args) => dispatcher.withdraw(...args),
  lost: (...args) => dispatcher.lost(...args),
  holders: (...args) => dispatcher.holders(...args),
  onAnswers: (listener) => dispatcher.onAnswers(listener),
});

function tell(telemetry: Telemetry, tasks: readonly StepTask[]): void {
  const counts = new Map<string, number>();
  for (const { group } of tasks) counts.set(group, (counts.get(group) ?? 0) + 1);
  for (const [group, count] of counts) telemetry.emit('tasks.dispatched', { group, count });
}
