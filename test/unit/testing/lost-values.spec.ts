import { Injectable } from '@nestjs/common';
import {
  Effect,
  Effects,
  Outbox,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../../lib/index.js';
import { createTestingDurable, type TestingDurable } from '../../../lib/testing/index.js';

/** JSON would make `{}` of it. */
const lost = (): object => new URLSearchParams('a=1');
const bytes = (): object => Buffer.from('abc');
const told = new WorkflowSignal<object>('lost.told');

@Injectable()
class Calls {
  @Effect('crm')
  crm(): void {}
}

@Worker()
class Steps {
  @RemoteStep('lost.make', { retry: false })
  make(value: unknown): object {
    return value === 'bytes' ? bytes() : lost();
  }
}

type Way = (ctx: WorkflowContext<string>) => Promise<unknown>;

const call = (payload: object) => ({
  operation: 'leave',
  subject: 's',
  calls: [{ handler: 'crm', ref: 'r', payload }],
});

/** Each way out of a run that a value can take. */
const WAYS: Record<string, Way> = {
  'a step': (ctx) => ctx.step('s', lost, { retry: false }),
  'bytes of a step': (ctx) => ctx.step('s', bytes, { retry: false }),
  'a transaction': (ctx) => ctx.transaction('t', lost, { retry: false }),
  'a remote step': (ctx) => ctx.remote(Steps).make(1),
  'bytes of a remote step': (ctx) => ctx.remote(Steps).make('bytes'),
  'the input of a remote step': (ctx) => ctx.remote('lost.make', lost()),
  'the input of a child': (ctx) => ctx.executeChild('lost.values', lost()),
  'the next input': (ctx) => ctx.continueAsNew(lost() as never),
  'an event': (ctx) => ctx.publish({ channel: 'c', name: 'n', data: lost() }),
  'bytes in an event': (ctx) => ctx.publish({ channel: 'c', name: 'n', data: { raw: bytes() } }),
  'a number in an event': (ctx) => ctx.publish({ channel: 'c', name: 'n', data: { price: Number.NaN } }),
  'headers of an event': (ctx) => ctx.publish({ channel: 'c', name: 'n', headers: { all: lost() } as never }),
  'a call': (ctx) => ctx.effects(call(lost())),
  attributes: (ctx) => Promise.resolve(ctx.setAttributes(lost() as never)),
};

@Workflow('lost.values')
class Values {
  async run(ctx: WorkflowContext<string>, way: string): Promise<unknown> {
    return WAYS[way]!(ctx).then(
      (value) => ({ came: value }),
      (error: Error) => error.message,
    );
  }
}

describe('a value that JSON would lose', () => {
  let durable: TestingDurable;
  beforeAll(async () => {
    durable = await createTestingDurable({ workflows: [Values], providers: [Steps, Calls] });
  });
  afterAll(() => durable.close());

  it.each(Object.keys(WAYS))('is refused in a run: %s', async (way) => {
    const { id } = await durable.client.start(Values, way);
    await durable.drain();
    // What `ctx` refuses can be caught; what a step returns blocks.
    const { output, reasonDetail } = await durable.client.getStatus(id);
    expect(JSON.stringify(output ?? reasonDetail)).toMatch(/URLSearchParams|Buffer|NaN|an object of names and values/);
  });

  const given = 'cannot be stored as JSON: it contains a';
  it.each<[string, string, () => Promise<unknown>]>([
    ['the input of a start', given, () => durable.client.start(Values, lost() as never)],
    ['bytes in one', given, () => durable.client.start(Values, { raw: bytes() } as never)],
    [
      'attributes',
      'an object of names and values',
      () => durable.client.start(Values, 'a step', { attributes: new Map() as never }),
    ],
    ['a signal', given, () => durable.client.signal(told, lost(), { key: 'k' })],
    [
      'a schedule',
      given,
      () => durable.get(WorkflowSchedules).create(Values, { id: 's', every: '1d', input: lost() as never }),
    ],
    [
      'an event',
      'it contains a URLSearchParams',
      () => durable.get(Outbox).publish({ channel: 'c', name: 'n', data: [lost()] }),
    ],
    [
      'a number in an event',
      'it contains the number Infinity',
      () => durable.get(Outbox).publish({ channel: 'c', name: 'n', data: { price: 1 / 0 } }),
    ],
    ['a call', 'it contains a URLSearchParams', () => durable.get(Effects).enqueue(call({ deep: [lost()] }))],
    ['a call with bytes', 'it contains a Buffer', () => durable.get(Effects).enqueue(call(bytes()))],
  ])('is refused by its caller: %s', async (_, message, act) => {
    await expect(act()).rejects.toThrow(message);
  });
});
