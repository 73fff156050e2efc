import { changesPlans, type ScheduleRecord } from '../../../lib/engine/schedules.js';

const before: ScheduleRecord = {
  id: 'a',
  namespace: '',
  workflow: 'report',
  declared: false,
  spec: '{}',
  input: null,
  paused: false,
  nextAt: 1,
  firedAt: null,
  lastRunId: null,
  bufferedAt: null,
  createdAt: 1,
};

const told = (change: Partial<ScheduleRecord>, was: Partial<ScheduleRecord> = {}) =>
  changesPlans([{ ...before, ...was }], [{ ...before, ...was, ...change }]);

describe('whether engines hear that a schedule was written', () => {
  it.each<Partial<ScheduleRecord>>([{ spec: '{"t":1}' }, { paused: true, nextAt: null }, { workflow: 'other' }])(
    'they do of %j',
    (change) => expect(told(change)).toBe(true),
  );

  it('not where it has only gone on to its next time, which each of them finds by itself', () => {
    expect(told({ nextAt: 2, firedAt: 1, lastRunId: 'a@1' })).toBe(false);
    expect(told({})).toBe(false);
    expect(changesPlans([before], [])).toBe(false);
  });

  it('where a firing waits for a run to end, and which run that is', () => {
    expect(told({ nextAt: 2, bufferedAt: 1 })).toBe(true);
    expect(told({ lastRunId: 'a@2' }, { lastRunId: 'a@1', bufferedAt: 1 })).toBe(true);
    expect(told({ nextAt: 3 }, { bufferedAt: 1 })).toBe(false);
    expect(told({ bufferedAt: null, lastRunId: 'a@2' }, { bufferedAt: 1 })).toBe(false);
  });
});
