import { runInNewContext } from 'node:vm';
import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { RetryAfterError } from '../../../lib/core/run-errors.js';
import { asError, messageOf, readably, thrownAs } from '../../../lib/core/thrown.js';
import { toWireError } from '../../../lib/core/wire-error.js';
import { limitRequestOf } from '../../../lib/engine/limits.js';
import { isRefusal, refusing } from '../../../lib/engine/run.js';
import { throwUnreadable, UNREADABLE } from '../../support/unreadable.js';

const UNKNOWN = 'Thrown: a value that cannot be converted to a string';

describe('what was thrown', () => {
  it.each<[string, Error]>([
    ['an error', new Error('m', { cause: 'why' })],
    ['one of ours', new RetryAfterError('1s')],
    ['one with fields', Object.assign(new TypeError('m'), { code: 'C', errno: 7 })],
    ['several', new AggregateError([new Error('a'), 'b'], 'm')],
  ])('is itself if it is an ordinary error: %s', (_, error) => {
    expect(asError(error)).toBe(error);
    expect(asError(new Error('m', { cause: error })).cause).toBe(error);
  });

  it.each(Object.keys(UNREADABLE))('can be read, whatever it is, as can its causes: %s', (kind) => {
    const error = asError(UNREADABLE[kind]!());
    const seen = new Set<unknown>();
    for (let at: unknown = error; at instanceof Error && !seen.has(at); at = at.cause) {
      seen.add(at);
      const { code, retryable, delay, errors } = at as unknown as Record<string, unknown>;
      expect([typeof at.name, typeof at.message, typeof at.stack]).toEqual(['string', 'string', 'string']);
      expect([code, retryable, delay]).toEqual([undefined, undefined, undefined]);
      for (const one of (errors ?? []) as unknown[]) expect(messageOf(one)).toBe(UNKNOWN);
    }
    expect(error).toBeInstanceOf(Error);
    expect(asError(error)).toBe(error);
  });

  it('keeps what can be read of it', () => {
    expect(messageOf(UNREADABLE['cause']!())).toBe('of a cause');
    expect(toWireError(UNREADABLE['errors']!())).toMatchObject({
      message: 'of several',
      errors: [{ message: UNKNOWN }],
    });
    expect(messageOf(UNREADABLE['exception']!())).toBe(UNKNOWN);
    const aborted = asError(new DOMException('late', 'TimeoutError'));
    expect(aborted).toMatchObject({ name: 'TimeoutError', message: 'late', code: 23 });
    expect(aborted).toBeInstanceOf(DOMException);
    expect(asError(new Proxy(new RetryAfterError(5), {}))).toMatchObject({ name: 'RetryAfterError', delay: 5 });
    expect(asError({ retryable: false })).toMatchObject({ message: 'Thrown: {"retryable":false}', retryable: false });
    expect(asError(runInNewContext('new TypeError("of another realm")'))).toMatchObject({
      name: 'TypeError',
      message: 'of another realm',
    });
    expect(['text', undefined, 5n, Symbol('s')].map(messageOf)).toEqual([
      ...['text', 'Thrown: undefined', 'Thrown: 5n', 'Thrown: Symbol(s)'],
    ]);
  });

  it('keeps its message, however deep its causes are', () => {
    let deep = new Error('the deepest');
    for (let n = 0; n < 20_000; n++) deep = new Error(`m${n}`, { cause: deep });
    expect(asError(deep)).toBe(deep);
    class Read extends Error {
      #code = 'C';
      get code(): string {
        return this.#code;
      }
    }
    let read = new Read('the deepest');
    for (let n = 0; n < 20_000; n++) read = new Read(`m${n}`, { cause: read });
    expect(toWireError(read)).toMatchObject({ message: 'm19999', code: 'C', cause: { message: 'm19998', code: 'C' } });
    expect(thrownAs(asError(read))).toBe(read);
  });

  it('by a call of ctx reaches the code of the app as it was thrown, and is known in whatever wraps it', () => {
    class Own extends Error {
      #code = 'C';
      get code(): string {
        return this.#code;
      }
      same(other: Own): boolean {
        return this.#code === other.#code;
      }
    }
    const own = new Own('m');
    const refused = () =>
      refusing(() => {
        throw own;
      });
    expect(refused).toThrow(own);
    expect(isRefusal(own)).toBe(true);
    expect(isRefusal(asError(new Error('wrapped', { cause: own })))).toBe(true);
    expect(isRefusal(new Own('m'))).toBe(false);
  });

  it('is read once: what its getters answer later changes nothing', () => {
    let answers = 0;
    class Fickle extends Error {
      get code() {
        return `C${++answers}`;
      }
    }
    const thrown = new Fickle('m');
    const error = asError(thrown) as Fickle;
    expect([error.code, error.code]).toEqual(['C1', 'C1']);
    expect(error).toBeInstanceOf(Fickle);
    // Code of the app gets its own.
    expect(thrownAs(error)).toBe(thrown);
  });

  it('may have causes in a circle', () => {
    const one = new Error('one');
    const other = new Error('other', { cause: one });
    one.cause = other;
    expect(asError(one)).toBe(one);
    Object.defineProperty(other, 'code', { get: () => 'C' });
    const copy = asError(one);
    expect((copy.cause as Error).cause).toBe(copy);
    expect(toWireError(one)).toEqual({
      name: 'Error',
      message: 'one',
      cause: { name: 'Error', message: 'other', code: 'C' },
    });
  });

  it.each(Object.keys(UNREADABLE))(
    'by the key of a limit is told by the start, the schedule or the call: %s',
    (kind) => {
      const limits = { concurrency: { limit: 1, key: () => throwUnreadable(kind) } };
      expect(() => limitRequestOf('', { name: 'w', limits }, 1, { priority: 0 })).toThrow(InvalidArgumentError);
    },
  );

  it('is converted where code of the app is called, whether it throws or rejects', async () => {
    for (const kind of Object.keys(UNREADABLE)) {
      await expect(readably(() => Promise.reject(UNREADABLE[kind]!() as Error))).rejects.toBeInstanceOf(Error);
      const throws = () => {
        throw UNREADABLE[kind]!();
      };
      await expect(readably(throws)).rejects.toBeInstanceOf(Error);
    }
    expect(await readably(() => 1)).toBe(1);
  });
});
