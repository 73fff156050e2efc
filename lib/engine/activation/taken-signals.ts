import type { StepAnswer } from '../../protocol/step.js';
import { type Delivered, readDelivered } from '../model/mailbox.js';
import type { SignalTaken } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';

type SignalPosition = Pick<Delivered, 'channel' | 'position'>;

/** The signals that a run has taken according to its history, by their positions in their channels. */
export class TakenSignals {
  private readonly byChannel = new Map<string, Set<number>>();
  /** Per channel: the run has taken all signals up to this position. */
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

  /** Returns the last position, from `after` on, up to which the run has taken all signals. */
  after(channel: string, after = 0): number {
    const taken = this.byChannel.get(channel);
    const from = this.upTo.get(channel) ?? 0;
    let last = Math.max(after, from);
    while (taken?.has(last + 1)) last++;
    if (after <= from) this.upTo.set(channel, last);
    return last;
  }

  /** The extras for discarding a late answer: the signal in it is released. */
  refusal({ output }: StepAnswer, step: StepRecord | undefined): { extras?: { receives: SignalTaken[] } } {
    const delivered = step?.kind === 'signal' ? readDelivered(output) : undefined;
    if (!delivered || this.has(delivered)) return {};
    const { channel, position } = delivered;
    return { extras: { receives: [{ channel, position, how: 'refused' }] } };
  }
}

/** The `ref` of a step that took a signal. */
export const refOf = ({ channel, position }: SignalPosition): string => `${channel}:${position}`;

function positionIn(ref: string): SignalPosition | undefined {
  const colon = ref.lastIndexOf(':');
  return colon < 0 ? undefined : { channel: ref.slice(0, colon), position: Number(ref.slice(colon + 1)) };
}
