import { type Invoice, InvoiceSteps, Prices, PRINT_INVOICE, type PrintedInvoice } from '@app/contracts';
import { RemoteStep, Worker } from 'nest-durable';
import { createTestingDurable, type TestingDurable } from 'nest-durable/testing';
import { confirmed, OrderWorkflow } from './order.workflow';

/** Stands for the worker in Python. */
@Worker()
class Printer {
  @RemoteStep(PRINT_INVOICE)
  print({ total }: Invoice): PrintedInvoice {
    return { text: `printed ${total}` };
  }
}

describe('OrderWorkflow', () => {
  let durable: TestingDurable;

  beforeEach(async () => {
    durable = await createTestingDurable({
      workflows: [OrderWorkflow],
      providers: [InvoiceSteps, Printer, { provide: Prices, useValue: { of: () => 21 } }],
    });
    durable.spyStep('mark-invoiced').replace(() => undefined);
  });
  afterEach(() => durable.close());

  it('prints the invoice of what was confirmed', async () => {
    const { id } = await durable.client.start(OrderWorkflow, { id: '7', lines: ['a', 'b'] });
    await durable.client.signal(confirmed, { by: 'Ada' }, { key: '7' });
    await durable.drain();
    expect(await durable.client.result(id)).toBe('printed 42');
  });
});
