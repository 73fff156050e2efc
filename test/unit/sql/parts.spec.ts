import type { SqlConnection } from '../../../lib/sql/executor.js';
import { raw } from '../../../lib/sql/statement.js';
import { inPackets, inParts } from '../../../lib/sql/tables.js';

const packetsOf = (texts: readonly string[]) => inPackets(texts, (text) => [text]).map(({ length }) => length);

describe('rows in packets', () => {
  it('are a thousand of short ones, in their order', () => {
    const texts = Array.from({ length: 2_001 }, (_, n) => `${n}`);
    expect(inPackets(texts, (text) => [text, null, undefined]).flat()).toEqual(texts);
    expect(packetsOf(texts)).toEqual([1_000, 1_000, 1]);
    expect(packetsOf([])).toEqual([]);
  });

  it('are fewer of long ones, by the bytes that their JSON takes, and one that is too long goes alone', () => {
    expect(packetsOf(Array.from({ length: 4 }, () => 'x'.repeat(200_000)))).toEqual([2, 2]);
    expect(packetsOf(Array.from({ length: 4 }, () => '"'.repeat(200_000)))).toEqual([1, 1, 1, 1]);
    expect(packetsOf(['a', 'ü'.repeat(300_000), 'b', 'c'])).toEqual([1, 1, 2]);
  });
});

describe('rows in parts', () => {
  /** How many go into each statement. */
  const partsOf = async (rows: readonly unknown[]) => {
    const parts: number[] = [];
    const nobody = { run: async () => ({ rows: [], affected: parts.at(-1) }) } as unknown as SqlConnection;
    const { affected } = await inParts(nobody, rows, ({ length }) => (parts.push(length), raw('')));
    expect(affected).toBe(rows.length);
    return parts;
  };

  it('are as many as a statement of some megabytes has, and a long one goes alone', async () => {
    const long = { id: 1, end: { output: 'x'.repeat(450_000) } };
    expect(await partsOf(Array(5).fill(long))).toEqual([2, 2, 1]);
    expect(await partsOf([long, 'x'.repeat(3_000_000), long, null])).toEqual([1, 1, 2]);
    expect(await partsOf(Array(4_500).fill({ id: 'a' }))).toEqual([2_000, 2_000, 500]);
  });
});
