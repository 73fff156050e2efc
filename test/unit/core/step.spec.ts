import { groupOf, idempotencyKeyOf, stepIdOf } from '../../../lib/core/protocol.js';

it.each([
  ['order-1', 3, 'order-1:3'],
  ['a:b', -1, 'a:b:-1'],
])('the step id of %s and %d', (runId, seq, stepId) => expect(stepIdOf(runId, seq)).toBe(stepId));

it.each([
  ['payments.charge', undefined, 'payments.charge'],
  ['a:b:c', undefined, 'a-b-c'],
  ['a:b', 'eu', 'a-b@eu'],
  ['a', '', 'a'],
  ['a', 'default', 'a'],
  ['a', 'x:y', 'a@x:y'],
])('the group of %s in partition %s', (name, partition, group) => expect(groupOf(name, partition)).toBe(group));

describe('a key for a header', () => {
  it.each(['order-1:3', 'a b/c?d#e:0', '~'.repeat(255), idempotencyKeyOf('ż'.repeat(180))])(
    'is the text itself if a header takes it: %s',
    (text) => expect(idempotencyKeyOf(text)).toBe(text),
  );

  it.each([
    ['zamówienie-1:0', 'zam%C3%B3wienie-1:0'],
    ['注文-1:-1', '%E6%B3%A8%E6%96%87-1:-1'],
    [' a:0', '%20a:0'],
    ['a\tb\n:0', 'a%09b%0A:0'],
    ['50%ó:0', '50%25%C3%B3:0'],
    // Otherwise it would be the key of another text.
    ['zam%C3%B3wienie-1:0', 'zam%25C3%25B3wienie-1:0'],
    ['a\uD800:0', 'a%EF%BF%BD:0'],
  ])('is percent-encoded if it does not: %j', (text, key) => expect(idempotencyKeyOf(text)).toBe(key));

  it('is a hash if it were too long, another one for another text', () => {
    const texts = ['ż'.repeat(180), 'ź'.repeat(180), 'x'.repeat(256), `${'x'.repeat(255)}y`, `${'ó'.repeat(90)}:1`];
    const keys = texts.map(idempotencyKeyOf);
    expect(new Set(keys).size).toBe(texts.length);
    for (const key of keys) expect(key).toMatch(/^sha256-[0-9a-f]{64}$/);
  });
});
