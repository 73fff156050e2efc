import type { Telemetry } from '../telemetry/telemetry.js';
import type { TelemetryEvents } from '../telemetry/telemetry-events.js';

/** `line` is logged at most once in a while; `more` follows it, and may differ. */
export type NowAndThen = (line: string, more?: string) => void;

/** What the log says of the app's connections. */
export function logConnections(telemetry: Telemetry, nowAndThen: NowAndThen): void {
  telemetry.on('connection.left-open', (event) => nowAndThen(...leftOpen(event)));
  telemetry.on('connection.waiting', (event) => nowAndThen(...waiting(event)));
}

function leftOpen({ statement }: TelemetryEvents['connection.left-open']): [string, string] {
  const last = statement === undefined ? 'look for BEGIN or START TRANSACTION' : `the last statement was ${statement}`;
  return [
    'The app left a transaction open on a pooled connection, and it was rolled back. Every BEGIN needs a COMMIT or ROLLBACK, also when the code in between throws',
    `; ${last}`,
  ];
}

const WAIT = 'Statements wait for a connection of the pool';

const WHY: Record<NonNullable<TelemetryEvents['connection.waiting']['why']>, string> = {
  held: `${WAIT}. A transaction of the app that awaits a call of nest-durable has to pass itself to it ({ transaction }), and must not await results. Otherwise the pool is too small`,
  busy: `${WAIT}, and all of its connections run statements: the database is slow, or does not respond`,
  opening: `${WAIT}, which may open more: the database does not accept connections, or not in time`,
};

function waiting(event: TelemetryEvents['connection.waiting']): [string, string] {
  const { waitedMs, why = 'held' } = event;
  return [WHY[why], `${sizes(event)}; ${event.waiting} wait, the first for ${Math.round(waitedMs / 1_000)} s`];
}

function sizes({ why, most, enough, setting }: TelemetryEvents['connection.waiting']): string {
  if (most === undefined) return '';
  if (enough !== undefined) return `: it has ${most}, ${enough} would do (${setting})`;
  return why === 'held' ? `: it has ${most}, and no sensible size would do` : `; it may have ${most} (${setting})`;
}
