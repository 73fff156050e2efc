import type { TaskDispatcher } from '../engine/model/task-dispatcher.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import type { RuntimeParts } from '../module/process-runtime.js';
import type { StepTask } from '../protocol/step.js';

/** What decides which remote steps an app serves, in which groups. */
type Served = Pick<RuntimeParts, 'settings' | 'steps'>;

export const unservedText = ({ name, group }: Pick<StepTask, 'name' | 'group'>): string =>
  `the remote step "${name}" of group "${group}", which nothing in this test serves: pass a @Worker({ group: '${group}' }) ` +
  `with a @RemoteStep('${name}') that stands for the program that serves it`;

/**
 * Warns once of each remote step that nothing serves, when its task is written. Not an error: a test may be about the
 * timeout of such a step.
 */
export class UnservedSteps {
  private readonly told = new Set<string>();

  /** `served` is called once an app runs on the backend. */
  constructor(private readonly served: () => Served) {}

  /** The same backend, whose tasks are looked at. */
  watched(backend: MemoryBackend): MemoryBackend {
    const { dispatcher, ...ports } = backend.engine;
    const dispatch: TaskDispatcher['dispatch'] = (tasks, tx) => {
      for (const task of tasks) if (!this.isServed(task)) this.tell(task);
      return dispatcher.dispatch(tasks, tx);
    };
    const watching = new Proxy(dispatcher, {
      get: (target, name): unknown => (name === 'dispatch' ? dispatch : Reflect.get(target, name, target)),
    });
    return { ...backend, engine: { ...ports, dispatcher: watching } };
  }

  private isServed({ name, group }: StepTask): boolean {
    const { settings, steps } = this.served();
    const { worker } = settings;
    if (worker === false) return false;
    return steps.some(({ step }) => step.name === name && (worker.groups ?? [step.group]).includes(group));
  }

  private tell(task: StepTask): void {
    const text = unservedText(task);
    if (this.told.has(text)) return;
    this.told.add(text);
    process.emitWarning(`Run "${task.runId}" waits for ${text}`, { type: 'DurableTestingWarning' });
  }
}
