import { ConfigurationError, InvalidArgumentError, UnknownEffectHandlerError } from '../errors.js';
import { backoffMs } from '../time/backoff.js';
import { toMs } from '../time/duration.js';
import type { EffectHandler, EffectPolicy } from './effect-handler.js';

/** The handlers of this process. It claims calls of these handlers only. */
export class EffectHandlers {
  private readonly byName = new Map<string, EffectHandler>();

  /**
   * @throws ConfigurationError when a handler with this name is already registered.
   * @throws InvalidArgumentError when its policy is invalid.
   */
  register(handler: EffectHandler): void {
    const { name, policy } = handler;
    if (this.byName.has(name))
      throw new ConfigurationError(`Two methods handle the effect "${name}": give one of them another name`);
    checkPolicy(name, policy);
    this.byName.set(name, handler);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws UnknownEffectHandlerError */
  get(name: string): EffectHandler {
    const handler = this.byName.get(name);
    if (!handler) throw new UnknownEffectHandlerError(name);
    return handler;
  }

  all(): readonly EffectHandler[] {
    return [...this.byName.values()];
  }
}

function checkPolicy(name: string, { attempts, timeoutMs, leaseMs, backoff }: EffectPolicy): void {
  const refuse = (field: string, value: unknown, expected: string): never => {
    throw new InvalidArgumentError(`effect "${name}": ${field}`, value, expected);
  };
  if (!Number.isSafeInteger(attempts) || attempts < 1) refuse('attempts', attempts, 'a whole number of at least 1');
  if (!(timeoutMs >= 1)) refuse('timeout', timeoutMs, 'at least 1 ms');
  if (!(leaseMs >= 1)) refuse('leaseDuration', leaseMs, 'at least 1 ms');
  checkBackoff(backoff, refuse);
}

function checkBackoff(
  backoff: EffectPolicy['backoff'],
  refuse: (field: string, value: unknown, expected: string) => never,
): void {
  try {
    backoffMs(1, backoff);
  } catch (error) {
    refuse('backoff', backoff, `usable options: ${(error as Error).message}`);
  }
  const [delay, maxDelay] = [toMs(backoff.delay ?? '1s'), toMs(backoff.maxDelay ?? '5m')];
  if (delay < 1) refuse('backoff.delay', backoff.delay, 'at least 1 ms');
  if (maxDelay < delay) refuse('backoff.maxDelay', backoff.maxDelay, 'at least backoff.delay');
}
