import { Module } from '@nestjs/common';
import { memoryBackend, Workflow, WorkflowClient, type WorkflowContext } from '../../../lib/index.js';
import { createTestingDurable } from '../../../lib/testing/index.js';

/** The methods of an ORM's manager that the code calls. */
class Manager {
  readonly saved: string[] = [];
  save(entry: string): string {
    this.saved.push(entry);
    return entry.toUpperCase();
  }
}

@Workflow('booked')
class Booked {
  constructor(private readonly client: WorkflowClient) {}

  async run(ctx: WorkflowContext, entry: string): Promise<string> {
    const undone = { compensate: (tx: Manager, output: string) => void tx.save(`undo ${output}`) };
    const output = await ctx.transaction('book', (tx: Manager) => tx.save(entry), undone);
    await ctx.transaction(
      'tell',
      async (tx: Manager) => {
        if (entry !== 'alone') await this.client.start('told', output, { id: `told-${entry}`, transaction: tx });
        if (entry === 'no') throw new Error('no');
      },
      { retry: false },
    );
    return output;
  }
}

@Workflow('told')
class Told {
  async run(_: WorkflowContext, entry: string): Promise<string> {
    return entry;
  }
}

@Module({ providers: [Booked, Told] })
class Feature {}

describe('A stand-in for transactions', () => {
  it('is what the work of each transaction gets, compensations and crashes included, and can be joined', async () => {
    const managers: Manager[] = [];
    const transaction = () => {
      managers.push(new Manager());
      return Promise.resolve(managers.at(-1)!);
    };
    const durable = await createTestingDurable({ workflows: [Booked, Told], transaction });
    expect(await durable.client.result((await durable.client.start(Booked, 'rent')).id)).toBe('RENT');
    expect(await durable.client.result('told-rent')).toBe('RENT');
    expect(managers.map(({ saved }) => saved)).toEqual([['rent'], []]);
    const { id } = await durable.client.start(Booked, 'no');
    await durable.drain();
    expect((await durable.client.getStatus(id)).status).toBe('failed');
    expect(managers.at(-1)?.saved).toEqual(['undo NO']);
    const { undisturbed } = await durable.exploreCrashes((client) => client.start(Booked, 'alone'));
    expect(undisturbed).toMatchObject({ status: 'completed', output: 'ALONE' });
    await durable.close();
  });

  it('is given beside a module, too, and may be one object for all', async () => {
    const manager = new Manager();
    const durable = await createTestingDurable(Feature, { transaction: () => manager });
    const runs = await Promise.all(['a', 'b'].map((entry) => durable.client.start(Booked, entry)));
    await Promise.all(runs.map(({ id }) => durable.client.result(id)));
    expect(manager.saved.sort()).toEqual(['a', 'b']);
    await durable.close();
  });

  it('must be a function', () => {
    expect(() => memoryBackend({ transaction: {} as never })).toThrow('pass a function that returns the handle');
  });
});
