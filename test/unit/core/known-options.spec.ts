import { InvalidArgumentError, UnknownOptionError } from '../../../lib/core/errors.js';
import { checkedOptions, type KnownOptions, nearest } from '../../../lib/core/options.js';
import { thrownBy } from '../../support/thrown-by.js';

interface Baking {
  minutes?: number;
  oven?: { degrees?: number; fan?: boolean } | false;
}

const BAKING = { minutes: true, oven: { degrees: true, fan: true } } satisfies KnownOptions<Baking>;
const check = (options: unknown) => checkedOptions(options as Baking, BAKING, 'bake');

describe('known options', () => {
  it('are returned as they are', () => {
    const options: Baking = { minutes: 3, oven: { degrees: 200 } };
    expect(check(options)).toBe(options);
    for (const fine of [
      undefined,
      {},
      { oven: false },
      { oven: undefined },
      new (class {
        minutes = 1;
        methods() {}
      })(),
    ])
      expect(check(fine)).toBe(fine);
  });

  it.each([
    [{ minuets: 3 }, 'bake has no option "minuets": did you mean "minutes"? The options are minutes, oven'],
    [{ MINUTES: 3 }, 'bake has no option "MINUTES": did you mean "minutes"?'],
    [{ xyz: undefined }, 'bake has no option "xyz": The options are minutes, oven'],
    [{ degrees: 200 }, 'bake has no option "degrees": did you mean "oven.degrees"?'],
    [
      { oven: { degree: 200 } },
      'bake: oven has no option "degree": did you mean "degrees"? The options are degrees, fan',
    ],
    [Object.create({ minuets: 3 }), 'did you mean "minutes"?'],
  ])('refuse %o', (options, message) => {
    expect(() => check(options)).toThrow(UnknownOptionError);
    expect(() => check(options)).toThrow(message);
  });

  it('say what they were looked for in', async () => {
    const error = await thrownBy(Promise.resolve().then(() => check({ oven: { degree: 1 } })));
    expect(error).toMatchObject({
      code: 'UNKNOWN_OPTION',
      location: 'bake: oven',
      option: 'degree',
      nearest: ['degrees'],
      known: ['degrees', 'fan'],
    });
    expect(error).toBeInstanceOf(InvalidArgumentError);
  });

  it.each([[null], ['5m'], [5], [[]]])('are an object, and not %o', (options) => {
    expect(() => check(options)).toThrow(/^The options of bake is .*: pass an object: \{ minutes, oven \}$/);
  });

  it.each([
    ['dealy', ['delay']],
    ['delays', ['delay', 'delayed']],
    ['Concurency', ['concurrency']],
    ['mix', ['min']],
    ['lease', ['leaseDuration']],
    ['nothing of the kind', []],
  ])('that are the nearest to %s', (given, expected) => {
    expect(nearest(given, ['concurrency', 'delay', 'delayed', 'leaseDuration', 'min'])).toEqual(expected);
  });
});
