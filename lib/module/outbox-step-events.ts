import { randomUUID } from 'node:crypto';
import type { StepEvents } from '../engine/model/step-events.js';
import { checkedEvent, type EventLimits } from '../outbox/events/checked-event.js';
import type { OutboxWriter } from '../outbox/events/outbox-writer.js';
import type { WrittenEvent } from '../outbox/model/outbox-event.js';
import type { OutboxStorage } from '../outbox/compose/outbox-storage.js';

/** Where code that is played or replayed publishes; nothing where the app has no outbox. */
export const eventsOf = (outbox: OutboxStorage | undefined, limits: EventLimits): { events?: StepEvents } =>
  outbox ? { events: outboxStepEvents(outbox.writer, limits) } : {};

/** The outbox as the engine knows it: where `ctx.publish` goes. */
export const outboxStepEvents = (
  writer: Pick<OutboxWriter, 'writeIn' | 'announce'>,
  limits: EventLimits,
): StepEvents => ({
  check: (event) => checkedEvent(event, limits, randomUUID),
  // What it gets is what it has checked.
  write: (events, tx) => writer.writeIn(tx, events as readonly WrittenEvent[]),
  announce: (events) => writer.announce(events as readonly WrittenEvent[]),
});
