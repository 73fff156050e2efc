import {
  dueAt,
  lastDue,
  nextDue,
  type ScheduleOptions,
  scheduleSpecOf,
  timeAfter,
  timeUpTo,
} from '../../../lib/engine/schedules.js';

const at = (text: string) => Date.parse(text);
const shown = (times: (number | null | undefined)[]) =>
  times.map((time) => (typeof time === 'number' ? new Date(time).toISOString().replace('.000', '') : time));

/** The first `count` times after `from`. */
function times(options: ScheduleOptions, from: string, count: number) {
  const spec = scheduleSpecOf(options, 'The schedule');
  const found: (number | undefined)[] = [at(from)];
  while (found.length <= count) found.push(timeAfter(spec, found.at(-1)!));
  return shown(found.slice(1));
}

describe('cron', () => {
  it('goes by the wall clock of its zone', () => {
    const berlin = { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin' };
    expect(times(berlin, '2026-01-02T08:00:00Z', 2)).toEqual(['2026-01-05T08:00:00Z', '2026-01-06T08:00:00Z']);
    expect(times(berlin, '2026-07-03T08:00:00Z', 1)).toEqual(['2026-07-06T07:00:00Z']);
    expect(times({ cron: '0 9 * * *' }, '2026-01-02T08:59:59.999Z', 1)).toEqual(['2026-01-02T09:00:00Z']);
    expect(times({ cron: '@daily', timeZone: 'America/New_York' }, '2026-01-02T08:00:00Z', 1)).toEqual([
      '2026-01-03T05:00:00Z',
    ]);
  });

  it.each([
    // The hour from 02:00 to 03:00 is missing: at the first time after it.
    [
      'Europe/Berlin',
      '30 2 * * *',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'America/New_York',
      '30 2 * * *',
      '2026-03-07T00:00:00Z',
      ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    // It comes twice: the first of the two.
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['America/New_York', '30 1 * * *', '2026-10-31T12:00:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    // Lists and ranges are fixed times as well.
    [
      'Europe/Berlin',
      '0,30 2,3 * * *',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T02:00', '2026-10-25T02:30'],
    ],
    // Intervals go on by elapsed time.
    [
      'Europe/Berlin',
      '0 * * * *',
      '2026-10-24T22:30:00Z',
      ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
    [
      'Europe/Berlin',
      '*/30 * * * *',
      '2026-03-29T00:10:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
  ])('fires once where clocks change: %s, %s', (timeZone, cron, from, expected) => {
    expect(times({ cron, timeZone }, from, expected.length)).toEqual(expected.map((time) => `${time}:00Z`));
  });

  it('knows leap days and the last of a month', () => {
    expect(times({ cron: '0 0 29 2 *' }, '2026-01-01T00:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00Z',
      '2032-02-29T00:00:00Z',
    ]);
    expect(times({ cron: '0 0 L * *' }, '2028-01-31T12:00:00Z', 2)).toEqual([
      '2028-02-29T00:00:00Z',
      '2028-03-31T00:00:00Z',
    ]);
  });

  it('finds every time again looking back, clock changes or not', () => {
    for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      for (const cron of ['30 2 * * *', '*/30 * * * *', '15 1-3 * * *', '*/10 2 * * *', '*/7 * * * * *', '0 0 * * 0']) {
        const spec = scheduleSpecOf({ cron, timeZone }, 'The schedule');
        for (const from of [
          '2026-03-07T20:00Z',
          '2026-03-28T20:00Z',
          '2026-04-04T10:00Z',
          '2026-10-24T20:00Z',
          '2026-10-31T20:00Z',
        ]) {
          let time = at(from);
          for (let n = 0; n < 40; n++) {
            const before = time;
            time = timeAfter(spec, time)!;
            expect(time).toBeGreaterThan(before);
            expect([timeUpTo(spec, time), timeUpTo(spec, time + 999)]).toEqual([time, time]);
          }
        }
      }
    }
  });
});

describe('every', () => {
  it('is aligned to 1970, or to `from`, before it too', () => {
    expect(times({ every: '15m' }, '2026-01-01T00:07:00Z', 2)).toEqual([
      '2026-01-01T00:15:00Z',
      '2026-01-01T00:30:00Z',
    ]);
    const from = new Date('2030-01-01T00:00:10Z');
    expect(times({ every: 60_000, from }, '2026-01-01T00:00:10Z', 2)).toEqual([
      '2026-01-01T00:01:10Z',
      '2026-01-01T00:02:10Z',
    ]);
    const spec = scheduleSpecOf({ every: '15m' }, 'The schedule');
    expect(shown([timeUpTo(spec, at('2026-01-01T00:15:00Z')), timeUpTo(spec, at('2026-01-01T00:14:59Z'))])).toEqual([
      '2026-01-01T00:15:00Z',
      '2026-01-01T00:00:00Z',
    ]);
  });
});

it('keeps to startAt and endAt, both included', () => {
  for (const plan of [{ cron: '0 * * * *' }, { every: '1h' as const }]) {
    const options = { ...plan, startAt: new Date('2026-01-01T10:00:00Z'), endAt: new Date('2026-01-01T11:00:00Z') };
    const spec = scheduleSpecOf(options, 'The schedule');
    expect(
      shown([
        timeAfter(spec, 0),
        timeAfter(spec, at('2026-01-01T10:00:00Z')),
        timeAfter(spec, at('2026-01-01T11:00:00Z')),
      ]),
    ).toEqual(['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', undefined]);
    expect(shown([timeUpTo(spec, at('2026-01-01T09:59:00Z')), timeUpTo(spec, at('2027-01-01T00:00:00Z'))])).toEqual([
      undefined,
      '2026-01-01T11:00:00Z',
    ]);
  }
});

describe('jitter', () => {
  const spec = scheduleSpecOf({ every: '1m', jitter: '1h' }, 'The schedule');
  const minutes = Array.from({ length: 2_000 }, (_, n) => n * 60_000);

  it('is the same everywhere, and differs by schedule and time', () => {
    expect(minutes.map((time) => dueAt(spec, '/a', time))).toEqual(minutes.map((time) => dueAt(spec, '/a', time)));
    const same = minutes.filter((time) => dueAt(spec, '/a', time) === dueAt(spec, '/b', time));
    expect(same.length).toBeLessThan(10);
    expect(new Set(minutes.map((time) => dueAt(spec, '/a', time) - time)).size).toBeGreaterThan(1_000);
  });

  it('is never longer than the jitter, nor than until the next time, and spreads over all of that', () => {
    const late = minutes.map((time) => dueAt(spec, '/a', time) - time);
    expect(Math.min(...late)).toBeLessThan(1_000);
    expect(Math.max(...late)).toBeGreaterThan(59_000);
    expect(late.every((ms) => ms >= 0 && ms < 60_000)).toBe(true);
    const short = scheduleSpecOf({ cron: '0 * * * *', jitter: '5s' }, 'The schedule');
    expect(minutes.every((m) => dueAt(short, '/a', m * 60) - m * 60 < 5_000)).toBe(true);
  });

  it('leaves out no time and repeats none', () => {
    let now: number | null = 0;
    for (const minute of minutes.slice(0, 500)) {
      now = nextDue(spec, '/a', now!);
      if (minute === 0 && now! > 60_000) continue;
      expect(lastDue(spec, '/a', now!)).toBe(timeUpTo(spec, now!));
      expect(lastDue(spec, '/a', now! - 1)).toBe(timeUpTo(spec, now!)! - 60_000);
    }
  });
});

describe('what cannot be a plan', () => {
  it.each([
    [{}, /^X: cron is undefined: pass a pattern, or pass every instead$/],
    [{ cron: '* * * * *', every: '1m' }, /^X: cron is "\* \* \* \* \*": pass either cron or every, not both$/],
    [{ cron: '61 * * * *' }, /^X: cron is "61 \* \* \* \*": pass a pattern like '0 9 \* \* 1-5' \(.*minute.*\)$/],
    [{ cron: '0 0 30 2 *' }, /there is no such day/],
    [{ cron: '2026-05-01T12:00:00Z' }, /five fields, or six/],
    [{ cron: '' }, /five fields/],
    [{ cron: 5 }, /X: cron is 5/],
    [{ cron: '@reboot' }, /X: cron is "@reboot"/],
    [{ cron: '0 9 * * *', timeZone: 'Mars/Base' }, /^X: timeZone is "Mars\/Base": pass an IANA time zone like/],
    [{ cron: '0 9 * * *', from: new Date() }, /^X: from is a Date: pass it only with every/],
    [{ every: '0s' }, /^X: every is "0s": pass milliseconds, at least 1000/],
    [{ every: 'soon' }, /^X: every is "soon"/],
    [{ every: '1m', jitter: -1 }, /^X: jitter is -1/],
    [{ every: '1m', startAt: new Date(Number.NaN) }, /^X: startAt is a Date: pass a valid Date/],
    [{ every: '1m', startAt: new Date(2), endAt: new Date(1) }, /^X: endAt is a Date: pass a Date after startAt/],
    [{ every: '1m', missed: 'never' }, /^X: missed is "never": pass one of 'skip', 'once', 'all'/],
    [
      { every: '1m', overlap: 'no' },
      /^X: overlap is "no": pass one of 'skip', 'allow', 'buffer-one', 'cancel-previous'/,
    ],
    [{ every: '1m', priority: 0.5 }, /^X: priority is 0.5/],
    [null, /^X is null/],
  ])('%p', (options, message) => {
    expect(() => scheduleSpecOf(options as ScheduleOptions, 'X')).toThrow(message);
  });
});
