import { RemoteStep, type StepContext, Worker } from 'nest-durable';
import type { PlacedOrder } from './orders';

export interface Invoice {
  number: string;
  total: number;
}

/** Where the worker takes its prices from. */
export abstract class Prices {
  abstract of(line: string): number;
}

/** A provider of the worker process only: the API imports the class to call its steps with types. */
@Worker()
export class InvoiceSteps {
  constructor(private readonly prices: Prices) {}

  @RemoteStep('invoices.draw')
  async draw(order: PlacedOrder, { idempotencyKey }: StepContext): Promise<Invoice> {
    const total = order.lines.reduce((sum, line) => sum + this.prices.of(line), 0);
    return { number: `I-${idempotencyKey}`, total };
  }
}

/** Served by `workers/printer.py`. */
export const PRINT_INVOICE = 'invoices.print';
export interface PrintedInvoice {
  text: string;
}
