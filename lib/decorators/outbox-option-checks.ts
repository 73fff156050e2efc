import { checkName } from '../engine/model/names.js';
import { InvalidArgumentError } from '../errors.js';
import { checkWhole } from './option-checks.js';
import type { OnPoison } from '../outbox/model/poison-policy.js';
import type { OnOutboxMessageOptions, OutboxPublisherOptions } from './outbox-options.js';

/** @throws InvalidArgumentError */
export function checkPublisherOptions({ name, ...options }: OutboxPublisherOptions, what: string): void {
  if (name !== undefined) checkName(name, `${what}: name`);
  checkDeliveryOptions(options, what);
}

/** @throws InvalidArgumentError */
export function checkDeliveryOptions({ batchSize, onPoison, attempts }: DeliveryOptions, what: string): void {
  checkWhole(batchSize, `${what}: batchSize`);
  checkWhole(attempts, `${what}: attempts`);
  if (onPoison !== undefined && !ON_POISON.includes(onPoison))
    throw new InvalidArgumentError(`${what}: onPoison`, onPoison, "'block', 'park' or 'park-channel'");
}

type DeliveryOptions = Omit<OutboxPublisherOptions, 'name'>;

const ON_POISON: readonly OnPoison[] = ['block', 'park', 'park-channel'];

/** @throws InvalidArgumentError */
export function checkConsumerOptions({ consumer }: OnOutboxMessageOptions, what: string): void {
  if (consumer !== undefined) checkName(consumer, `${what}: consumer`);
}

/** As long as a channel may be. */
const LONGEST = 255;

/** @throws InvalidArgumentError */
export function checkChannelPatterns(patterns: readonly unknown[], what: string): void {
  if (patterns.length === 0) throw new InvalidArgumentError(what, patterns, 'at least one channel');
  for (const pattern of patterns) {
    const isUsable =
      typeof pattern === 'string' &&
      /^(?=.)[^*]*\*?$/su.test(pattern) &&
      [...pattern].length <= LONGEST + (pattern.endsWith('*') ? 1 : 0);
    if (isUsable) continue;
    const expected = `the name of a channel, or the beginning of some with a trailing *, as 'posts:*'; at most ${LONGEST} characters`;
    throw new InvalidArgumentError(what, pattern, expected);
  }
}
