import type { StepAnswer } from '../../protocol/step.js';
import { type Delivered, readDelivered } from '../model/mailbox.js';
import type { SignalTaken } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

type SignalPosition = Pick<Delivered, 'channel' | 'position'>;

/** Which signals a run has taken, by their positions in their channels: its history says so. */
export class TakenSignals {
  private readonly byChannel = new Map<string, Set<number>>();
  /** Up to there the run has taken all of a channel. */
  private readonly upTo = new Map<string, number>();

  constructor(history: readonly StepRecord[]) {
    for (const { kind, ref } of history) {
      const found = kind === 'signal' && ref !== null ? positionIn(ref) : undefined;
      if (found) this.add(found);
    }
  }

  add({ channel, position }: SignalPosition): void {
    const taken = this.byChannel.get(channel) ?? new Set();
    this.byChannel.set(channel, taken.add(position));
  }

  has({ channel, position }: SignalPosition): boolean {
    return this.byChannel.get(channel)?.has(position) ?? false;
  }

  /** From `after` on, where the first is that the run has not taken. */
  after(channel: string, after = 0): number {
    const taken = this.byChannel.get(channel);
    const from = this.upTo.get(channel) ?? 0;
    let last = Math.max(after, from);
    while (taken?.has(last + 1)) last++;
    if (after <= from) this.upTo.set(channel, last);
    return last;
  }

  /** What goes with discarding an answer that came too late: the signal in it is released. */
  refusal({ output }: StepAnswer, step: StepRecord | undefined): { extras?: { receives: SignalTaken[] } } {
    const delivered = step?.kind === 'signal' ? readDelivered(output) : undefined;
    if (!delivered || this.has(delivered)) return {};
    const { channel, position } = delivered;
    return { extras: { receives: [{ channel, position, how: 'refused' }] } };
  }
}

/** What a step that took a signal is about. */
export const refOf = ({ channel, position }: SignalPosition): string => `${channel}:${position}`;

function positionIn(ref: string): SignalPosition | undefined {
  const colon = ref.lastIndexOf(':');
  return colon < 0 ? undefined : { channel: ref.slice(0, colon), position: Number(ref.slice(colon + 1)) };
}
