import { checkDuration, checkWhole } from '../decorators/option-checks.js';
import type { RetentionPolicy } from '../engine/endings/retention.js';
import type { RunStatus } from '../engine/model/run.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { type Duration, toMs } from '../time/duration.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

/**
 * What is deleted automatically. Whatever is omitted or `false` is kept forever; by default everything is kept.
 *
 * @example
 * DurableModule.forRoot({ retention: { completed: '30d', cancelled: '30d', failed: '90d', signals: '30d', effects: '30d' } });
 */
export interface RetentionOptions {
  /** How long completed runs and all their data are kept after their end. */
  completed?: Duration | false;
  failed?: Duration | false;
  cancelled?: Duration | false;
  /** These wait for `retry`: once they are deleted, nothing shows which steps were not compensated. */
  compensation_failed?: Duration | false;
  /**
   * How long signals to keys are kept, consumed or not; and signals to runs that were consumed, or that nobody will
   * consume: the run does not exist, or was completed or cancelled at least as long ago.
   */
  signals?: Duration | false;
  /** How long effect calls are kept after they have succeeded. */
  effects?: Duration | false;
  /** How long abandoned effect calls are kept: once deleted, they cannot be requeued. */
  abandonedEffects?: Duration | false;
  /** How long the audit log of effects is kept. */
  effectAudit?: Duration | false;
  /** How long dead letters of the outbox are kept after they were set aside. Requeued ones stay until delivered. */
  deadLetters?: Duration | false;
  /** How long the acts of operators are kept, of all namespaces. */
  acts?: Duration | false;
  /** How long what processes counted is kept, for the graphs of the dashboard. At most 7 days, which is the default. */
  samples?: Duration;
  /** The maximum number of runs, or of other rows, deleted per transaction. Default 500. */
  batchSize?: number;
  /** The interval between two deletion passes. Default `'1m'`. */
  every?: Duration;
}

export const RETENTION_OPTIONS = {
  completed: true,
  failed: true,
  cancelled: true,
  compensation_failed: true,
  signals: true,
  effects: true,
  abandonedEffects: true,
  effectAudit: true,
  deadLetters: true,
  acts: true,
  samples: true,
  batchSize: true,
  every: true,
} satisfies KnownOptions<RetentionOptions>;

const STATUSES = ['completed', 'failed', 'cancelled', 'compensation_failed'] as const satisfies RunStatus[];
type Other = 'signals' | 'effects' | 'abandonedEffects' | 'effectAudit' | 'deadLetters' | 'acts';

/** The policy with what is deleted outside of the engine: how long it is kept, in ms; null: forever. */
export type RetentionSettings = RetentionPolicy & Record<`${Other}Ms`, number | null> & { samplesMs: number };

const MOST_SAMPLES_MS = 7 * 86_400_000;

/** @throws InvalidArgumentError that names the option. */
export function retentionOf(options: RetentionOptions): RetentionSettings {
  // A single time would not say which ends it is about.
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError(
      'retention',
      options,
      "an object that says what is kept for how long, such as { completed: '30d', failed: '90d' }",
    );
  checkedOptions(options, RETENTION_OPTIONS, 'retention');
  const { batchSize = 500, every = '1m', samples = MOST_SAMPLES_MS } = options;
  checkWhole(batchSize, 'retention.batchSize');
  const keptMs = (name: (typeof STATUSES)[number] | Other): number | null => {
    const { [name]: keep = false } = options;
    return keep === false ? null : ms(keep, name);
  };
  const kept = STATUSES.flatMap((status) => {
    const keepMs = keptMs(status);
    return keepMs === null ? [] : [[status, keepMs] as const];
  });
  return {
    keepMs: Object.fromEntries(kept),
    signalsMs: keptMs('signals'),
    effectsMs: keptMs('effects'),
    abandonedEffectsMs: keptMs('abandonedEffects'),
    effectAuditMs: keptMs('effectAudit'),
    deadLettersMs: keptMs('deadLetters'),
    actsMs: keptMs('acts'),
    samplesMs: samplesMs(samples),
    batchSize,
    everyMs: ms(every, 'every'),
  };
}

function samplesMs(kept: Duration): number {
  const keptMs = ms(kept, 'samples');
  // One row per process and minute: more would be read for each graph.
  if (keptMs > MOST_SAMPLES_MS) throw new InvalidArgumentError('retention.samples', kept, 'at most 7 days');
  return keptMs;
}

function ms(duration: Duration, name: string): number {
  checkDuration(duration, `retention.${name}`);
  return toMs(duration, name);
}
