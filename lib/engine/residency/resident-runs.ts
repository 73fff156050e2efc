import type { Clock } from '../../time/clock.js';
import type { ClaimedRun } from '../model/run.js';
import type { Activation } from '../activation/activation.js';
import { keyOf } from '../activation/merged-writes.js';
import type { TaskDispatcher } from '../model/task-dispatcher.js';

export interface ResidentRunsOptions {
  /** How long a run may wait in memory without progress, in ms. */
  residencyMs: number;
  /** The most runs in memory; the longest waiting make room. */
  maxResident: number;
  /** Runs whose owners died this often in a row are played one at a time, and parked as soon as they wait. */
  suspectAfter: number;
}

/** A request that has no answer after this is looked up: its row may be gone. */
const LOOK_UP_AFTER_MS = 5_000;

/** The runs in this process's memory, and for how long each stays there. */
export class ResidentRuns {
  private readonly byId = new Map<string, Activation>();
  /** Claims that are over, of which a write is still tried. */
  private readonly unanswered = new Set<string>();
  private draining: (() => void) | undefined;
  private isDraining = false;

  constructor(
    private readonly dispatcher: TaskDispatcher,
    private readonly clock: Clock,
    private readonly options: ResidentRunsOptions,
  ) {}

  get size(): number {
    return this.byId.size;
  }

  get room(): number {
    return this.isDraining ? 0 : Math.max(0, this.options.maxResident - this.byId.size);
  }

  get hasSuspect(): boolean {
    for (const { run } of this.byId.values()) if (run.crashes >= this.options.suspectAfter) return true;
    return false;
  }

  /** One that is here under an older claim was lost unnoticed. */
  add(activation: Activation): void {
    this.byId.get(activation.run.id)?.drop();
    this.byId.set(activation.run.id, activation);
  }

  remove(activation: Activation): void {
    if (this.byId.get(activation.run.id) === activation) this.byId.delete(activation.run.id);
    if (this.byId.size === 0) this.draining?.();
  }

  /** It was not left in good order: what it has written may still arrive. */
  leftOpen({ run, writer }: Activation): void {
    const key = keyOf(run.id, run.epoch);
    this.unanswered.add(key);
    void writer.flushed().then(() => this.unanswered.delete(key));
  }

  /** Whether writes of an older claim may pass as those of this one: a database that lost claims counts them anew. */
  isRepeated({ id, epoch }: ClaimedRun): boolean {
    return this.byId.get(id)?.run.epoch === epoch || this.unanswered.has(keyOf(id, epoch));
  }

  get(runId: string): Activation | undefined {
    return this.byId.get(runId);
  }

  all(): Activation[] {
    return [...this.byId.values()];
  }

  /** A run has come to rest: parks it at once when it says itself that nothing will happen soon. */
  rested(activation: Activation): void {
    if (this.isDraining) return activation.yield();
    if (!activation.parkable || activation.journal.unasked) return;
    const { residencyMs, suspectAfter } = this.options;
    // An answer may come soon; sleeps alone say when they end.
    const sleepsAlone = activation.awaited.size === 0;
    const sleepsLong = sleepsAlone && (activation.wakeAt ?? 0) - this.clock.now() > residencyMs;
    if (activation.run.crashes >= suspectAfter) void this.parkSuspect(activation);
    else if (sleepsLong) void activation.park();
  }

  /** Parks what has waited too long, makes room where it is short, and asks again for answers that got lost. */
  async tick(): Promise<'busy' | 'idle'> {
    const here = this.all();
    await this.resendLost(here);
    // Not one that came meanwhile: nobody has looked for its tasks yet.
    const waiting = here.filter((activation) => activation.idle);
    const over = this.byId.size - this.options.maxResident * 0.9;
    const oldest = waiting.sort((a, b) => a.lastProgress - b.lastProgress);
    const before = this.clock.now() - this.options.residencyMs;
    oldest.forEach((activation, i) => (i < over || activation.lastProgress <= before) && this.leaveBehind(activation));
    return 'idle';
  }

  /** Lets every run go as soon as what is under way in it is recorded; resolves when none is left, or after `ms`. */
  async drain(timeout: Promise<void>): Promise<void> {
    this.isDraining = true;
    const empty = new Promise<void>((resolve) => (this.draining = resolve));
    for (const activation of this.all()) activation.yield();
    if (this.byId.size > 0) await Promise.race([empty, timeout]);
  }

  private leaveBehind(activation: Activation): void {
    const unasked = activation.unaskedError();
    if (unasked) return activation.block('non_determinism', unasked);
    if (activation.parkable) void activation.park();
  }

  /** At once, but for a look at its tasks: nothing else would look after them, and it is not here when the next look is due. */
  private async parkSuspect(activation: Activation): Promise<void> {
    // What was not to be looked up now, the sweep finds.
    await this.resendLost([activation]).catch(() => undefined);
    if (activation.parkable && !activation.journal.unasked) void activation.park();
  }

  private async resendLost(activations: readonly Activation[]): Promise<void> {
    const before = this.clock.now() - LOOK_UP_AFTER_MS;
    const waiting = activations.flatMap((activation) =>
      activation.awaited.all().filter(({ since, resend }) => resend && since <= before),
    );
    if (waiting.length === 0) return;
    const lost = new Set(await this.dispatcher.lost(waiting.map(({ stepId }) => stepId)));
    const still = new Set(activations.flatMap((activation) => activation.awaited.all()));
    const resent = waiting.filter((awaited) => lost.has(awaited.stepId) && still.has(awaited));
    await Promise.all(resent.map(async ({ resend }) => resend?.()));
  }
}
