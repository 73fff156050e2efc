import { NonRetryableStepError, RemoteStep, Worker } from 'nest-durable';

export interface PlacedOrder {
  id: string;
  amount: number;
}

@Worker()
export class PaymentSteps {
  @RemoteStep('payments.reserve')
  async reserve(order: PlacedOrder): Promise<string> {
    return `reservation ${order.id}`;
  }

  @RemoteStep('payments.release')
  async release(reservation: string): Promise<void> {
    console.log(`released ${reservation}`);
  }

  @RemoteStep('payments.charge')
  async charge(order: PlacedOrder): Promise<string> {
    if (order.amount > 1_000) throw new NonRetryableStepError('over the limit', 'CARD_DECLINED');
    return `charged ${order.amount}`;
  }
}
