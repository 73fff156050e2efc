import { RemoteStep, type StepContext, Worker } from 'nest-durable';

export interface PlacedOrder {
  id: string;
  amount: number;
}

@Worker()
export class PaymentSteps {
  @RemoteStep('payments.charge', { retry: { attempts: 3, backoff: { delay: '100ms' } } })
  async charge(order: PlacedOrder, { attempt, idempotencyKey }: StepContext): Promise<string> {
    if (attempt === 1) throw new Error('the payment provider is busy');
    return `charged ${order.amount} as ${idempotencyKey}`;
  }
}
