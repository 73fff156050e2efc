import { checkDuration, checkWhole } from '../decorators/option-checks.js';
import type { RetentionPolicy } from '../engine/endings/retention.js';
import type { RunStatus } from '../engine/model/run.js';
import { InvalidArgumentError } from '../errors.js';
import { type Duration, toMs } from '../time/duration.js';

/**
 * What is deleted automatically. Whatever is omitted or `false` is kept forever; by default everything is kept.
 *
 * @example
 * DurableModule.forRoot({ retention: { completed: '30d', cancelled: '30d', failed: '90d', signals: '30d' } });
 */
export interface RetentionOptions {
  /** How long completed runs and all their data are kept after their end. */
  completed?: Duration | false;
  failed?: Duration | false;
  cancelled?: Duration | false;
  /** These wait for `retry`: once they are deleted, nothing shows which steps were not compensated. */
  compensation_failed?: Duration | false;
  /** How long signals are kept that were consumed, or sent to a key and never consumed. A run's own go with the run. */
  signals?: Duration | false;
  /** The maximum number of runs deleted per transaction. Default 500. */
  batchSize?: number;
  /** The interval between two deletion passes. Default `'1m'`. */
  every?: Duration;
}

const STATUSES = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const satisfies RunStatus[];
const OPTIONS: readonly string[] = [...STATUSES, 'signals', 'batchSize', 'every'];

/** @throws InvalidArgumentError that names the option. */
export function retentionOf(options: RetentionOptions): RetentionPolicy {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError('retention', unknown, `only ${OPTIONS.join(', ')}`);
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
