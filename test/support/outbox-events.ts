import type { DeliveryContext } from '../../lib/outbox/destinations.js';
import type { OutboxEvent } from '../../lib/outbox/events.js';

/** An event of `posts:1`, unless `rest` says otherwise. */
export const anEvent = (sequenceId: string, rest: Partial<OutboxEvent> = {}): OutboxEvent => ({
  sequenceId,
  mutationId: `mutation-${sequenceId}`,
  channel: 'posts:1',
  name: 'edited',
  rejected: false,
  data: { n: Number(sequenceId) },
  headers: null,
  ...rest,
});

export const delivery = (rest: Partial<DeliveryContext> = {}): DeliveryContext => ({
  signal: new AbortController().signal,
  idempotencyKey: 'posts:1/1',
  ...rest,
});
