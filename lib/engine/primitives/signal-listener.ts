import { stepIdOf } from '../../protocol/step.js';
import type { Activation } from '../activation/activation.js';
import { type Delivered, readDelivered, writeListened } from '../model/mailbox.js';
import type { Entry } from '../activation/run-writer.js';
import { isProgrammingError } from '../model/mismatch.js';
import type { SignalTaken, SignalWait } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import { refOf } from '../activation/taken-signals.js';

export interface Listening {
  channels: readonly string[];
  /** The signals of the channels, for people. */
  signals: readonly { name: string; key: string | undefined }[];
  /** The timeout in ms, from the start of the wait. */
  timeoutMs: number | undefined;
  /** Returns the output of the step for this signal; undefined if the step does not take it. */
  take: (delivered: Delivered) => { output: string | null } | undefined;
  /** The output after the timeout. */
  outputWhenOver: () => string | null;
}

/** An unsettled step that waits on channels: it takes the first matching signal, and ends at its timeout. */
export class SignalListener {
  private readonly cursors = new Map<string, number>();
  /** The number of the current wait; callbacks of earlier waits have no effect. */
  private round = 0;
  private isOver = false;

  constructor(
    private readonly activation: Activation,
    private step: StepRecord,
    private readonly listening: Listening,
  ) {}

  begin(isNew: boolean): void {
    if (isNew) return this.listen({});
    if (this.step.status === 'answered') return this.answered(this.step.output, []);
    this.wait();
  }

  /** Settles the step by another event, if that comes first; its signals are left to other waits. */
  settle(step: Pick<StepRecord, 'status' | 'output' | 'error' | 'attempt' | 'failures'>): void {
    if (this.isOver) return;
    this.activation.awaited.delete(this.step.seq);
    this.end({ ...this.step, ...step }, {});
  }

  private get stepId(): string {
    return stepIdOf(this.step.runId, this.step.seq);
  }

  private get listens(): boolean {
    return this.listening.channels.length > 0;
  }

  private get due(): number | null {
    const { timeoutMs } = this.listening;
    return this.step.wakeAt ?? (timeoutMs === undefined ? null : this.step.createdAt + timeoutMs);
  }

  private listen({ extras, ...also }: Entry): void {
    const output = writeListened(this.listening.signals);
    this.step = { ...this.step, status: 'pending', output, wakeAt: this.due };
    this.activation.keep(this.step, this.listens ? { ...also, extras: { ...extras, waits: this.waits() } } : {});
    this.wait();
  }

  private waits(): SignalWait[] {
    const { run, takenSignals } = this.activation;
    const { runId, seq } = this.step;
    return this.listening.channels.map((channel) => ({
      channel,
      stepId: this.stepId,
      runId,
      seq,
      after: takenSignals.after(channel, this.cursors.get(channel)),
      since: run.since,
      deadline: this.due,
    }));
  }

  private wait(): void {
    const { activation, stepId, step } = this;
    if (this.due !== null) void this.watch(this.due);
    if (!this.listens) return;
    void this.look(this.listening.channels);
    const accept = ({ output }: { output: string | null }) => this.answered(output, [stepId]);
    activation.awaited.add(step.seq, { stepId, since: activation.shared.clock.now(), accept });
  }

  /** Starts delivery on these channels, once all records are durable. */
  private look(channels: readonly string[]): Promise<void> {
    const { activation } = this;
    return activation.work(async () => {
      if (!(await activation.durable())) return;
      const looked = await activation.shared.signals.opened(channels, activation.signal);
      if (looked === 'stopped') activation.holdUp();
    });
  }

  private async watch(due: number): Promise<void> {
    const { activation, round } = this;
    await activation.until(this.step.seq, due);
    if (round !== this.round) return;
    await activation.work(async () => {
      if (this.listens) {
        if (!(await activation.durable()) || round !== this.round) return;
        const verdict = await activation.shared.signals.expire(this.stepId, activation.signal);
        if (verdict === 'stopped') activation.holdUp();
        if (verdict !== 'expired' || round !== this.round) return;
      }
      const output = this.listening.outputWhenOver();
      this.settle({ ...this.step, status: 'completed', output, error: null });
    });
  }

  private answered(output: string | null, takes: string[]): void {
    const { activation } = this;
    this.round++;
    activation.dueTimes.delete(this.step.seq);
    const delivered = readDelivered(output);
    if (!delivered) throw new Error(`The answer to step ${this.stepId} is not a signal`);
    // Another wait of this run has taken the same signal.
    if (activation.takenSignals.has(delivered)) return this.goOn(delivered, takes, []);
    const { channel, position } = delivered;
    const refused: SignalTaken[] = [{ channel, position, how: 'refused' }];
    try {
      const taken = this.listening.take(delivered);
      if (!taken) return this.goOn(delivered, takes, refused);
      activation.takenSignals.add(delivered);
      const step = { ...this.step, status: 'completed', output: taken.output, error: null } as const;
      const receives: SignalTaken[] = [{ channel, position, how: 'kept' }];
      this.end({ ...step, ref: refOf(delivered) }, { takes, extras: { receives } });
    } catch (error) {
      // The answer is kept, for fixed code.
      if (isProgrammingError(error)) return activation.block('programming_error', error);
      const failed = {
        status: 'failed',
        output: null,
        error: JSON.stringify(activation.payloads.error(error)),
      } as const;
      this.end({ ...this.step, ...failed, attempt: 1, failures: 1 }, { takes, extras: { receives: refused } });
      void this.look([channel]);
    }
  }

  private goOn({ channel, position }: Delivered, takes: string[], receives: SignalTaken[]): void {
    this.cursors.set(channel, position);
    this.listen({ takes, extras: { receives } });
  }

  /**
   * Deletes the waits also after a delivery: a commit whose reply was lost is repeated, and writes the wait again
   * although it was answered meanwhile.
   */
  private end(step: StepRecord, { extras, ...also }: Omit<Entry, 'steps'>): void {
    this.round++;
    this.isOver = true;
    this.activation.dueTimes.delete(step.seq);
    const all = this.listens ? { ...extras, unwaits: [this.stepId] } : extras;
    this.activation.settle(step, { ...also, ...(all && { extras: all }) });
  }
}
