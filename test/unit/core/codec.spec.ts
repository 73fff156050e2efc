import { runInNewContext } from 'node:vm';
import { jsonCodec, plainJson } from '../../../lib/core/codec.js';

const roundTrip = (value: unknown): unknown => jsonCodec.decode(jsonCodec.encode(value));

/** A structure so deep that recursion ends before it does. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

describe('plain values stay plain JSON', () => {
  it.each([
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    ['text', '"text"'],
    [[1, [2]], '[1,[2]]'],
    [{ a: { b: [null] } }, '{"a":{"b":[null]}}'],
  ])('%j', (value, text) => {
    expect(jsonCodec.encode(value)).toBe(text);
    expect(jsonCodec.decode(text)).toEqual(value);
  });
});

describe('what JSON has no word for comes back equal', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a field that is undefined', { a: undefined, b: 1 }],
    ['undefined in an array', [1, undefined, 3]],
    ['NaN', Number.NaN],
    ['-0', -0],
    ['infinities', [Infinity, -Infinity]],
    ['a BigInt beyond doubles', 2n ** 80n],
    ['a negative BigInt', -5n],
    ['a Date', new Date('2026-01-02T03:04:05.678Z')],
    [
      'a Map with keys of any kind',
      new Map<unknown, unknown>([
        [{ a: 1 }, new Set([1n])],
        [undefined, -0],
      ]),
    ],
    ['a Set', new Set(['a', undefined, new Date(0)])],
    ['lone surrogates', '\ud800 and \udc00'],
    ['a NUL', { '\u0000': '\u0000' }],
    ['the same object twice', ((shared) => [shared, shared])({ a: 1 })],
  ])('%s', (_, value) => {
    expect(roundTrip(value)).toStrictEqual(value);
    expect(roundTrip(roundTrip(value))).toStrictEqual(value);
  });

  it('an invalid Date', () => {
    const back = roundTrip(new Date(Number.NaN)) as Date;
    expect([back instanceof Date, back.getTime()]).toEqual([true, Number.NaN]);
  });

  it('fills the holes of an array', () => {
    const sparse: unknown[] = [];
    sparse[2] = 1;
    expect(roundTrip(sparse)).toStrictEqual([undefined, undefined, 1]);
  });

  it('keeps a text free of what a database may refuse', () => {
    // oxlint-disable-next-line no-control-regex
    expect(jsonCodec.encode(['\u0000', '\ud800'])).toMatch(/^[^\u0000\ud800-\udfff]*$/);
  });
});

describe('errors', () => {
  it('keep name, message, code, stack and cause', () => {
    const error = Object.assign(new TypeError('bad', { cause: new Error('why') }), { code: 'E_BAD' });
    const back = roundTrip(error) as TypeError & { code: string; cause: Error };
    expect(back).toBeInstanceOf(Error);
    expect([back.name, back.message, back.code, back.stack]).toEqual(['TypeError', 'bad', 'E_BAD', error.stack]);
    expect([back.cause instanceof Error, back.cause.message]).toEqual([true, 'why']);
    expect(Object.keys(back)).toEqual([]);
  });

  it('may have a code of any kind', () => {
    const back = roundTrip(Object.assign(new Error('x'), { code: 7n })) as { code?: unknown };
    expect(back.code).toBe(7n);
  });

  it('of another realm are errors too', () => {
    const foreign = Object.assign(Object.create({ [Symbol.toStringTag]: 'Error' }) as object, {
      name: 'E',
      message: 'm',
    });
    expect(roundTrip(foreign)).toBeInstanceOf(Error);
  });
});

describe('E11: user data that looks like a tag is user data', () => {
  it.each<[string, unknown]>([
    ['a Date tag', { $durable: 'Date', value: '2026-01-02T03:04:05.678Z' }],
    ['an undefined tag', { $durable: 'undefined' }],
    ['an escape', { $durable: 'object', value: { $durable: 'Map', value: [] } }],
    ['a tag with more fields', { $durable: 'BigInt', value: '1', more: true }],
    ['a tag with a Date inside', { $durable: new Date(0) }],
    ['deep inside', { a: [new Map([['k', { $durable: 'Set', value: [1] }]])] }],
  ])('%s', (_, value) => {
    expect(roundTrip(value)).toStrictEqual(value);
    expect(roundTrip(roundTrip(value))).toStrictEqual(value);
  });

  it.each([
    '{"$durable":"BigInt","value":"no number"}',
    '{"$durable":"BigInt","value":1}',
    '{"$durable":"Map","value":5}',
    '{"$durable":"Map","value":[1]}',
    '{"$durable":"Map"}',
    '{"$durable":"Date","value":"yesterday"}',
    '{"$durable":"Error","value":null}',
    '{"$durable":"nobody knows","value":[1],"more":2}',
    '{"$durable":{"$durable":1}}',
    '{"$durable":"undefined","value":1}',
  ])('what another language wrote is left as it is: %s', (text) => {
    expect(jsonCodec.decode(text)).toStrictEqual(JSON.parse(text));
  });
});

describe('keys that JavaScript treats as special', () => {
  it('__proto__ is a field and pollutes nothing', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}');
    const back = roundTrip(value) as object;
    expect(Object.keys(back)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(jsonCodec.encode(back)).toBe('{"__proto__":{"polluted":true},"constructor":1,"toString":null}');
    expect((back as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('an error cannot pollute either', () => {
    const back = jsonCodec.decode('{"$durable":"Error","value":{"message":"m","__proto__":{"polluted":true}}}');
    expect(back).toBeInstanceOf(Error);
    expect((back as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

/** Of these JSON has no value, though they have some. */
class Sealed {
  readonly #cents = 5;
  get cents() {
    return this.#cents;
  }
}
class Opened extends Sealed {}
class Told {
  readonly #text = 'told';
  toString() {
    return this.#text;
  }
}
const HOLLOW: [string, object][] = [
  ['Response', new Response('x')],
  ['Headers', new Headers({ a: '1' })],
  ['Blob', new Blob(['x'])],
  ['URLSearchParams', new URLSearchParams('a=1')],
  ['Sealed', new Sealed()],
  ['Opened', new Opened()],
  ['Told', new Told()],
  ['Number', Object(5) as object],
];

