import type { RelayObserver } from '../outbox/relay/relay-options.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** What a relay tells, as events of the process. */
export const outboxObserver = (telemetry: Telemetry): RelayObserver => ({
  error: (error) => telemetry.emit('loop.error', { loop: 'the outbox', error }),
  lost: (shards) => telemetry.emit('outbox.shards-lost', { shards: shards.length }),
  failed: ({ delayMs, ...failure }) => telemetry.emit('outbox.failed', { ...failure, retryInMs: delayMs }),
  poisoned: (failure) => telemetry.emit('outbox.poisoned', failure),
  delivered: (delivery) => telemetry.emit('outbox.delivered', delivery),
  numbersStay: (why) => telemetry.emit('outbox.numbers-stay', { why }),
  late: (event) => telemetry.emit('outbox.late', event),
});
