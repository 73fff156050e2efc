import { RemoteStep, type StepContext, Worker } from 'nest-durable';
import { Ledger } from './ledger.js';
import type { OrderInput } from './order.workflow.js';

@Worker({ concurrency: 20 })
export class PaymentSteps {
  constructor(private readonly ledger: Ledger) {}

  @RemoteStep('payments.charge', { timeout: '10s' })
  charge(order: OrderInput, step: StepContext): Promise<string> {
    return this.ledger.effect(order.id, 'charge', step);
  }

  @RemoteStep('payments.receipt')
  receipt(order: OrderInput, step: StepContext): Promise<string> {
    return this.ledger.effect(order.id, 'receipt', step);
  }
}
