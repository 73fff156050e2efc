import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { retentionOf } from '../../../lib/nest/slice-options.js';

const DAY = 86_400_000;
const NOTHING_ELSE = {
  signalsMs: null,
  effectsMs: null,
  abandonedEffectsMs: null,
  effectAuditMs: null,
  deadLettersMs: null,
  actsMs: null,
  samplesMs: 7 * DAY,
};

describe('the options of retention', () => {
  it('keep everything unless they say otherwise, and look once a minute', () => {
    expect(retentionOf({})).toEqual({ keepMs: {}, ...NOTHING_ELSE, batchSize: 500, everyMs: 60_000 });
    expect(retentionOf({ completed: false, signals: false, effects: false })).toEqual(retentionOf({}));
  });

  it('say for each end how long runs are kept', () => {
    const kept = { completed: '30d', failed: '90d', compensation_failed: false, signals: 1_000 } as const;
    expect(retentionOf({ ...kept, batchSize: 7, every: '5s' })).toEqual({
      keepMs: { completed: 30 * DAY, failed: 90 * DAY },
      ...NOTHING_ELSE,
      signalsMs: 1_000,
      batchSize: 7,
      everyMs: 5_000,
    });
  });

  it('say for everything else how long it is kept', () => {
    const kept = {
      effects: '1d',
      abandonedEffects: '2d',
      effectAudit: '3d',
      deadLetters: '4d',
      acts: '5d',
      samples: '6d',
    } as const;
    expect(retentionOf(kept)).toMatchObject({
      effectsMs: DAY,
      abandonedEffectsMs: 2 * DAY,
      effectAuditMs: 3 * DAY,
      deadLettersMs: 4 * DAY,
      actsMs: 5 * DAY,
      samplesMs: 6 * DAY,
    });
  });

  it.each([
    [{ done: '1d' }, 'retention'],
    [{ completed: 'soon' }, 'retention.completed'],
    [{ signals: -1 }, 'retention.signals'],
    [{ deadLetters: 'old' }, 'retention.deadLetters'],
    [{ samples: '8d' }, 'retention.samples'],
    [{ batchSize: 0 }, 'retention.batchSize'],
    [{ every: 'never' }, 'retention.every'],
  ])('%j is refused, and %s is named', (options, named) => {
    const refused = () => retentionOf(options as never);
    expect(refused).toThrow(InvalidArgumentError);
    expect(refused).toThrow(named);
  });
});
