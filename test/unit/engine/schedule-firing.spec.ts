import {
  firingAt,
  type LockedSchedule,
  type ScheduleOptions,
  scheduleSpecOf,
  specText,
} from '../../../lib/engine/schedules.js';

const MINUTE = 60_000;

/** A schedule of every minute whose next time is minute 1. */
function schedule(options: ScheduleOptions, more: Partial<LockedSchedule> = {}): LockedSchedule {
  return {
    id: 's',
    namespace: '',
    workflow: 'w',
    declared: false,
    input: null,
    paused: false,
    createdAt: 0,
    firedAt: null,
    lastRunId: null,
    lastStatus: null,
    bufferedAt: null,
    nextAt: MINUTE,
    spec: specText(scheduleSpecOf({ every: '1m', ...options }, 'The schedule')),
    ...more,
  };
}

const RUNNING = { lastRunId: 'before', lastStatus: 'running' } as const;
const OVER = { lastRunId: 'before', lastStatus: 'failed' } as const;

/** In minutes. */
function fire(given: LockedSchedule, minute: number, atMost = 1_000) {
  const { times, cancels, dropped, schedule: after } = firingAt(given, minute * MINUTE, atMost);
  return {
    times: times.map((time) => time / MINUTE),
    next: after.nextAt === null ? null : after.nextAt / MINUTE,
    buffered: after.bufferedAt === null ? null : after.bufferedAt / MINUTE,
    cancels,
    dropped,
  };
}

const nothing = { cancels: null, dropped: 0, buffered: null };

describe('times that were missed', () => {
  it('once: the last of them', () => {
    expect(fire(schedule({}), 1)).toEqual({ ...nothing, times: [1], next: 2 });
    expect(fire(schedule({}), 100.5)).toEqual({ ...nothing, times: [100], next: 101 });
  });

  it('skip: none that is later than a minute', () => {
    expect(fire(schedule({ missed: 'skip', every: '10m' }, { nextAt: 10 * MINUTE }), 10.9)).toEqual({
      ...nothing,
      times: [10],
      next: 20,
    });
    expect(fire(schedule({ missed: 'skip', every: '10m' }, { nextAt: 10 * MINUTE }), 38)).toEqual({
      ...nothing,
      times: [],
      next: 40,
    });
  });

  it('all: every one, so many at a time', () => {
    const given = schedule({ missed: 'all', overlap: 'allow' });
    expect(fire(given, 4.5)).toEqual({ ...nothing, times: [1, 2, 3, 4], next: 5 });
    expect(fire(given, 100, 3)).toEqual({ ...nothing, times: [1, 2, 3], next: 4 });
  });

  it('all: begins one run of those that must not overlap', () => {
    expect(fire(schedule({ missed: 'all' }), 4)).toEqual({ ...nothing, times: [1], next: 5, dropped: 3 });
    expect(fire(schedule({ missed: 'all', overlap: 'cancel-previous' }, RUNNING), 4)).toEqual({
      ...nothing,
      times: [4],
      next: 5,
      cancels: 'before',
    });
    expect(fire(schedule({ missed: 'all', overlap: 'buffer-one' }), 4)).toEqual({
      ...nothing,
      times: [1],
      next: 5,
      buffered: 2,
      dropped: 2,
    });
  });

  it('come to an end', () => {
    const endAt = new Date(3 * MINUTE);
    expect(fire(schedule({ endAt, missed: 'all', overlap: 'allow' }), 9)).toEqual({
      ...nothing,
      times: [1, 2, 3],
      next: null,
    });
    expect(fire(schedule({ endAt }), 9)).toEqual({ ...nothing, times: [3], next: null });
  });
});

describe('a run that has not ended', () => {
  it.each([
    ['skip', { times: [], dropped: 1 }],
    ['allow', { times: [1] }],
    ['buffer-one', { times: [], buffered: 1 }],
    ['cancel-previous', { times: [1], cancels: 'before' }],
  ] as const)('%s', (overlap, expected) => {
    expect(fire(schedule({ overlap }, RUNNING), 1)).toEqual({ ...nothing, next: 2, ...expected });
    expect(fire(schedule({ overlap }, OVER), 1)).toEqual({ ...nothing, times: [1], next: 2 });
  });

  it('holds back one firing and no more, which fires when it has ended', () => {
    const given = { overlap: 'buffer-one' } as const;
    const held = { ...RUNNING, bufferedAt: MINUTE, nextAt: 2 * MINUTE };
    expect(fire(schedule(given, held), 2)).toEqual({ ...nothing, times: [], next: 3, buffered: 1, dropped: 1 });
    expect(fire(schedule(given, { ...held, ...OVER }), 1.5)).toEqual({ ...nothing, times: [1], next: 2 });
    expect(fire(schedule(given, { ...held, ...OVER }), 2)).toEqual({ ...nothing, times: [1], next: 3, buffered: 2 });
  });
});

it('does nothing while it is paused, or before its time', () => {
  expect(fire(schedule({}, { paused: true, nextAt: null }), 5)).toEqual({ ...nothing, times: [], next: null });
  expect(fire(schedule({}), 0.5)).toEqual({ ...nothing, times: [], next: 1 });
});

it('fires the time that is due by its jitter, not the one it comes near', () => {
  const given = schedule({ jitter: '50s', missed: 'all', overlap: 'allow' }, { nextAt: null });
  let nextAt: number | null = MINUTE + 25_000;
  for (let minute = 1; minute < 50; minute++) {
    const { times, schedule: after } = firingAt({ ...given, nextAt }, nextAt, 1_000);
    expect(times).toEqual([minute * MINUTE]);
    nextAt = after.nextAt!;
    expect(nextAt - (minute + 1) * MINUTE).toBeLessThan(50_000);
  }
});
