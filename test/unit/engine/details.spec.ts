import { readDetail, writeDetail } from '../../../lib/engine/run.js';

describe('why a run is blocked', () => {
  const mismatch = { seq: 3, recorded: 'step "a"', asked: 'nothing' };

  it('is read as it was written', () => {
    const blockedBy = { name: 'TypeError', message: 'no' };
    expect(readDetail(writeDetail('TypeError: no', mismatch, blockedBy))).toMatchObject({
      detail: 'TypeError: no',
      mismatch,
      blockedBy,
    });
    expect(readDetail(null)).toEqual({ detail: null, mismatch: null, blockedBy: null });
  });

  it.each(['bad order:\n{"seq":7}', 'bad order:\n{"seq":7,"recorded":1,"asked":2}', 'bad order:\n{"seq":'])(
    'has no mismatch that only the message of an error looks like: %j',
    (message) => {
      const blockedBy = { name: 'TypeError', message };
      const read = readDetail(writeDetail(message, undefined, blockedBy));
      expect(read).toMatchObject({ detail: message, mismatch: null, blockedBy });
    },
  );
});
