import { MikroORM } from '@mikro-orm/core';
import { type INestApplicationContext, Injectable, Logger } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import {
  DurableModule,
  Effect,
  Effects,
  Outbox,
  RemoteStep,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSchedules,
  WorkflowSignal,
} from '../../../lib/index.js';
import { inAppTransaction } from '../../support/app-transactions.js';
import type { OpenBackend } from '../../support/backends.js';
import { bootApp, ormModule } from '../../support/nest-app.js';
import { describeSmallPackets } from '../../support/small-packets.js';
import { thrownBy } from '../../support/thrown-by.js';
import { until } from '../../support/until.js';

const told = new WorkflowSignal<string>('told');
const called: number[] = [];

@Workflow('small-packets.child')
class Child {
  async run(_: WorkflowContext, input: string): Promise<string> {
    return input;
  }
}

/** Hands what it is given to everything that writes it down, and returns it. */
@Workflow('small-packets.everything')
class Everything {
  async run(ctx: WorkflowContext, input: string): Promise<string> {
    const outputs = [
      await ctx.step('local', () => input),
      await ctx.remote<string>('small-packets.echo', input),
      await ctx.remote<string>('small-packets.limited', input),
      await ctx.transaction('transaction', () => input),
      await ctx.executeChild(Child, input),
      await ctx.waitForSignal('told', told),
    ];
    await ctx.publish({ channel: 'c', name: 'e', data: input, headers: { input: input.slice(20) } });
    await ctx.effects({
      operation: 'o',
      subject: ctx.workflowId,
      calls: [{ handler: 'call', ref: 1, payload: input }],
    });
    if (outputs.some((output) => output !== input)) throw new Error('not what was given');
    return input;
  }
}

@Injectable()
class Services {
  @RemoteStep('small-packets.echo')
  echo(input: string): string {
    return input;
  }

  @RemoteStep('small-packets.limited', { concurrency: { limit: 1 } })
  limited(input: string): string {
    return input;
  }

  @Effect('call')
  call(_ref: number, { payload }: { payload: unknown }): void {
    called.push((payload as string).length);
  }
}

describeSmallPackets('a module whose server takes smaller packets than its limits.payload', (on) => {
  let app: INestApplicationContext;
  let database: OpenBackend;
  let limit: number;
  const warned: string[] = [];

  beforeAll(async () => {
    const { at } = on();
    database = await at.open();
    warned.length = 0;
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: string) => void warned.push(line));
    app = await bootApp({
      imports: [ormModule(at.orm, database), DurableModule.forRoot()],
      providers: [Everything, Child, Services],
    });
    warn.mockRestore();
    limit = Number(/payloads are limited to (\d+) bytes/.exec(warned.join('\n'))?.[1]);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });
  const handle = (): unknown =>
    on().at.orm === 'typeorm' ? app.get(getDataSourceToken() as never) : app.get(MikroORM);
  const rows = async (table: string) =>
    Number((await database.query<{ n: unknown }>(`SELECT COUNT(*) AS n FROM durable_${table}`))[0]?.n);

  it('lowers it, and says so once', () => {
    expect(warned.filter((line) => line.includes('limits.payload is 1048576 bytes'))).toHaveLength(1);
    expect(limit).toBeGreaterThan(200_000);
    expect(limit).toBeLessThan(500_000);
  });

  it('refuses what is beyond it with a typed error before anything is written', async () => {
    const beyond = 'x'.repeat(limit - 1);
    const client = app.get(WorkflowClient);
    const tooLarge = { code: 'PAYLOAD_TOO_LARGE', bytes: limit + 1, limit };
    expect(await thrownBy(client.start(Child, beyond))).toMatchObject(tooLarge);
    const { id } = await client.start(Child, 'x', { delay: '1h' });
    expect(await thrownBy(client.signal(told, beyond, { workflowId: id }))).toMatchObject(tooLarge);
    const schedule = app.get(WorkflowSchedules).create(Child, { id: 's', every: '1d', input: beyond });
    expect(await thrownBy(schedule)).toMatchObject(tooLarge);
    const operation = { operation: 'o', subject: 's', calls: [{ handler: 'call', ref: 1, payload: beyond }] };
    expect(await thrownBy(app.get(Effects).enqueue(operation))).toMatchObject(tooLarge);
    const event = { channel: 'c', name: 'e', data: beyond };
    expect(await thrownBy(app.get(Outbox).publish([event]))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await Promise.all(['runs', 'signals', 'schedules', 'effects', 'outbox'].map(rows))).toEqual([1, 0, 0, 0, 0]);
  });

  it('takes whatever is within it, also what gets four times as long on its way', async () => {
    const most = '"'.repeat(limit / 2 - 1);
    const client = app.get(WorkflowClient);
    const { id } = await inAppTransaction(on().at.orm, handle(), async ({ handle: transaction }) => {
      const started = await client.start(Everything, most, { transaction });
      await client.signal(told, most, { workflowId: started.id, transaction });
      return started;
    });
    expect((await client.result<string>(id, { timeout: '120s' })).length).toBe(most.length);
    await until('the call is made', () => called.includes(most.length));
  });
});
