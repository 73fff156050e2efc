import { type Duration, toMs } from '../../../lib/core/time.js';

it.each<[Duration, number]>([
  [0, 0],
  [1_500, 1_500],
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['3650d', 315_360_000_000],
])('%s is %d ms', (duration, ms) => expect(toMs(duration)).toBe(ms));

it.each<[string, unknown]>([
  ['-1', -1],
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['"5"', '5'],
  ['"-5s"', '-5s'],
  ['"5 s"', '5 s'],
  ['"5S"', '5S'],
  ['"1e3s"', '1e3s'],
  ['""', ''],
  ['undefined', undefined],
  ['null', null],
  ['5', 5n],
])('%s is refused', (shown, value) => {
  let thrown: unknown;
  try {
    toMs(value as Duration, 'pollMs');
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TypeError);
  expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(String(thrown)).toContain(`pollMs is ${shown}: pass milliseconds, or a string like '500ms'`);
});
