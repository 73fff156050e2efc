import type { Telemetry } from '../telemetry/telemetry.js';
import type { NowAndThen } from './connection-log.js';

interface Target {
  warn(line: string): void;
  error(line: string): void;
}

/** What the log says of events that could not be published. */
export function logOutbox(telemetry: Telemetry, target: Target, nowAndThen: NowAndThen): void {
  telemetry.on('outbox.failed', ({ destination, channel, error, retryInMs }) =>
    // An unavailable broker fails all channels at once.
    nowAndThen(
      `Publishing to "${destination}" fails: ${error}`,
      `, for example for channel "${channel}", next try in ${retryInMs} ms`,
    ),
  );
  telemetry.on('outbox.poisoned', ({ destination, channel, sequenceId, error, outcome }) =>
    target.error(
      `Event ${sequenceId} of channel "${channel}" could not be delivered to "${destination}" (${outcome}): ${error}`,
    ),
  );
  telemetry.on('outbox.late', ({ channel, sequenceId }) =>
    nowAndThen(
      `Events became visible after later events of their channel`,
      `, for example ${sequenceId} of "${channel}": another program assigns sequence_id itself, or ordering is 'none'`,
    ),
  );
  telemetry.on('outbox.numbers-stay', ({ why }) =>
    target.warn(
      why === 'denied'
        ? 'Another database server has taken over, and event numbers may be assigned again: the database role of this relay may not advance them. Run `npx nest-durable outbox-jump`'
        : 'Another database server has taken over, and event numbers may be assigned again: sequence_id is too narrow to advance them. Make it bigint, then run `npx nest-durable outbox-jump`',
    ),
  );
  telemetry.on('outbox.shards-lost', ({ shards }) =>
    target.warn(`Other processes took ${shards} outbox shards: this process was too slow to renew them`),
  );
}
