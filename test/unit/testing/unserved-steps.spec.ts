import { RemoteStep, Worker, Workflow, type WorkflowContext } from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

@Worker({ group: 'office' })
class Office {
  @RemoteStep('sign')
  sign(): string {
    return 'signed';
  }
}

@Worker({ group: 'printers' })
class Printer {
  @RemoteStep('print')
  print(): string {
    return 'printed';
  }
}

@Workflow('invoice')
class Invoice {
  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.remote<string>('sign', null, { group: 'office' });
    return ctx.remote<string>('print', null, { group: 'printers' });
  }
}

describe('a remote step that nothing in a test serves', () => {
  let durable: TestingDurable | undefined;
  let warnings: jest.SpiedFunction<typeof process.emitWarning>;
  beforeEach(() => {
    warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
  });
  afterEach(async () => {
    warnings.mockRestore();
    await durable?.close();
    durable = undefined;
  });

  it('is warned of once, with what to do', async () => {
    durable = await createTestingDurable({ workflows: [Invoice], providers: [Office] });
    for (const id of ['first', 'second']) await durable.client.start(Invoice, undefined, { id });
    await durable.drain();
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      `Run "first" waits for the remote step "print" of group "printers", which nothing in this test serves: pass a ` +
        `@Worker({ group: 'printers' }) with a @RemoteStep('print') that stands for the program that serves it`,
    ]);
  });

  it('is named by exploreCrashes', async () => {
    durable = await createTestingDurable({ workflows: [Invoice], providers: [Office] });
    const explored = durable.exploreCrashes((client) => client.start(Invoice));
    await expect(explored).rejects.toThrow(/waits for the remote step "print" of group "printers", which nothing/);
  });

  it('is not warned of when something stands for it', async () => {
    durable = await createTestingDurable({ workflows: [Invoice], providers: [Office, Printer] });
    const { id } = await durable.client.start(Invoice);
    await durable.drain();
    await expect(durable.client.result(id)).resolves.toBe('printed');
    expect(warnings).not.toHaveBeenCalled();
  });
});
