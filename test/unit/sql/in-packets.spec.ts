import { inPackets } from '../../../lib/sql/tables.js';

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
