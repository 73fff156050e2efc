import { type AddressInfo, createServer } from 'node:net';
import {
  appFramesFirst,
  errorLine,
  parseWireError,
  type RedactableError,
  redactWireError,
  revivedError,
  toWireError,
  type WireError,
} from '../../../lib/core/wire-error.js';

const bytesOf = (error: WireError): number => Buffer.byteLength(JSON.stringify(error));

/** Causes, from the outermost. */
const messagesOf = (error: WireError | undefined): string[] =>
  error ? [error.message, ...messagesOf(error.cause)] : [];

function chain(depth: number, message = (n: number) => `level ${n}`): Error {
  let error = new Error(message(depth));
  for (let n = depth - 1; n >= 0; n--) error = new Error(message(n), { cause: error });
  return error;
}

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the causes of an error', () => {
  it('say why a fetch failed', async () => {
    const port = await closedPort();
    const thrown = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
    const error = toWireError(thrown);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    expect(errorLine(error)).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(errorLine(error, 300)).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it('are kept to a depth of five', () => {
    expect(messagesOf(toWireError(chain(9)))).toEqual([0, 1, 2, 3, 4, 5].map((n) => `level ${n}`));
  });

  it('may be anything', () => {
    expect(toWireError(new Error('a', { cause: 'why' }))).toMatchObject({ cause: { message: 'why' } });
    expect(toWireError(new Error('a', { cause: null }))).not.toHaveProperty('cause');
    const circular = new Error('a');
    circular.cause = new Error('b', { cause: circular });
    expect(messagesOf(toWireError(circular))).toEqual(['a', 'b']);
  });

  it('include the errors of an AggregateError', () => {
    const refused = [new Error('connect ECONNREFUSED ::1:80'), new Error('connect ECONNREFUSED 127.0.0.1:80')];
    const thrown = new Error('fetch failed', { cause: Object.assign(new AggregateError(refused), { code: 'E' }) });
    const error = toWireError(thrown);
    expect(error.cause?.errors?.map(({ message }) => message)).toEqual(refused.map(({ message }) => message));
    expect(errorLine(error)).toBe(
      'Error: fetch failed, caused by AggregateError (E) [Error: connect ECONNREFUSED ::1:80; Error: connect ECONNREFUSED 127.0.0.1:80]',
    );
  });

  it('are bounded, however many and large they are', () => {
    const large = chain(9, () => 'é'.repeat(100_000));
    const many = new AggregateError(
      Array.from({ length: 500 }, () => large),
      'many',
    );
    for (const thrown of [large, many]) {
      const error = toWireError(thrown, { stack: true });
      expect(bytesOf(error)).toBeLessThan(140_000);
      const foreign = JSON.stringify({ message: 'm', errors: Array.from({ length: 500 }, () => error) });
      expect(bytesOf(parseWireError(foreign))).toBeLessThan(280_000);
    }
  });

  it('are read from workers in any language', () => {
    const cause = { message: 'refused', name: 'OSError', stack: 'at app.py:3' };
    const text = JSON.stringify({ message: 'm', cause, errors: [{ message: 'e' }, 'none'], stack: 7 });
    expect(parseWireError(text)).toEqual({ message: 'm', cause, errors: [{ message: 'e' }] });
  });
});

describe('the stack of an error', () => {
  it('is kept on demand, without the message, with the frames of the app first', () => {
    expect(toWireError(new Error('x'))).not.toHaveProperty('stack');
    const stack = `Error: secret
    at of secret
    at next (/app/node_modules/pg/lib/client.js:1:2)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at charge (/app/src/orders.ts:12:7)
    at async file:///app/src/main.ts:3:1
    at Array.map (<anonymous>)`;
    expect(appFramesFirst(stack).split('\n')).toEqual([
      'at charge (/app/src/orders.ts:12:7)',
      'at async file:///app/src/main.ts:3:1',
      'at of secret',
      'at next (/app/node_modules/pg/lib/client.js:1:2)',
      'at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
      'at Array.map (<anonymous>)',
    ]);
  });

  it('has the frames of this library behind those of the app', () => {
    const [first] = toWireError(thrownBelow(), { stack: true }).stack!.split('\n');
    expect(first).toContain('thrown-errors.spec.ts');
  });

  it('is bounded', () => {
    const stack = Array.from({ length: 500 }, (_, n) => `    at f${n} (/app/${'x'.repeat(1_000)}.ts:1:1)`).join('\n');
    const error = toWireError(Object.assign(new Error('x'), { stack }), { stack: true });
    expect(Buffer.byteLength(error.stack!)).toBeLessThanOrEqual(8_192);
  });
});

/** Its innermost frames are of this library. */
function thrownBelow(): unknown {
  try {
    return revivedError({
      get message(): string {
        throw new Error('below');
      },
    });
  } catch (error) {
    return error;
  }
}

describe('a recorded error that is thrown again', () => {
  it('has the name, message, code, stack and causes of the original', () => {
    const original = Object.assign(new TypeError('fetch failed'), {
      code: 'E',
      cause: Object.assign(new AggregateError([new Error('one')], 'all'), { code: 'ECONNREFUSED' }),
    });
    const wire = toWireError(original, { stack: true });
    const error = revivedError(wire) as Error & { code: string; cause: AggregateError };
    expect(error).toBeInstanceOf(Error);
    expect([error.name, error.message, error.code]).toEqual(['TypeError', 'fetch failed', 'E']);
    expect(error.stack).toMatch(/^TypeError: fetch failed\n {4}at .*thrown-errors\.spec\.ts/);
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect(error.cause.errors.map(({ message }: Error) => message)).toEqual(['one']);
    expect(toWireError(error, { stack: true })).toEqual(wire);
  });
});

describe('redact', () => {
  const redact = (error: RedactableError) => ({ ...error, message: error.message.replaceAll(/\d{4,}/g, '****') });

  it('sees every error of a chain, and nothing that it hides remains', () => {
    const thrown = new Error('card 4111', { cause: new AggregateError([new Error('pin 1234')], 'cvc 9999') });
    const error = toWireError(thrown, { redact, stack: true });
    expect(error).toMatchObject({
      message: 'card ****',
      cause: { message: 'cvc ****', errors: [{ message: 'pin ****' }] },
    });
    expect(JSON.stringify(error)).not.toMatch(/4111|1234|9999/);
    const foreign = redactWireError({ message: 'card 4111', retryable: false, cause: { message: '5555' } }, { redact });
    expect(foreign).toMatchObject({ message: 'card ****', retryable: false, cause: { message: '****' } });
  });

  it.each<[string, unknown]>([
    [
      'throws',
      () => {
        throw new Error('4111');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns no message', () => ({ name: 'x' })],
    ['returns a promise', async (error: RedactableError) => error],
  ])('does not lose an error when it %s, and reveals nothing', (_, failing) => {
    const error = toWireError(new Error('card 4111', { cause: new Error('4111') }), {
      redact: failing as typeof redact,
    });
    expect(error.message).toMatch(/^This error is not shown/);
    expect(JSON.stringify(error)).not.toContain('4111');
  });
});
