import { createTestingDurable, type TestingDurable } from 'nest-durable/testing';
import { Mail } from './mail.js';
import { OrderWorkflow } from './order.workflow.js';
import { PaymentSteps } from './payment.steps.js';

describe('OrderWorkflow', () => {
  let durable: TestingDurable;

  beforeEach(async () => {
    durable = await createTestingDurable({ workflows: [OrderWorkflow], providers: [PaymentSteps, Mail] });
    durable.spyStep('mark-paid').replace(() => undefined);
  });
  afterEach(() => durable.close());

  it('charges after the time in which it can be cancelled', async () => {
    const charge = durable.spy(PaymentSteps, 'charge');
    const { id } = await durable.client.start(OrderWorkflow, { id: '7', amount: 42, coolingOff: 86_400_000 });
    await durable.clock.advance('23h');
    expect(charge.calls).toHaveLength(0);
    await durable.clock.advance('1h');
    expect(await durable.client.result(id)).toContain('charged 42');
  });
});
