import { type Clock, install } from '@sinonjs/fake-timers';
import {
  DurableModule,
  type Duration,
  memoryBackend,
  RemoteStep,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../../lib/index.js';
import { createTestingDurable } from '../../../lib/testing/index.js';
import { bootApp } from '../../support/nest-app.js';

@Worker()
class Mail {
  @RemoteStep('faked.send')
  send(text: string): string {
    return `sent: ${text}`;
  }
}

@Workflow('faked.flow')
class Flow {
  async run(ctx: WorkflowContext, rest: Duration): Promise<string> {
    await ctx.step('a', () => 1);
    await ctx.sleep('s', rest);
    return ctx.remote(Mail).send('hello');
  }
}

/** They stand still: whoever waited for one of them would wait for ever. */
describe('with fake timers of the app, which were installed after its imports', () => {
  let clock: Clock;
  beforeEach(() => void (clock = install()));
  afterEach(() => clock.uninstall());

  it('the testing kit works by its own clock', async () => {
    const durable = await createTestingDurable({ workflows: [Flow], providers: [Mail] });
    await durable.client.start(Flow, '1d', { id: 'r' });
    await durable.clock.advance('1d');
    expect(await durable.client.result('r')).toBe('sent: hello');
    await durable.close();
  });

  it('an app works', async () => {
    const imports = [DurableModule.forRoot({ backend: memoryBackend() })];
    const app = await bootApp({ imports, providers: [Flow, Mail] });
    expect(await app.get(WorkflowClient).startAndWait(Flow, '0s')).toBe('sent: hello');
    await app.close();
  });
});
