import { createTestingDurable, type TestingDurable } from 'nest-durable/testing';
import { OrderWorkflow } from './order.workflow';
import { PaymentSteps } from './payment.steps';

describe('OrderWorkflow', () => {
  let durable: TestingDurable;

  beforeEach(async () => {
    durable = await createTestingDurable({ workflows: [OrderWorkflow], providers: [PaymentSteps] });
    durable.spyStep('mark-paid').replace(() => undefined);
  });
  afterEach(() => durable.close());

  it('ends the same whenever its process dies', async () => {
    const { writes, crashes } = await durable.exploreCrashes((client) =>
      client.start(OrderWorkflow, { id: '7', amount: 42 }, { id: 'order-7' }),
    );
    expect(crashes).toBe(2 * writes);
  }, 60_000);

  it('releases the money of a card that was declined', async () => {
    const release = durable.spy(PaymentSteps, 'release');
    const { id } = await durable.client.start(OrderWorkflow, { id: '8', amount: 5_000 });
    await durable.clock.advance('1m');
    await expect(durable.client.result(id)).rejects.toMatchObject({ code: 'CARD_DECLINED' });
    expect(release.calls).toMatchObject([{ input: 'reservation 8' }]);
  });
});
