import { envelopes, openEnvelope } from '../../../lib/sql/notifier.js';

describe('an envelope', () => {
  it.each([[['a']], [['', 'it\'s "x"', '😀', '\n']], [Array.from({ length: 3_000 }, (_, i) => `run-${i}`)]])(
    'carries payloads',
    (payloads) => {
      const sent = envelopes('me', payloads);
      expect(sent.flatMap((text) => openEnvelope(text).payloads)).toEqual(payloads);
      for (const text of sent) {
        expect(Buffer.byteLength(text)).toBeLessThan(8_000);
        expect(openEnvelope(text).sender).toBe('me');
      }
    },
  );

  it('is packed tight', () => {
    expect(
      envelopes(
        'me',
        Array.from({ length: 1_000 }, () => 'x'.repeat(10)),
      ),
    ).toHaveLength(2);
  });

  it('says "look at everything" when one does not fit', () => {
    const sent = envelopes('me', ['a', 'x'.repeat(7_900), 'b']);
    expect(sent.map(openEnvelope)).toEqual([{ sender: 'me', payloads: undefined }]);
  });

  it.each(['', 'x', 'x {', 'x 7', 'x [7]', ' [', 'x null'])('may be anything: %p', (text) => {
    expect(openEnvelope(text).payloads).toBeUndefined();
  });
});
