import { createTestingDurable, type TestingDurable } from 'nest-durable/testing';
import { Order } from './order.entity';
import { OrderWorkflow, packed } from './order.workflow';
import { PaymentSteps } from './payment.steps';

describe('OrderWorkflow', () => {
  let durable: TestingDurable;
  const update = jest.fn();

  beforeEach(async () => {
    update.mockClear();
    durable = await createTestingDurable({
      workflows: [OrderWorkflow],
      providers: [PaymentSteps],
      transaction: () => ({ update }),
    });
  });
  afterEach(() => durable.close());

  it('ships what was packed', async () => {
    const charge = durable.spy(PaymentSteps, 'charge');
    const { id } = await durable.client.start(OrderWorkflow, { id: '7', amount: 42 });
    await durable.clock.advance('1m');
    expect(charge.calls).toHaveLength(2);
    expect(update).toHaveBeenCalledWith(Order, '7', { status: 'paid' });
    await durable.client.signal(packed, { parcel: 'A-1' }, { key: '7' });
    expect(await durable.client.result(id)).toMatchObject({ parcel: 'A-1' });
  });

  it('fails after three days without a parcel', async () => {
    const { id } = await durable.client.start(OrderWorkflow, { id: '8', amount: 42 });
    await durable.clock.advance('4d');
    await expect(durable.client.result(id)).rejects.toMatchObject({ code: 'NOT_PACKED' });
  });
});
