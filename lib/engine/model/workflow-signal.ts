import { checkName } from './names.js';

/**
 * What may be told to a run from outside, by name and with the type of what it carries. Declare it once, beside the
 * workflow that waits for it.
 *
 * @example
 * export const approved = new WorkflowSignal<{ by: string }>('approved');
 * // in the workflow: await ctx.waitForSignal('approval', approved, { key: order.id, timeout: '3d' });
 * // anywhere else:   await workflows.signal(approved, { by: 'Ada' }, { key: order.id });
 *
 * @throws InvalidArgumentError unless `name` is a text of 1 to 191 characters.
 */
export class WorkflowSignal<Payload = undefined> {
  /** For the compiler: two signals of different payloads are different types. */
  declare readonly payload: Payload;

  constructor(readonly name: string) {
    checkName(name, 'The name of a signal');
  }
}
