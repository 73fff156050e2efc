import type { Clock } from '../../time/clock.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import type { StoredEvent } from '../model/stored-event.js';
import type { EventPruning, Pruned, PruneRequest } from './event-pruning.js';
import { isAfter, laterOf } from './sequence.js';

/** What the twin of `SqlEventPruning` works on. */
export interface PrunableEvents {
  /** In the order of their numbers. */
  stored(): readonly StoredEvent[];
  remove(event: OutboxEvent): void;
  /** How far a channel has been removed. */
  readonly positions: Map<string, string>;
}

export class InMemoryEventPruning implements EventPruning {
  constructor(
    private readonly source: PrunableEvents,
    private readonly clock: Clock,
  ) {}

  async prune({ retainMs, after, limit }: PruneRequest): Promise<Pruned> {
    const all = this.source.stored();
    const page = all.filter(({ event }) => isAfter(event.sequenceId, after)).slice(0, limit);
    const isOld = ({ createdAt }: StoredEvent) => createdAt < this.clock.now() - retainMs;
    const going = page.filter((stored) => stored.processed && isOld(stored) && stored !== all.at(-1));
    for (const { event } of going) {
      const { channel, sequenceId } = event;
      this.source.positions.set(channel, laterOf(sequenceId, this.source.positions.get(channel) ?? '0'));
      this.source.remove(event);
    }
    const last = page.at(-1);
    const isOver = !last || page.length < limit || !isOld(last);
    return { removed: going.length, next: isOver ? undefined : last.event.sequenceId };
  }
}
