import {
  isWithoutOutcome,
  parseWireError,
  redactWireError,
  toWireError,
  type WireError,
} from '../../../lib/core/wire-error.js';

describe('whatever is thrown becomes data', () => {
  class CardDeclined extends Error {
    override readonly name = 'CardDeclined';
    readonly code = 'CARD_DECLINED';
  }

  it.each<[string, unknown, object]>([
    ['an error', new TypeError('bad'), { name: 'TypeError', message: 'bad' }],
    [
      'T26: an error class of the app',
      new CardDeclined('no'),
      { name: 'CardDeclined', message: 'no', code: 'CARD_DECLINED' },
    ],
    ['a numeric code', Object.assign(new Error('x'), { code: 404 }), { name: 'Error', message: 'x', code: '404' }],
    ['a code that is no text', Object.assign(new Error('x'), { code: {} }), { name: 'Error', message: 'x' }],
    ['undefined', undefined, { name: 'Error', message: 'Thrown: undefined' }],
    ['null', null, { name: 'Error', message: 'Thrown: null' }],
    ['a string', 'boom', { name: 'Error', message: 'boom' }],
    ['a number', 7, { name: 'Error', message: 'Thrown: 7' }],
    ['a BigInt', 7n, { name: 'Error', message: 'Thrown: 7n' }],
    ['a symbol', Symbol('s'), { name: 'Error', message: 'Thrown: Symbol(s)' }],
    ['a plain object', { a: 1 }, { name: 'Error', message: 'Thrown: {"a":1}' }],
    [
      'an object like an error',
      { name: 'Http', message: 'gone', code: 410 },
      { name: 'Http', message: 'gone', code: '410' },
    ],
    ['an object without a prototype', Object.create(null), { name: 'Error', message: 'Thrown: {}' }],
    ['a message that is no text', { message: undefined }, { name: 'Error', message: 'undefined' }],
    ['a name that is no text', Object.assign(new Error('x'), { name: 5 }), { name: 'Error', message: 'x' }],
  ])('%s', (_, thrown, data) => expect(toWireError(thrown)).toEqual(data));

  it('also what fights back', () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const hostile = {
      get message(): string {
        throw new Error('hands off');
      },
    };
    for (const thrown of [circular, hostile, { message: Object.create(null) as unknown }]) {
      expect(toWireError(thrown)).toEqual({
        name: 'Error',
        message: 'Thrown: a value that cannot be converted to a string',
      });
    }
  });

  it('survives its own JSON', () => {
    const error = toWireError(new CardDeclined('\u0000 \ud800 "'));
    expect(parseWireError(JSON.stringify(error))).toEqual(error);
  });
});

describe('the error text of a worker in any language', () => {
  it.each<[string | null, object]>([
    ['{"message":"m","code":"C","retryable":false}', { message: 'm', code: 'C', retryable: false }],
    ['{"message":"m","code":null}', { message: 'm' }],
    ['{"message":"m","code":5,"name":"ValueError"}', { message: 'm', code: '5', name: 'ValueError' }],
    ['{"message":"m","retryable":"no"}', { message: 'm' }],
    ['{"message":{"a":1}}', { message: '{"message":{"a":1}}' }],
    ['"just text"', { message: 'just text' }],
    ['Traceback (most recent call last):', { message: 'Traceback (most recent call last):' }],
    ['null', { message: 'null' }],
    ['[1]', { message: '[1]' }],
    ['', { message: '' }],
    [null, { message: 'The worker reported a failure without an error' }],
  ])('%s', (text, error) => expect(parseWireError(text)).toEqual(error));
});

describe('an error that was redacted', () => {
  const redact = () => ({ name: 'Error', message: 'hidden' });
  const again = (wire: WireError) => parseWireError(JSON.stringify(wire));

  it('still says that work was done without an outcome', () => {
    const unstorable = Object.assign(new Error('a secret'), { name: 'SerializationError', code: 'NOT_SERIALIZABLE' });
    expect(isWithoutOutcome(again(toWireError(unstorable, { redact })))).toBe(true);
    const foreign = { message: 'a secret', code: 'REPORT_REFUSED' };
    expect(redactWireError(foreign, { redact })).toEqual({ name: 'Error', message: 'hidden', withoutOutcome: true });
    expect(isWithoutOutcome(again(redactWireError(foreign, { redact })))).toBe(true);
  });

  it('says so of no other work', () => {
    const wrapped = new Error('a secret', { cause: Object.assign(new Error('inner'), { code: 'REPORT_REFUSED' }) });
    const declined = Object.assign(new Error('a secret'), { code: 'NOT_SERIALIZABLE' });
    for (const error of [wrapped, declined]) {
      expect(isWithoutOutcome(toWireError(error, { redact }))).toBe(false);
      expect(isWithoutOutcome(redactWireError(toWireError(error), { redact }))).toBe(false);
    }
    expect(parseWireError('{"message":"m","withoutOutcome":"yes"}')).toEqual({ message: 'm' });
  });
});
