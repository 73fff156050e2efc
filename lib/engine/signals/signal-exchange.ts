import { DatabaseError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import { backoffMs } from '../../time/backoff.js';
import { Batcher } from '../../time/batcher.js';
import { PollLoop } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import type { Companion } from '../companion.js';
import type { Answering, Mailbox } from './mailbox.js';
import type { AnswerWriter } from '../task-dispatcher.js';

export interface SignalExchangeOptions {
  /** Whether notifications arrive just now. */
  notified: () => boolean;
  /** How often signals are looked for at the least where no notifications arrive. */
  pollMs: number;
  onError: (error: unknown) => void;
}

const FASTEST_POLL_MS = 20;
/** Behind notifications. */
const BACKSTOP_MS = 5_000;
/** Another process is filing what there is. */
const ELSEWHERE_MS = 20;
const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

/** Brings signals to the steps that wait for them. */
export class SignalExchange implements Companion {
  private readonly opening: Batcher<readonly string[], void>;
  private readonly expiring: Batcher<string, 'expired' | 'answered'>;
  private readonly loop: PollLoop;
  private readonly stopped = new AbortController();
  private unsubscribe = (): void => {};

  constructor(
    private readonly mailbox: Mailbox,
    private readonly answers: AnswerWriter,
    private readonly options: SignalExchangeOptions,
  ) {
    const { notified, pollMs, onError } = options;
    const isolates = () => !this.stopped.signal.aborted;
    this.opening = new Batcher((opened) => this.deliverTo(opened), { maxItems: 200, isolates });
    this.expiring = new Batcher((stepIds) => this.expireAll(stepIds), { maxItems: 200, isolates });
    const slowest = () => (notified() ? BACKSTOP_MS : pollMs);
    this.loop = new PollLoop(() => this.tick(), {
      minMs: () => (notified() ? slowest() : FASTEST_POLL_MS),
      maxMs: slowest,
      onError,
    });
  }

  start(): void {
    this.unsubscribe = this.mailbox.onSignals((offered) => (offered ? this.offer(offered) : this.loop.wake()));
    this.loop.start();
  }

  /** What is opened after it is still delivered to, but a database that is away is not waited for. */
  async stop(): Promise<void> {
    this.unsubscribe();
    this.stopped.abort();
    await this.loop.stop();
    await Promise.all([this.opening.idle(), this.expiring.idle()]);
  }

  /**
   * A wait on these channels has been recorded: gives it what is there already. Until then its run must stay in memory, so
   * that whoever takes it over asks again.
   */
  opened(channels: readonly string[]): Promise<void> {
    return this.opening.add(channels);
  }

  /** The time of a step's wait is over. `answered`: the answer to it is on its way. */
  expire(stepId: string): Promise<'expired' | 'answered'> {
    return this.expiring.add(stepId);
  }

  /** Signals on these channels became anybody's again: others may be waiting for them. */
  private offer(channels: readonly string[]): void {
    this.opened(channels).catch(this.options.onError);
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const { left, answers, refused = [] } = await this.mailbox.deliver(this.answering);
    this.tell(answers);
    for (const error of refused) this.options.onError(error);
    if (left === 'elsewhere') await sleep(ELSEWHERE_MS, this.stopped.signal);
    if (left !== 'done') return 'busy';
    return answers.length > 0 ? 'active' : 'idle';
  }

  private async deliverTo(opened: readonly (readonly string[])[]): Promise<void[]> {
    const channels = [...new Set(opened.flat())];
    const { answers } = await this.insistently(() => this.mailbox.deliver(this.answering, channels));
    this.tell(answers);
    return opened.map(() => undefined);
  }

  private async expireAll(stepIds: readonly string[]): Promise<('expired' | 'answered')[]> {
    const { expired, answers } = await this.insistently(() => this.mailbox.expire(stepIds, this.answering));
    this.tell(answers);
    const over = new Set(expired);
    return stepIds.map((stepId) => (over.has(stepId) ? 'expired' : 'answered'));
  }

  private readonly answering: Answering = (answers, tx) => this.answers.answer(answers, tx);

  private tell(answers: readonly StepAnswer[]): void {
    if (answers.length > 0) this.answers.announceAnswers(answers);
  }

  private async insistently<T>(ask: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await ask();
      } catch (error) {
        const mayPass = error instanceof DatabaseError && !error.aboutData;
        if (!mayPass || this.stopped.signal.aborted) throw error;
        this.options.onError(error);
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }
}
