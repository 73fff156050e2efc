import { spanNamedBy } from '../../../lib/core/telemetry.js';

const traceId = 'ab'.repeat(16);
const spanId = 'cd'.repeat(8);

describe('the span that a carrier names', () => {
  it('is that of its traceparent, also of a later version with more parts', () => {
    const named = { traceId, spanId, flags: '01' };
    expect(spanNamedBy({ traceparent: `00-${traceId}-${spanId}-01` })).toEqual(named);
    expect(spanNamedBy({ traceparent: `cc-${traceId}-${spanId}-01-more` })).toEqual(named);
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ traceparent: 7 }],
    [{ traceparent: traceId }],
    [{ traceparent: `00-${'0'.repeat(32)}-${spanId}-01` }],
    [{ traceparent: `00-${traceId}-${'0'.repeat(16)}-01` }],
    [{ traceparent: `00-${traceId}-${spanId}-01x` }],
  ])('is none for %j', (carrier) => {
    expect(spanNamedBy(carrier)).toBeUndefined();
  });
});
