import { boundedText, LONGEST_TEXT } from '../../../lib/core/protocol.js';
import { parseWireError, storedWireError, toWireError } from '../../../lib/core/wire-error.js';

const bytesOf = (text: string): number => Buffer.byteLength(text);

describe('a text that no payload limit holds', () => {
  it('is kept as it is up to the limit, in bytes', () => {
    for (const text of ['', 'short', 'x'.repeat(LONGEST_TEXT), 'é'.repeat(LONGEST_TEXT / 2)])
      expect(boundedText(text)).toBe(text);
  });

  it('is cut beyond, and says how much is missing', () => {
    const cut = boundedText('x'.repeat(20 * 1024 * 1024));
    const [, missing] = /… \(cut: (\d+) characters\)$/.exec(cut)!;
    expect(bytesOf(cut)).toBeLessThanOrEqual(LONGEST_TEXT);
    expect(bytesOf(cut)).toBeGreaterThan(LONGEST_TEXT - 100);
    expect(cut.indexOf('…') + Number(missing)).toBe(20 * 1024 * 1024);
  });

  it('never leaves half of a character behind', () => {
    for (const before of ['', 'a', 'ab', 'abc'])
      expect(boundedText(before + '😀'.repeat(LONGEST_TEXT))).not.toMatch(/\p{Surrogate}/u);
  });

  it('is not cut twice', () => {
    const cut = boundedText('é'.repeat(LONGEST_TEXT));
    expect(boundedText(cut)).toBe(cut);
  });
});

describe('an error as data', () => {
  const long = 'x'.repeat(20 * 1024 * 1024);

  it('has a bounded message, name and code, whatever was thrown', () => {
    const error = toWireError(Object.assign(new Error(long), { name: long, code: long }));
    expect(bytesOf(JSON.stringify(error))).toBeLessThan(80_000);
    expect(error.message).toMatch(/^x+… \(cut: \d+ characters\)$/);
    expect(bytesOf(toWireError(long).message)).toBeLessThanOrEqual(LONGEST_TEXT);
    expect(bytesOf(toWireError({ long }).message)).toBeLessThanOrEqual(LONGEST_TEXT);
  });

  it('is bounded when another program wrote it, be it JSON or not', () => {
    for (const text of [
      long,
      JSON.stringify(long),
      JSON.stringify({ message: long, code: long, cause: { message: long } }),
    ]) {
      const { message } = parseWireError(text);
      expect(bytesOf(message)).toBeLessThanOrEqual(LONGEST_TEXT);
      const stored = storedWireError(text)!;
      expect(bytesOf(stored)).toBeLessThan(200_000);
      expect(parseWireError(stored).message).toBe(message);
    }
  });

  it('is stored as it came where it is short', () => {
    for (const text of [null, '{"message":"x","more":1}', 'no JSON']) expect(storedWireError(text)).toBe(text);
  });

  it('has a bounded chain of causes', () => {
    let error: object = { message: 'the first' };
    for (let depth = 0; depth < 500; depth++) error = { message: `${depth}`, cause: error };
    let depth = 0;
    for (let cause = parseWireError(JSON.stringify(error)).cause; cause; cause = cause.cause) depth++;
    expect(depth).toBeLessThan(20);
  });
});
