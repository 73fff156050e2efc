import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import {
  AsyncSchemaError,
  InvalidArgumentError,
  RemoteStep,
  type StandardSchema,
  ValidationError,
  Workflow,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../../lib/index.js';
import { validated } from '../../../lib/engine/payloads.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';
import { until } from '../../support/until.js';

interface Order {
  id: string;
  items: { amount: number }[];
  note: string;
}

/** The same schema in the words of each library. */
const LIBRARIES: Record<string, StandardSchema<unknown, Order>> = {
  zod: z.object({
    id: z.string(),
    items: z.array(z.object({ amount: z.number() })),
    note: z.string().default('none'),
  }),
  valibot: v.object({
    id: v.string(),
    items: v.array(v.object({ amount: v.number() })),
    note: v.optional(v.string(), 'none'),
  }),
  arktype: type({ id: 'string', items: type({ amount: 'number' }).array(), note: "string = 'none'" }),
};

let checked = 0;
/** The same schema, counting its calls. */
function counted<In, Out>({ '~standard': standard }: StandardSchema<In, Out>): StandardSchema<In, Out> {
  const validate = (value: unknown) => {
    checked++;
    return standard.validate(value);
  };
  return { '~standard': { ...standard, validate } };
}

const order = counted(LIBRARIES['zod']!);

@Workflow('schemas.order', { input: order, concurrency: { limit: 5, key: ({ note }: Order) => note } })
class Takes {
  async run(ctx: WorkflowContext<Order>, given: Order): Promise<Order> {
    if (given.note === 'again')
      await ctx.continueAsNew({ ...given, note: given.items.length > 0 ? 'over' : (7 as never) });
    return given;
  }
}

@Workflow('schemas.parent')
class Parent {
  async run(ctx: WorkflowContext, child: unknown): Promise<unknown> {
    const outcome = await ctx.executeChild('schemas.order', child);
    await ctx.sleep('a while', '1h');
    return outcome;
  }
}

const approved = new WorkflowSignal('schemas.approved', {
  payload: z.object({ euros: z.string().transform(Number) }),
});

@Workflow('schemas.waits')
class Waits {
  async run(ctx: WorkflowContext): Promise<number> {
    const { euros } = await ctx.waitForSignal('approval', approved);
    return euros + 1;
  }
}

let attempts = 0;

class Steps {
  @RemoteStep('schemas.charge', { input: order, output: z.string().startsWith('charge') })
  charge({ note }: Order): string {
    attempts++;
    return note;
  }
}

@Workflow('schemas.charges')
class Charges {
  async run(ctx: WorkflowContext, given: Partial<Order>): Promise<string> {
    return ctx.remote(Steps).charge(given as Order);
  }
}

const undone: unknown[] = [];

@Workflow('schemas.undoes')
class Undoes {
  async run(ctx: WorkflowContext, onExhausted: 'fail' | 'block'): Promise<string> {
    const compensate = (charge: unknown) => void undone.push(charge);
    return ctx.remote(Steps).charge({ ...RAW, note: 'no charge' }, { onExhausted, compensate });
  }
}

@Workflow('schemas.async', { input: z.string().refine(async () => Promise.resolve(true)) })
class Async {
  async run(_: WorkflowContext, input: string): Promise<string> {
    return input;
  }
}

const RAW = { id: '1', items: [{ amount: 5 }] } as unknown as Order;
const WRONG = { id: '1', items: [{ amount: '5' }] } as never;

describe('A schema', () => {
  let durable: TestingDurable;
  beforeAll(async () => {
    const workflows = [Takes, Parent, Waits, Charges, Undoes, Async];
    durable = await createTestingDurable({ workflows, providers: [Steps] }, { durable: { retry: 3 } });
  });
  afterAll(() => durable.close());

  const runs = async () => (await durable.client.list({ limit: 1_000 })).runs.length;
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => Promise.reject(new Error('it was accepted')),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ValidationError);
    return error as ValidationError;
  };

  it.each(Object.entries(LIBRARIES))('of %s refuses with code, path and message of each issue', async (_, schema) => {
    @Workflow('schemas.library', { input: schema })
    class Library {
      async run(_: WorkflowContext, given: Order): Promise<Order> {
        return given;
      }
    }
    const app = await createTestingDurable({ workflows: [Library], providers: [] });
    const error = await refusal(app.client.start(Library, WRONG));
    expect(error).toMatchObject({
      code: 'VALIDATION_FAILED',
      status: 400,
      what: 'The input of workflow "schemas.library"',
    });
    expect(error.issues).toEqual([
      {
        code: expect.any(String) as string,
        path: ['items', 0, 'amount'],
        message: expect.stringMatching(/number/) as string,
      },
    ]);
    expect(error.issues[0]!.code).not.toBe('invalid');
    expect(error.message).toMatch(/^The input of workflow "schemas.library" is not valid: items\.0\.amount: .*number/);
    expect((await app.client.list()).runs).toEqual([]);
    await expect(app.client.startAndWait(Library, RAW)).resolves.toEqual({ ...RAW, note: 'none' });
    await app.close();
  });

  it('checks the input of every start, and writes nothing of what it refuses', async () => {
    const { client } = durable;
    const schedules = durable.get(WorkflowSchedules);
    const ended = await client.start(Takes, RAW, { id: 'ended' });
    await expect(ended.result()).resolves.toEqual({ ...RAW, note: 'none' });
    await expect(client.start(Takes, RAW, { id: 'ended' })).resolves.toMatchObject({ created: false });
    const before = await runs();
    await refusal(client.start(Takes, WRONG));
    await refusal(client.start('schemas.order', WRONG));
    await refusal(client.start('schemas.order'));
    await refusal(client.startAndWait(Takes, WRONG));
    await refusal(client.restart('ended', { input: WRONG }));
    await refusal(client.fork('ended', { from: 0, input: WRONG }));
    await refusal(schedules.create(Takes, { id: 'daily', every: '1d', input: WRONG }));
    await schedules.create(Takes, { id: 'daily', every: '1d', input: RAW });
    await refusal(schedules.update('daily', { input: WRONG }));
    expect((await schedules.get('daily')).input).toEqual({ ...RAW, note: 'none' });
    await schedules.delete('daily');
    expect(await runs()).toBe(before);
    // Another version may take another input; this process does not know it.
    await client.start('schemas.order', { note: 'all of it' }, { version: 9, delay: '1d' });
  });

  it('checks the input of a child and of a next life, once, and never in a replay', async () => {
    const { client, clock } = durable;
    const isBlocked = ({ id }: { id: string }) =>
      until('it is blocked', async () => (await client.getStatus(id)).reasonDetail?.startsWith('ValidationError: '));
    await isBlocked(await client.start(Parent, WRONG));
    checked = 0;
    const parent = await client.start(Parent, RAW);
    await clock.advance('10m');
    const history = await durable.history(parent.id);
    await expect(durable.replay(history)).resolves.toMatchObject({ verdict: 'fits' });
    await clock.advance('2h');
    await expect(parent.result()).resolves.toEqual({ ...RAW, note: 'none' });
    expect(checked).toBe(1);
    await expect(client.startAndWait(Takes, { ...RAW, note: 'again' })).resolves.toMatchObject({ note: 'over' });
    await isBlocked(await client.start(Takes, { id: '1', items: [], note: 'again' }));
  });

  it('checks what a signal carries, and types both ends', async () => {
    const { client } = durable;
    const run = await client.start(Waits);
    const error = await refusal(client.signal(approved, { euros: 5 as never }, { workflowId: run.id }));
    expect(error).toMatchObject({ what: 'The payload of signal "schemas.approved"', issues: [{ path: ['euros'] }] });
    const many = () =>
      client.signalAll(
        approved,
        { euros: 5 as never },
        { workflow: 'schemas.waits' },
        { actor: 'ada', reason: 'a test' },
      );
    expect(many).toThrow(ValidationError);
    await client.signal(approved, { euros: '5' }, { workflowId: run.id });
    await expect(run.result()).resolves.toBe(6);
  });

  it('checks the input and the output of a remote step, without another attempt', async () => {
    const { client } = durable;
    const refused = {
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^The input of step "schemas.charge"/) as string,
    };
    await expect(client.startAndWait(Charges, { id: '1' })).rejects.toMatchObject(refused);
    expect(attempts).toBe(0);
    await expect(client.startAndWait(Charges, RAW)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^The output of step "schemas.charge" is not valid: .*charge/) as string,
    });
    expect(attempts).toBe(1);
    await expect(client.startAndWait(Charges, { ...RAW, note: 'charge 1' })).resolves.toBe('charge 1');
  });

  it('that refuses an output leaves work that is done: it is undone, or waits for an operator', async () => {
    const { client } = durable;
    const run = await client.start(Undoes, 'fail');
    await expect(run.result()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(undone).toEqual(['no charge']);
    attempts = 0;
    const stands = await client.start(Undoes, 'block');
    await durable.drain();
    const { reason, history } = await client.getStatus(stands.id, { history: true });
    expect({ reason, attempts }).toEqual({ reason: 'exhausted', attempts: 1 });
    expect(history).toMatchObject([{ status: 'exhausted', output: 'no charge', error: { code: 'VALIDATION_FAILED' } }]);
    await client.cancel(stands.id);
  });

  it.each(['at once', 'to a promise that is none of this realm'])('that is asynchronous is refused: %s', (how) => {
    const then = (done: (result: object) => void) => done({ value: 1 });
    const validate = () => (how === 'at once' ? Promise.resolve({ value: 1 }) : { then });
    const schema = { '~standard': { version: 1, vendor: 'own', validate } } as unknown as StandardSchema;
    expect(() => validated(schema, 1, 'It')).toThrow(AsyncSchemaError);
  });

  it('that is asynchronous is refused', async () => {
    await expect(durable.client.start(Async, 'x')).rejects.toBeInstanceOf(AsyncSchemaError);
    await expect(durable.client.start(Async, 'x')).rejects.toThrow(/validates asynchronously: .* in a step/);
  });

  it('is one of Standard Schema, and fits what is declared beside it', () => {
    const parse = (text: string) => text;
    expect(() => Workflow('x', { input: parse as never })).toThrow(InvalidArgumentError);
    expect(() => RemoteStep('x', { output: {} as never })).toThrow(
      /RemoteStep\('x'\): output is a Object: pass a schema/,
    );
    expect(() => new WorkflowSignal('x', { payload: parse as never })).toThrow(/a schema of Standard Schema v1/);
    expect(() => new WorkflowSignal('x', { paylod: order } as never)).toThrow(/payload/);
    expect(() => Workflow('x', { input: order, schedules: [{ every: '1d', input: WRONG }] })).toThrow(ValidationError);
  });
});
