import { RemoteStep, type StepContext, Worker } from 'nest-durable';

export interface PlacedOrder {
  id: string;
  amount: number;
  /** How long it can be cancelled, in milliseconds. */
  coolingOff: number;
}

@Worker()
export class PaymentSteps {
  @RemoteStep('payments.charge')
  async charge(order: PlacedOrder, { idempotencyKey }: StepContext): Promise<string> {
    return `charged ${order.amount} as ${idempotencyKey}`;
  }
}
