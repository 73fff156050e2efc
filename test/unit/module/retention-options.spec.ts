import { InvalidArgumentError } from '../../../lib/errors.js';
import { retentionOf } from '../../../lib/module/retention-options.js';

const DAY = 86_400_000;

describe('the options of retention', () => {
  it('keep everything unless they say otherwise, and look once a minute', () => {
    expect(retentionOf({})).toEqual({ keepMs: {}, signalsMs: null, batchSize: 500, everyMs: 60_000 });
    expect(retentionOf({ completed: false, signals: false })).toEqual(retentionOf({}));
  });

  it('say for each end how long runs are kept', () => {
    const kept = { completed: '30d', failed: '90d', compensation_failed: false, signals: 1_000 } as const;
    expect(retentionOf({ ...kept, batchSize: 7, every: '5s' })).toEqual({
      keepMs: { completed: 30 * DAY, failed: 90 * DAY },
      signalsMs: 1_000,
      batchSize: 7,
      everyMs: 5_000,
    });
  });

  it.each([
    [{ done: '1d' }, 'retention'],
    [{ completed: 'soon' }, 'retention.completed'],
    [{ signals: -1 }, 'retention.signals'],
    [{ batchSize: 0 }, 'retention.batchSize'],
    [{ every: 'never' }, 'retention.every'],
  ])('%j is refused, and %s is named', (options, named) => {
    const refused = () => retentionOf(options as never);
    expect(refused).toThrow(InvalidArgumentError);
    expect(refused).toThrow(named);
  });
});
