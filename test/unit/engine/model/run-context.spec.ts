import { InvalidArgumentError } from '../../../../lib/errors/argument-errors.js';
import { contextIn, contextText } from '../../../../lib/engine/model/run-context.js';

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
