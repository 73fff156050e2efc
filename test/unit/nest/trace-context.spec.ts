import { type TraceApi, traceContextOf } from '../../../lib/nest/trace-context.js';

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

const apiWith = (span: object | undefined): TraceApi => ({
  context: { active: () => span },
  trace: { getSpanContext: (context) => context },
  isSpanContextValid: (given: { traceId: string }) => /[1-9a-f]/.test(given.traceId),
});

describe('the trace context of a caller', () => {
  it('is written as W3C says', () => {
    expect(traceContextOf(apiWith({ traceId, spanId, traceFlags: 1 }))).toEqual({
      traceparent: `00-${traceId}-${spanId}-01`,
    });
    const traceState = { serialize: () => 'vendor=1' };
    expect(traceContextOf(apiWith({ traceId, spanId, traceFlags: 0, traceState }))).toEqual({
      traceparent: `00-${traceId}-${spanId}-00`,
      tracestate: 'vendor=1',
    });
  });

  it('is empty without the package, without a span, and for a span that is not valid', () => {
    expect(traceContextOf(undefined)).toEqual({});
    expect(traceContextOf(apiWith(undefined))).toEqual({});
    expect(traceContextOf(apiWith({ traceId: '0'.repeat(32), spanId, traceFlags: 0 }))).toEqual({});
  });

  it('is empty if the tracing of the app throws', () => {
    const broken = () => {
      throw new Error('broken');
    };
    expect(traceContextOf({ ...apiWith(undefined), context: { active: broken } })).toEqual({});
    expect(traceContextOf({ ...apiWith({ traceId, spanId, traceFlags: 1 }), isSpanContextValid: broken })).toEqual({});
  });
});
