import type { ActLog } from '../acts/acts.js';
import { Turns } from '../core/loops.js';
import { inMemoryTransaction, type MemoryTransactions, type Transaction } from '../core/transaction.js';
import {
  type ChannelPage,
  type ChannelReader,
  type ChannelSnapshot,
  type ChannelSnapshots,
  type EventPruning,
  isAfter,
  laterOf,
  type Pruned,
  type PruneRequest,
  type ReadPosition,
  type Swept,
} from './channels.js';
import { type Inbox, type Incoming, positionKeyOf, type RelaySignals } from './destinations.js';
import {
  type EraseDeadLetters,
  type ErasedEvents,
  type EraseEvents,
  type EventErasure,
  OUTBOX_TOPIC,
  type OutboxEvent,
  type OutboxWriter,
  PENDING,
  type StoredEvent,
  type WrittenEvent,
} from './events.js';
import { inMemoryRelayStorage, keyOf, type MemoryOutbox } from './relay.memory.js';
import type { OutboxStorage } from './storage.js';

/** The counterpart of `sqlOutboxStorage`. Delivered events are kept until they are pruned, even without retention. */
export function inMemoryOutboxStorage(
  tables: MemoryOutbox,
  transactions?: MemoryTransactions,
  acts?: ActLog,
): OutboxStorage {
  const listeners = new Set<() => void>();
  const signals: RelaySignals = {
    live: true,
    subscribe: (topic, listener) => {
      if (topic === OUTBOX_TOPIC) listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const tell = () => listeners.forEach((listener) => listener());
  const reader = new InMemoryChannelReader(tables);
  return {
    writer: new InMemoryOutboxWriter((event) => void tables.append(event), tell, transactions),
    relay: inMemoryRelayStorage(tables, acts),
    inbox: new InMemoryInbox(tables.inbox),
    reader,
    signals,
    snapshots: new InMemoryChannelSnapshots(reader),
    pruning: new InMemoryEventPruning(tables),
    erasure: new InMemoryEventErasure(tables),
  };
}

/**
 * Writes to memory when the transaction ends; memory does not roll back. `append` numbers and stores the event; `tell`
 * notifies of the channels.
 */
export class InMemoryOutboxWriter implements OutboxWriter {
  constructor(
    private readonly append: (event: Omit<OutboxEvent, 'sequenceId'>) => void,
    private readonly tell: (channels: readonly string[]) => void,
    private readonly transactions?: MemoryTransactions,
  ) {}

  write(events: readonly WrittenEvent[], transaction?: unknown): Promise<void> {
    if (transaction === undefined || !this.transactions) return this.writeAlone(events);
    return new Promise((resolve) => {
      this.transactions?.join(transaction).afterCommit(() => this.keep(events));
      resolve();
    });
  }

  writeAlone(events: readonly WrittenEvent[]): Promise<void> {
    this.keep(events);
    return Promise.resolve();
  }

  writeIn(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    this.put(events);
    tx.afterCommit(() => this.wake(channelsOf(events)));
    return Promise.resolve();
  }

  writeWith(tx: Transaction, events: readonly WrittenEvent[]): Promise<void> {
    return this.writeIn(tx, events);
  }

  wake(channels: readonly string[]): void {
    this.tell(channels);
  }

  private keep(events: readonly WrittenEvent[]): void {
    if (events.length === 0) return;
    this.put(events);
    this.wake(channelsOf(events));
  }

  private put(events: readonly WrittenEvent[]): void {
    for (const { data, headers, ...event } of events)
      this.append({ ...event, data: parsed(data), headers: parsed(headers) as OutboxEvent['headers'] });
  }
}

const channelsOf = (events: readonly WrittenEvent[]): string[] => [...new Set(events.map(({ channel }) => channel))];

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));

/** The in-memory counterpart of `SqlInbox`. Writes of `apply` are not undone when it throws. */
export class InMemoryInbox implements Inbox {
  private readonly turns = new Turns();

  constructor(private readonly positions = new Map<string, bigint>()) {}

  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    const { consumer, sequenceId } = incoming;
    const key = JSON.stringify([consumer, positionKeyOf(incoming)]);
    return this.turns.take(key, async () => {
      if ((this.positions.get(key) ?? -1n) >= BigInt(sequenceId)) return false;
      await inMemoryTransaction(undefined, async (tx) => {
        await apply(tx, tx);
        this.positions.set(key, BigInt(sequenceId));
      });
      return true;
    });
  }
}

/** The counterpart of `SqlEventPruning`. */
export class InMemoryEventPruning implements EventPruning {
  constructor(private readonly tables: MemoryOutbox) {}

  async prune({ retainMs, after, limit }: PruneRequest): Promise<Pruned> {
    const { stored, pruned, clock } = this.tables;
    const all = [...stored.values()];
    const page = all.filter(({ event }) => isAfter(event.sequenceId, after)).slice(0, limit);
    const isOld = ({ createdAt }: StoredEvent) => createdAt < clock.now() - retainMs;
    const going = page.filter((one) => one.processed && isOld(one) && one !== all.at(-1));
    for (const { event } of going) {
      const { channel, sequenceId } = event;
      pruned.set(channel, laterOf(sequenceId, pruned.get(channel) ?? '0'));
      stored.delete(sequenceId);
    }
    const last = page.at(-1);
    const isOver = !last || page.length < limit || !isOld(last);
    return { removed: going.length, next: isOver ? undefined : last.event.sequenceId };
  }

  async sweep(limit: number): Promise<Swept> {
    return this.tables.sweep(limit);
  }
}

/** The counterpart of `SqlChannelReader`. */
export class InMemoryChannelReader implements ChannelReader {
  constructor(private readonly tables: MemoryOutbox) {}

  async read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]> {
    return positions.map(({ channel, after }) => {
      const gone = this.tables.pruned.get(channel);
      if (gone !== undefined && isAfter(gone, after)) return { events: [], gone };
      const found = this.eventsOf(channel).filter(({ sequenceId }) => isAfter(sequenceId, after));
      const events = found.slice(0, limit).map((event) => ({ event, size: JSON.stringify(event.data).length }));
      return { events };
    });
  }

  async tops(channels: readonly string[]): Promise<string[]> {
    return channels.map((channel) => {
      const gone = this.tables.pruned.get(channel) ?? '0';
      return this.eventsOf(channel).reduce((top, { sequenceId }) => laterOf(top, sequenceId), gone);
    });
  }

  private eventsOf(channel: string): OutboxEvent[] {
    const events = [...this.tables.stored.values()].map(({ event }) => event);
    return events.filter((event) => event.channel === channel);
  }
}

/** The counterpart of `SqlChannelSnapshots`: reads again if the channel was written to meanwhile. */
export class InMemoryChannelSnapshots implements ChannelSnapshots {
  constructor(private readonly reader: ChannelReader) {}

  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    for (;;) {
      const [before = '0'] = await this.reader.tops([channel]);
      const data = await read({});
      const [after] = await this.reader.tops([channel]);
      if (before === after) return { data, sequenceId: before };
    }
  }
}

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
