import { InvalidArgumentError } from '../../../lib/core/errors.js';
import { contextIn, contextText, contextTextWithTrace } from '../../../lib/engine/run.js';

describe('what a run carries', () => {
  it('comes back as it was, and cannot be changed', () => {
    const given = { tenant: 'ü', list: [1, { deep: true }], none: null, omitted: undefined };
    const context = contextIn(contextText(given));
    expect(context).toEqual({ tenant: 'ü', list: [1, { deep: true }], none: null });
    expect(() => Object.assign(context, { tenant: 'x' })).toThrow(TypeError);
    expect(() => Object.assign((context['list'] as object[])[1]!, { deep: false })).toThrow(TypeError);
  });

  it('is nothing if there is nothing', () => {
    expect([contextText(undefined), contextText(null), contextText({}), contextText({ a: undefined })]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([contextIn(undefined), contextIn(null)]).toEqual([{}, {}]);
  });

  it.each([
    ['a text', 'text'],
    ['an array', [1]],
    ['a date', { at: new Date(0) }],
    ['a BigInt', { n: 1n }],
    ['not a number', { n: Number.NaN }],
    ['a function', { f: () => {} }],
    ['NUL', { text: 'a\0' }],
    ['a lone surrogate', { text: '\ud800' }],
    ['undefined in a list', { list: [undefined] }],
    ['too much', { text: 'x'.repeat(5_000) }],
  ])('is refused if it is or holds %s', (_, given) => {
    expect(() => contextText(given)).toThrow(InvalidArgumentError);
  });
});

describe('the trace beside what a run carries', () => {
  const trace = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`, tracestate: 'vendor=1' };
  const carried = (context: unknown, own = trace): unknown => contextIn(contextTextWithTrace(context, own));

  it('is added to it, whole or as far as there is room', () => {
    expect(carried(undefined)).toEqual(trace);
    expect(carried({ tenant: 'a' })).toEqual({ tenant: 'a', ...trace });
    const filled = (length: number) => Object.keys(carried({ filling: 'x'.repeat(length) }) as object).sort();
    expect(filled(3_900)).toEqual(['filling', 'traceparent', 'tracestate']);
    expect(filled(4_000)).toEqual(['filling', 'traceparent']);
    expect(filled(4_080)).toEqual(['filling']);
  });

  it('is left out if it cannot be stored, or if the app names another one', () => {
    expect(carried({}, { ...trace, tracestate: 'a\0' })).toEqual({ traceparent: trace.traceparent });
    expect(carried({}, { traceparent: 1n as never, tracestate: '' })).toEqual({});
    const other = { traceparent: `00-${'3'.repeat(32)}-${'4'.repeat(16)}-01` };
    expect(carried(other)).toEqual(other);
  });

  it('changes nothing of what is refused', () => {
    expect(() => contextTextWithTrace(new Date(0), trace)).toThrow(InvalidArgumentError);
    expect(() => contextTextWithTrace({ text: 'x'.repeat(5_000) }, trace)).toThrow(InvalidArgumentError);
  });
});
