import { groupOf, stepIdOf } from '../../../lib/core/protocol.js';

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
