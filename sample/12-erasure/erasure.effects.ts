import { Injectable } from '@nestjs/common';
import { alreadyAbsent, Effect, type EffectContext, NonRetryableEffectError, RetryAfterError } from 'nest-durable';
import { OutsideServices } from './outside-services.js';

/** In an app: half a minute and more. */
const QUICK = { timeout: '10s', backoff: { delay: '100ms', maxDelay: '400ms' } } as const;

/** Each may be called more than once: what is gone stays gone, and that is a success. */
@Injectable()
export class ErasureEffects {
  constructor(private readonly services: OutsideServices) {}

  @Effect('crm', QUICK)
  crm(id: string, context: EffectContext): Promise<unknown> {
    return this.remove('crm', id, context);
  }

  @Effect('newsletter', QUICK)
  newsletter(_id: string, context: EffectContext): Promise<unknown> {
    const { email } = context.payload as { email: string };
    return this.remove('newsletter', email, context);
  }

  @Effect('payments', QUICK)
  payments(id: string, context: EffectContext): Promise<unknown> {
    return this.remove('payments', id, context);
  }

  private async remove(service: string, id: string, { signal, idempotencyKey }: EffectContext): Promise<unknown> {
    const response = await fetch(`${this.services.urlOf(service)}/people/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { 'idempotency-key': idempotencyKey },
      signal,
    });
    const { status } = response;
    if (status === 404) return alreadyAbsent();
    if (status === 429) throw new RetryAfterError(`${Number(response.headers.get('retry-after') ?? 1)}s`);
    // It would say the same tomorrow: somebody has to look at it.
    if (status === 409) throw new NonRetryableEffectError(`${service} refuses to erase "${id}"`);
    if (!response.ok) throw new Error(`${service} answers ${status}`);
    return undefined;
  }
}
