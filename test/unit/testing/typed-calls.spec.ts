import {
  ConfigurationError,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowFailedError,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

const undone: unknown[] = [];

@Worker()
class Hotels {
  @RemoteStep('calls.book', { retry: false })
  book(town: string): { room: number } {
    return { room: town.length };
  }

  @RemoteStep('calls.pay', { retry: false })
  pay(_euros: number): string {
    return 'paid';
  }
}

@Workflow('calls.trip')
class Trip {
  async run(ctx: WorkflowContext, towns: string[]): Promise<void> {
    const hotels = ctx.remote(Hotels, { compensate: (output) => undone.push(output) });
    await hotels.book('Rome', { compensate: ({ room }) => undone.push(`room ${room}`) });
    await hotels.pay(5, { compensate: undefined } as object);
    const booked = await Promise.all(towns.map(hotels.book));
    if (booked.length > 0) ctx.setStatus(JSON.stringify(booked));
    // @ts-expect-error a number is no options
    if (towns.includes('no array')) await hotels.book('no array', 0);
    ctx.fail('no trip');
  }
}

@Workflow('calls.by-name')
class ByName {
  async run(ctx: WorkflowContext, child: string): Promise<unknown> {
    return ctx.executeChild(child);
  }
}

@Workflow('calls.greets')
class Greets {
  async run(_: WorkflowContext, name?: string): Promise<string> {
    return name ? `hello ${name}` : 'hello';
  }
}

describe('What the compiler cannot tell', () => {
  let durable: TestingDurable;
  beforeAll(async () => {
    durable = await createTestingDurable({ workflows: [Trip, ByName, Greets], providers: [Hotels] });
  });
  afterAll(() => durable.close());

  const ended = async (input: string[]) => {
    const run = await durable.client.start(Trip, input);
    const failure = run.result().catch((error: WorkflowFailedError) => error);
    await durable.clock.advance('1m');
    return failure;
  };

  it('is read at the call: its options are before those of the client', async () => {
    expect(await ended([])).toMatchObject({ message: 'no trip' });
    expect(undone.splice(0)).toEqual(['paid', 'room 4']);
  });

  it('is known: the index and the array that map passes are no options', async () => {
    expect(await ended(['Oslo', 'Bergen'])).toMatchObject({ message: 'no trip' });
    const [run] = (await durable.client.list({ workflow: 'calls.trip' })).runs;
    expect((await durable.client.getStatus(run!.id)).customStatus).toBe('[{"room":4},{"room":6}]');
    expect(undone.splice(0)).toEqual([{ room: 6 }, { room: 4 }, 'paid', 'room 4']);
  });

  it('is refused: a number alone is no options', async () => {
    const { id } = await durable.client.start(Trip, ['no array']);
    await durable.drain();
    expect(await durable.client.getStatus(id)).toMatchObject({
      reason: 'programming_error',
      reasonDetail: expect.stringContaining(
        'The options of a remote step is 0: pass an object with options, after the input',
      ) as string,
    });
    expect(undone).toEqual([]);
  });

  it('is allowed: a start by name without an input, since that of run may be optional', async () => {
    await expect(durable.client.startAndWait('calls.greets')).resolves.toBe('hello');
    await expect(durable.client.startAndWait(ByName, 'calls.greets')).resolves.toBe('hello');
    await expect(durable.client.startAndWait('calls.greets', 'Ada')).resolves.toBe('hello Ada');
  });

  it('is refused at the start: a worker without a remote step', async () => {
    @Worker()
    class Idle {
      book(): void {}
    }
    const booted = createTestingDurable({ workflows: [Greets], providers: [Idle] });
    await expect(booted).rejects.toBeInstanceOf(ConfigurationError);
    await expect(booted).rejects.toThrow(/^Idle has @Worker but no method with @RemoteStep/);
  });
});
