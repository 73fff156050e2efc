import { RemoteStep, type StepContext, Worker } from 'nest-durable';
import { Ledger } from './ledger.js';
import type { OrderInput } from './order.workflow.js';

@Worker({ concurrency: 20 })
export class WarehouseSteps {
  constructor(private readonly ledger: Ledger) {}

  @RemoteStep('warehouse.reserve')
  reserve(order: OrderInput, step: StepContext): Promise<string> {
    return this.ledger.effect(order.id, 'reserve', step);
  }

  @RemoteStep('warehouse.ship')
  ship(order: OrderInput, step: StepContext): Promise<string> {
    return this.ledger.effect(order.id, 'ship', step);
  }
}
