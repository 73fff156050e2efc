import {
  type EraseDeadLetters,
  type ErasedEvents,
  type EraseEvents,
  type EventErasure,
  PENDING,
} from './event-erasure.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { keyOf, type MemoryOutbox } from '../relay/memory-outbox.js';

/** The counterpart of `SqlEventErasure`. */
export class InMemoryEventErasure implements EventErasure {
  constructor(private readonly tables: MemoryOutbox) {}

  async erase(request: EraseEvents): Promise<ErasedEvents> {
    const { stored } = this.tables;
    const page = pageOf(
      [...stored.values()].map(({ event }) => event),
      request,
    );
    const isDone = ({ sequenceId }: OutboxEvent) => stored.get(sequenceId)!.processed;
    const ours = page.filter(wantedBy(request));
    const going = ours.filter((event) => isDone(event) && (event.data !== null || event.headers !== null));
    for (const event of going)
      stored.set(event.sequenceId, {
        ...stored.get(event.sequenceId)!,
        event: { ...event, data: null, headers: null },
      });
    return {
      erased: going.length,
      kept: ours.filter((event) => !isDone(event)).map(keptOf),
      next: nextOf(request, page),
    };
  }

  async eraseDead(request: EraseDeadLetters): Promise<ErasedEvents> {
    const { destination, channel, discards } = request;
    const page = pageOf(this.tables.deadOf(destination, channel), request);
    const ours = page.filter(wantedBy(request));
    const isGoing = ({ reason }: { reason: string }) => discards && reason !== PENDING;
    const going = ours.filter(isGoing);
    for (const { sequenceId } of going) this.tables.dead.delete(keyOf(destination, sequenceId));
    return {
      erased: going.length,
      kept: ours.filter((event) => !isGoing(event)).map(keptOf),
      next: nextOf(request, page),
    };
  }

  async forgetErrors(destinations: readonly string[], channels: readonly string[]): Promise<void> {
    for (const destination of destinations)
      for (const channel of channels) {
        const row = this.tables.channels.get(keyOf(destination, channel));
        if (row && row.state === undefined && row.attempts === 0) row.error = null;
      }
  }
}

function pageOf<Event extends OutboxEvent>(events: readonly Event[], { channel, after, limit }: EraseEvents): Event[] {
  const later = events.filter((event) => event.channel === channel && BigInt(event.sequenceId) > BigInt(after));
  return later.sort((a, b) => (BigInt(a.sequenceId) < BigInt(b.sequenceId) ? -1 : 1)).slice(0, limit);
}

const nextOf = ({ limit }: EraseEvents, page: readonly OutboxEvent[]): string | undefined =>
  page.length < limit ? undefined : page.at(-1)!.sequenceId;

const wantedBy =
  ({ mutationIds }: EraseEvents) =>
  ({ mutationId }: OutboxEvent): boolean =>
    mutationIds === undefined || mutationIds.includes(mutationId);

const keptOf = ({ channel, mutationId, sequenceId }: OutboxEvent) => ({ channel, mutationId, sequenceId });
