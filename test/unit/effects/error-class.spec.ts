import { dueHandlers } from '../../../lib/effects/entries.js';
import { errorClassOf } from '../../../lib/effects/handlers.js';
import { NonRetryableEffectError } from '../../../lib/core/errors.js';

class CardDeclined extends Error {}
class Renamed extends Error {
  override readonly name = 'user alice@example.com was not found';
}

describe('the class of an error (I15)', () => {
  it.each([
    [new Error('secret'), 'Error'],
    [new CardDeclined('secret'), 'CardDeclined'],
    [new Renamed('secret'), 'Renamed'],
    [new NonRetryableEffectError('secret'), 'NonRetryableEffectError'],
    ['secret', 'string'],
    [undefined, 'undefined'],
    [null, 'object'],
    [{ message: 'secret' }, 'Object'],
    [Object.create(null), 'Error'],
  ])('of %p is %s', (error, name) => expect(errorClassOf(error)).toBe(name));

  it('fits its column', () => {
    const named = { constructor: { name: `a\0\ud800b${'x'.repeat(300)}` } };
    expect(errorClassOf(named)).toBe(`ab${'x'.repeat(189)}`);
    expect(errorClassOf({ constructor: { name: `x${'😀'.repeat(200)}` } })).toBe(`x${'😀'.repeat(190)}`);
  });
});

describe('hints of what is due', () => {
  it.each([
    [undefined, undefined],
    ['["mail","log"]', ['mail', 'log']],
    ['["mail",7]', ['mail']],
    ['not JSON', undefined],
    ['{"mail":1}', undefined],
  ])('%p is of %p', (payload, handlers) => expect(dueHandlers(payload)).toEqual(handlers));
});