describe('what cannot be stored is refused with a TypeError', () => {
  const circular: { self?: unknown } = {};
  circular.self = [new Map([['k', circular]])];
  const caused = new Error('a');
  caused.cause = new Error('b', { cause: caused });
  const self = { toJSON: (): unknown => self };

  it.each<[string, unknown, string]>([
    ['a circular object', circular, 'it contains itself'],
    ['a circular cause', caused, 'it contains itself'],
    ['a toJSON that answers itself', self, 'it contains itself'],
    ['a circular code', Object.assign(new Error('x'), { code: circular }), 'it contains itself'],
    ['a function', { a: () => 1 }, 'it contains a function'],
    ['a symbol', [Symbol('s')], 'it contains a symbol'],
    ['a Promise nobody awaited', { a: Promise.resolve(1) }, 'it contains a Promise'],
    ['bytes', new Uint8Array(2), 'it contains a Uint8Array'],
    ['a Buffer, whose toJSON makes an object of it', [Buffer.from('abc')], 'it contains a Buffer'],
    ['an ArrayBuffer', new Map([['k', new ArrayBuffer(2)]]), 'it contains a ArrayBuffer'],
    ...HOLLOW.map(([name, value]): [string, unknown, string] => [
      name,
      { a: [value] },
      `it contains a ${name}, whose values are in no fields of its own`,
    ]),
    ['a RegExp', /x/, 'it contains a RegExp'],
    ['a WeakMap', new WeakMap(), 'it contains a WeakMap'],
    ['what is nested too deeply', nested(100_000), 'it is nested too deeply'],
  ])('%s', (_, value, message) => {
    expect(() => jsonCodec.encode(value)).toThrow(new TypeError(message));
  });

  it('and a refusal leaves nothing behind', () => {
    expect(() => jsonCodec.encode(circular)).toThrow(TypeError);
    expect(roundTrip({ a: [1] })).toEqual({ a: [1] });
  });
});

describe('what cannot be read is refused with a SyntaxError', () => {
  it.each([
    '',
    'NaN',
    '{',
    "{'a':1}",
    '[1,]',
    '{"a":Infinity}',
    'undefined',
    '['.repeat(200_000) + ']'.repeat(200_000),
  ])('%.20s', (text) => expect(() => jsonCodec.decode(text)).toThrow(SyntaxError));
});

it('keeps what has nothing to lose: instances without anything, and plain objects of any realm', () => {
  // oxlint-disable-next-line typescript/no-extraneous-class -- there is nothing in it to lose
  class Empty {}
  class Paid {
    constructor(readonly cents: number) {}
    get euros() {
      return this.cents / 100;
    }
  }
  const foreign = runInNewContext('({ none: {}, some: { a: [] } })') as object;
  const given = [new Empty(), Object.create(null), {}, foreign, new Paid(5), new URL('http://x/')];
  expect(roundTrip(given)).toEqual([{}, {}, {}, { none: {}, some: { a: [] } }, { cents: 5 }, 'http://x/']);
});

describe('plain JSON', () => {
  it('is that of JSON, where nothing is lost', () => {
    class Paid {
      constructor(readonly at: Date) {}
    }
    const value = { a: new Paid(new Date(0)), b: undefined, c: [undefined, 1], d: { toJSON: () => 'd' }, e: {} };
    expect(plainJson(value)).toBe(JSON.stringify(value));
    expect(plainJson(undefined)).toBeUndefined();
  });

  it.each<[string, object]>([
    ...HOLLOW,
    ['Map', new Map([['a', 1]])],
    ['Set', new Set([1])],
    ['Error', new Error('lost')],
    ['Buffer', Buffer.from('abc')],
    ['Promise', Promise.resolve(1)],
  ])('refuses a %s', (name, value) => {
    expect(() => plainJson({ a: [value] })).toThrow(`it contains a ${name}`);
  });

  it.each<[string, unknown]>([
    ['the number NaN', Number.NaN],
    ['the number Infinity', Number.POSITIVE_INFINITY],
    ['the number -Infinity', { toJSON: () => Number.NEGATIVE_INFINITY }],
    ['an Invalid Date', new Date(Number.NaN)],
  ])('refuses %s, which JSON makes null, as the codec does not', (name, value) => {
    expect(() => plainJson({ a: [value] })).toThrow(`it contains ${name}`);
    expect(() => plainJson(value)).toThrow(`it contains ${name}`);
  });
});

it('honours toJSON and turns instances into data', () => {
  class Money {
    constructor(readonly cents: bigint) {}
  }
  expect(roundTrip({ a: new Money(5n), b: { toJSON: () => new Date(0) }, c: new URL('http://x/') })).toEqual({
    a: { cents: 5n },
    b: new Date(0),
    c: 'http://x/',
  });
});
