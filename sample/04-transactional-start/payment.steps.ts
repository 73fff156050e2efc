import { Injectable } from '@nestjs/common';
import { NonRetryableStepError, RemoteStep, type StepContext, Worker } from 'nest-durable';

export interface PlacedOrder {
  id: string;
  amount: number;
}

/** Stands for the client of a payment provider, which takes the same idempotency key for the same payment. */
@Injectable()
export class PaymentProvider {
  async charge(amount: number, options: { idempotencyKey: string; signal: AbortSignal }): Promise<string> {
    options.signal.throwIfAborted();
    return `charge of ${amount} as ${options.idempotencyKey}`;
  }
}

@Worker({ concurrency: 20 })
export class PaymentSteps {
  constructor(private readonly provider: PaymentProvider) {}

  @RemoteStep('payments.charge', { retry: { attempts: 5, backoff: { delay: '1s', maxDelay: '5m' } }, timeout: '30s' })
  async charge(order: PlacedOrder, { idempotencyKey, signal }: StepContext): Promise<string> {
    if (order.amount > 10_000) throw new NonRetryableStepError('over the limit', 'CARD_DECLINED');
    return this.provider.charge(order.amount, { idempotencyKey, signal });
  }
}
