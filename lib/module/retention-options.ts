import { checkDuration, checkWhole } from '../decorators/option-checks.js';
import type { RetentionPolicy } from '../engine/endings/retention.js';
import type { RunStatus } from '../engine/model/run.js';
import { InvalidArgumentError } from '../errors.js';
import { type Duration, toMs } from '../time/duration.js';

/**
 * What is deleted by itself. What is not named, or is `false`, is kept for good: by default that is everything.
 *
 * @example
 * DurableModule.forRoot({ retention: { completed: '30d', cancelled: '30d', failed: '90d', signals: '30d' } });
 */
export interface RetentionOptions {
  /** How long after their end completed runs are kept, with all that is theirs. */
  completed?: Duration | false;
  failed?: Duration | false;
  cancelled?: Duration | false;
  /** These wait for `retry`: once deleted, nothing tells what was not undone. */
  compensation_failed?: Duration | false;
  /** How long signals are kept that were taken, or sent to keys and never taken. Those sent to a run go with it. */
  signals?: Duration | false;
  /** The most runs deleted in one transaction. Default 500. */
  batchSize?: number;
  /** How often there is a look. Default `'1m'`. */
  every?: Duration;
}

const STATUSES = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const satisfies RunStatus[];
const OPTIONS: readonly string[] = [...STATUSES, 'signals', 'batchSize', 'every'];

/** @throws InvalidArgumentError that names the option. */
export function retentionOf(options: RetentionOptions): RetentionPolicy {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError('retention', unknown, `options of ${OPTIONS.join(', ')}`);
  const { batchSize = 500, every = '1m', signals = false } = options;
  checkWhole(batchSize, 'retention.batchSize');
  const kept = STATUSES.flatMap((status) => {
    const { [status]: keep = false } = options;
    return keep === false ? [] : [[status, ms(keep, status)] as const];
  });
  return {
    keepMs: Object.fromEntries(kept),
    signalsMs: signals === false ? null : ms(signals, 'signals'),
    batchSize,
    everyMs: ms(every, 'every'),
  };
}

function ms(duration: Duration, name: string): number {
  checkDuration(duration, `retention.${name}`);
  return toMs(duration, name);
}
