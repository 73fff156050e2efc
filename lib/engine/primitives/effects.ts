import { ConfigurationError } from '../../errors/setup-errors.js';
import { stepIdOf } from '../../protocol/step.js';
import { type RecordedOperation, effectChannel, readOperation, writeOperation } from '../effects/effect-completions.js';
import { checkName } from '../model/names.js';
import type { CheckedOperation, WorkflowOperation } from '../model/outgoing.js';
import type { Activation } from '../activation/activation.js';
import type { SignalWait } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import { never } from '../activation/outcome.js';

/**
 * Enqueues calls and waits until all of them have succeeded: a wait on the channel of the operation, which begins in
 * the commit that enqueues them.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError, UnknownEffectHandlerError, ConfigurationError
 */
export function effects(
  activation: Activation,
  first: string | WorkflowOperation,
  second?: WorkflowOperation,
): Promise<string[]> {
  const [name, given] = typeof first === 'string' ? [first, second] : [(first as typeof second)?.operation, first];
  checkName(name, 'The name of effects');
  const { recorded } = activation.journal.next;
  const isOver = recorded !== undefined || activation.closing !== null;
  const operation = isOver ? undefined : checked(activation, given);
  const position = activation.ask('signal', name!);
  if (!position) return never();
  const { seq, step } = position;
  if (step.settled === null) new OperationWait(activation, step).begin(operation);
  return activation.journal.outcome<string[]>(seq);
}

function checked({ shared, run, payloads }: Activation, given: WorkflowOperation | undefined): CheckedOperation {
  if (shared.effects) return shared.effects.check(given as WorkflowOperation, payloads.context);
  throw new ConfigurationError(
    `ctx.effects needs effects, and the process that executes workflow "${run.workflow}" has none: ` +
      'set effects: {} in DurableModule.forRoot, or omit the option, instead of effects: false. The run continues in a process that has effects',
  );
}

/** An unsettled step that waits for an operation. */
class OperationWait {
  constructor(
    private readonly activation: Activation,
    private step: StepRecord,
  ) {}

  /** `operation` is set if it is not recorded yet. */
  begin(operation: CheckedOperation | undefined): void {
    if (operation) return this.enqueue(operation);
    if (this.step.status === 'answered') return this.settle([]);
    this.wait();
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  /** The operation in the step's record. */
  private get awaited(): RecordedOperation {
    const recorded = readOperation(this.step.output);
    if (!recorded) throw new Error(`The record of step ${this.stepId} contains no operation`);
    return recorded;
  }

  private enqueue(operation: CheckedOperation): void {
    this.step = { ...this.step, output: writeOperation(operation) };
    if (operation.entryIds.length === 0) return this.settle([]);
    const { seq } = this.step;
    this.activation.keep(this.step, { extras: { enqueues: [{ seq, operation }], waits: [this.listening] } });
    this.wait();
  }

  private get listening(): SignalWait {
    const { runId, seq } = this.step;
    const channel = effectChannel(this.awaited);
    return { channel, stepId: this.stepId, runId, seq, after: 0, since: this.activation.run.since, deadline: null };
  }

  private wait(): void {
    const { activation, stepId } = this;
    const since = activation.shared.clock.now();
    activation.awaited.add(this.step.seq, { stepId, since, accept: () => this.settle([stepId]) });
  }

  private settle(takes: string[]): void {
    const { activation, stepId } = this;
    const output = activation.payloads.encodeFreely([...this.awaited.entryIds]);
    const step: StepRecord = { ...this.step, status: 'completed', output, error: null };
    activation.settle(step, { takes, extras: { unwaits: [stepId] } });
  }
}
