import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { INestApplicationContext, Provider } from '@nestjs/common';
import {
  type CodecContext,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  memoryBackend,
  OnOutboxMessage,
  Outbox,
  type OutboxEvent,
  OutboxOperations,
  OutboxPublisher,
  RemoteStep,
  sealedCodec,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../../lib/index.js';
import { stateOf } from '../../../lib/memory-backend.js';
import { bootApp } from '../../support/nest-app.js';
import { until } from '../../support/until.js';

const shared = { id: 'shared', key: randomBytes(32) };
const go = new WorkflowSignal<string>('go');
const keyed = new WorkflowSignal<string>('keyed');

@Worker()
class Mute {
  @RemoteStep('mute')
  mute(): void {}

  @RemoteStep('echo')
  echo(value: unknown): unknown {
    return value;
  }
}

class Mail {
  @Effect('mail')
  mail(): void {}
}

@Workflow('calls')
class Calls {
  async run(ctx: WorkflowContext): Promise<unknown> {
    const nothing = await ctx.remote('mute', null);
    return [nothing ?? null, (await ctx.remote('echo', undefined)) ?? null];
  }
}

@Workflow('nothing')
class Nothing {
  async run(_: WorkflowContext, input: unknown): Promise<unknown> {
    return Promise.resolve({ input });
  }
}

@Workflow('personal')
class Personal {
  async run(ctx: WorkflowContext, who: string): Promise<string> {
    await ctx.effects({
      operation: 'welcome',
      subject: 'a1',
      calls: [{ handler: 'mail', ref: who, payload: { who } }],
    });
    await ctx.waitForSignal('one', go);
    await ctx.waitForAny('any', { go: ctx.signalWait(go) });
    await ctx.waitForSignal('keyed', keyed, { key: 'k' });
    await ctx.remote('echo', who);
    const answer = await ctx.remote('nobody', who);
    return `${who} ${String(answer)}`;
  }
}

@Workflow('kid')
class Kid {
  async run(ctx: WorkflowContext, who: string): Promise<string> {
    return ctx.step('greet', () => `hello ${who}`);
  }
}

@Workflow('parent')
class Parent {
  async run(ctx: WorkflowContext, _: string): Promise<string> {
    await ctx.executeChild(Kid, 'Bob', { id: 'own', attributes: { customer: 'bob' } });
    await ctx.executeChild(Kid, 'Ada', { id: 'same' });
    await ctx.executeChild(Kid, 'Ada', { id: 'other attributes', attributes: { color: 'red' } });
    return 'done';
  }
}

describe('an app with sealedCodec', () => {
  let app: INestApplicationContext;
  let client: WorkflowClient;
  let backend: ReturnType<typeof memoryBackend>;
  afterEach(() => app.close());

  const boot = async (options: DurableModuleOptions, providers: Provider[]) => {
    backend = memoryBackend();
    app = await bootApp({ imports: [DurableModule.forRoot({ backend, ...options })], providers });
    client = app.get(WorkflowClient);
  };

  describe('that reads nothing plain', () => {
    const codec = sealedCodec({ keys: [shared], readsPlain: false });

    it('has remote steps that are given nothing and return nothing', async () => {
      await boot({ codec }, [Calls, Mute]);
      const { id } = await client.start(Calls, undefined);
      expect(await client.result(id, { timeout: '120s' })).toEqual([null, null]);
    });

    it('fires schedules without input', async () => {
      await boot({ codec }, [Nothing]);
      const schedules = app.get(WorkflowSchedules);
      await schedules.create(Nothing, { id: 'yearly', cron: '0 0 1 1 *' });
      expect((await schedules.get('yearly')).input).toBeNull();
      const id = await schedules.trigger('yearly');
      expect(await client.result(id, { timeout: '120s' })).toEqual({ input: null });
    });
  });

  describe('whose outbox has the codec, too', () => {
    const codec = sealedCodec({ keys: [shared] });
    const published: OutboxEvent[] = [];
    const consumed: unknown[] = [];

    @OutboxPublisher({ name: 'broker', onPoison: 'park', attempts: 1 })
    class Broker {
      publish(events: readonly OutboxEvent[]): void {
        published.push(...events);
        if (events.some(({ name }) => name === 'refused')) throw new Error('no Lovelace');
      }
    }

    class Reader {
      @OnOutboxMessage('orders', { consumer: 'reader' })
      read({ name, data }: OutboxEvent): void {
        consumed.push([name, data]);
      }
    }

    @Workflow('publishes')
    class Publishes {
      async run(ctx: WorkflowContext, who: string): Promise<void> {
        await ctx.publish({ channel: 'orders', name: 'ordered', data: { who } });
        await ctx.publish('free', { channel: 'orders', name: 'free', data: { who: 'anybody' }, plain: true });
        await ctx.sleep('nap', '5ms');
      }
    }

    it('opens events for consumers, streams and operators, and for nobody else', async () => {
      const outbox = { codec, retain: '1h', pollInterval: '10ms', debounce: '1ms' } as const;
      await boot({ codec, outbox, determinism: 'error' }, [Publishes, Broker, Reader]);
      const streamed: unknown[] = [];
      const stream = app.get(Outbox).channel('orders', { after: '0' });
      const following = stream.subscribe(({ data }) => 'name' in data && streamed.push([data.name, data.data]));
      const { id } = await client.start(Publishes, 'Lovelace');
      await client.result(id, { timeout: '120s' });
      await app.get(Outbox).publish({ channel: 'orders', name: 'refused', data: 'Lovelace' });
      const all = [
        ['ordered', { who: 'Lovelace' }],
        ['free', { who: 'anybody' }],
        ['refused', 'Lovelace'],
      ];
      await until('all are delivered', () => consumed.length === 3 && streamed.length === 3);
      expect([consumed, streamed]).toEqual([all, all]);
      following.unsubscribe();
      const operations = app.get(OutboxOperations);
      const dead = () => operations.deadLetters({ destination: 'broker' });
      await until('it is set aside', async () => (await dead()).length === 1);
      expect(await dead()).toMatchObject([{ name: 'refused', data: 'Lovelace', error: 'Error' }]);
      expect(published.map(({ data }) => data)).toEqual([
        { $sealed: expect.any(String) as string },
        { who: 'anybody' },
        { $sealed: expect.any(String) as string },
      ]);
      expect(inspect(stateOf(backend), { depth: 20, maxArrayLength: null })).not.toContain('Lovelace');
    });

    it('refuses what is no codec', async () => {
      await boot({}, []);
      expect(() => DurableModule.forRoot({ backend, outbox: { codec: {} as never } })).toThrow(/outbox.codec/);
    });
  });

  describe('with a key per subject', () => {
    const keys = new Map(['ada', 'bob'].map((id) => [id, randomBytes(32)]));
    const codec = sealedCodec({
      keys: [shared],
      subjects: {
        idOf: ({ attributes }) => attributes?.['customer'] as string | undefined,
        keyOf: (id) => keys.get(id),
      },
    });
    /** `<field>: <key>` of every text that is sealed, once each. */
    const sealedFields = (): string[] => {
      const all = inspect(stateOf(backend), {
        depth: 20,
        maxArrayLength: null,
        maxStringLength: null,
        breakLength: 1e6,
      });
      const found = [...all.matchAll(/(\w+): '[^'\n]*?\$sealed\\*":\\*"v\d\.([\w-]{1,64})\./g)];
      return [...new Set(found.map(([, field, id]) => `${field}: ${id}`))].sort();
    };

    it('gives every value of a run the key of its subject', async () => {
      await boot({ codec, effects: { pollInterval: '5ms' } }, [Personal, Mail, Mute]);
      const { id } = await client.start(Personal, 'Ada', { attributes: { customer: 'ada' } });
      await client.signal(go, 'one', { workflowId: id });
      await client.signal(go, 'two', { workflowId: id });
      await client.signal(keyed, 'three', { key: 'k' });
      const steps = async () => (await client.getStatus(id, { history: true })).history!;
      await until('it asks nobody', async () => (await steps()).some(({ name }) => name === 'nobody'));
      const { seq } = (await steps()).at(-1)!;
      await client.resolveStep(id, seq, { output: 'answer' }, { actor: 'eve', reason: 'a test' });
      expect(await client.result(id, { timeout: '120s' })).toBe('Ada answer');
      // Of a signal to a key nobody knows whose it is.
      expect(sealedFields().filter((field) => !field.endsWith(': ada'))).toEqual(['payload: shared']);
      expect(sealedFields()).toEqual(expect.arrayContaining(['input: ada', 'output: ada', 'payload: ada', 'ref: ada']));
    });

    it('gives the input of a schedule the key that its workflow names, when it is changed, too', async () => {
      const subjects = { idOf: ({ workflow }: CodecContext) => (workflow === 'nothing' ? 'ada' : undefined) };
      const named = sealedCodec({ keys: [shared], subjects: { ...subjects, keyOf: (id) => keys.get(id) } });
      await boot({ codec: named }, [Nothing]);
      const schedules = app.get(WorkflowSchedules);
      await schedules.create(Nothing, { id: 'yearly', cron: '0 0 1 1 *', input: 'Ada' });
      await schedules.update('yearly', { input: 'Ada again' });
      expect(await schedules.get('yearly')).toMatchObject({ input: 'Ada again' });
      expect(sealedFields()).toEqual(['input: ada']);
    });

    it('gives a child with attributes of its own the key of its own subject', async () => {
      await boot({ codec }, [Parent, Kid]);
      const { id } = await client.start(Parent, 'Ada', { attributes: { customer: 'ada' } });
      await client.result(id, { timeout: '120s' });
      const forgotten = keys.get('bob')!;
      keys.delete('bob');
      const of = async (run: string) => (await client.getStatus(run, { history: true })) as object;
      const unreadable = { unreadable: true };
      expect(await of('own')).toMatchObject({
        input: unreadable,
        output: unreadable,
        history: [{ output: unreadable }],
      });
      expect(await of('same')).toMatchObject({ input: 'Ada', output: 'hello Ada' });
      expect(await of('other attributes')).toMatchObject({ input: 'Ada', output: 'hello Ada' });
      expect(await of(id)).toMatchObject({ output: 'done', history: [{ output: unreadable }, {}, {}] });
      keys.set('bob', forgotten);
    });
  });
});
