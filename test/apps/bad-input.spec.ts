import type { INestApplicationContext } from '@nestjs/common';
import {
  DurableModule,
  InvalidArgumentError,
  MissingTableError,
  PayloadTooLargeError,
  RemoteStep,
  SerializationError,
  UnknownWorkflowError,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { describeDatabases } from '../support/backends.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

class NoSteps {
  charge(): void {}
}

class Steps {
  @RemoteStep('bad.echo')
  echo(value: unknown): unknown {
    return value;
  }
}

/** Does what its input says. */
@Workflow('bad')
class Bad {
  async run(ctx: WorkflowContext, what: string): Promise<unknown> {
    switch (what) {
      case 'unknown class':
        return (ctx.remote(NoSteps) as unknown as Steps).echo(1);
      case 'unknown method':
        return (ctx.remote(Steps) as unknown as { refund(): unknown }).refund();
      case 'large input':
        return ctx.remote(Steps).echo('x'.repeat(2_000));
      case 'large output':
        return ctx.step('large', () => 'x'.repeat(2_000), { retry: false });
      case 'function as input':
        return ctx.remote(Steps).echo(() => 1);
      case 'function as output':
        return ctx.step('function', () => () => 1);
      default:
        return 'x'.repeat(2_000);
    }
  }
}

describeDatabases('Bad input', ({ orm, db }) => {
  let database: FreshDatabase;
  let app: INestApplicationContext;
  let client: WorkflowClient;

  beforeAll(async () => {
    database = await createDatabase(db);
    const durable = DurableModule.forRoot({ limits: { payload: 1_000 } });
    app = await bootApp({ imports: [ormModule(orm, database), durable], providers: [Bad, Steps] });
    client = app.get(WorkflowClient);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  it.each<[string, () => Promise<unknown>, abstract new (...args: never[]) => Error, RegExp]>([
    ['a payload over the limit', () => client.start('bad', 'x'.repeat(1_001)), PayloadTooLargeError, /limits\.payload/],
    ['a function', () => client.start('bad', { f: () => 1 }), SerializationError, /plain data/],
    ['a circle', () => client.start('bad', circular), SerializationError, /contains itself/],
    ['a run id of 200 characters', () => client.start(Bad, 'x', { id: 'i'.repeat(200) }), InvalidArgumentError, /180/],
    ['an empty run id', () => client.start(Bad, 'x', { id: '' }), InvalidArgumentError, /180/],
    [
      'a class that is no workflow',
      () => client.start(Steps as never, ...(['x'] as never)),
      UnknownWorkflowError,
      /@Workflow/,
    ],
    [
      'nothing as workflow',
      () => client.start(undefined as never, ...(['x'] as never)),
      UnknownWorkflowError,
      /@Workflow/,
    ],
    ['a delay in words', () => client.start(Bad, 'x', { delay: 'soon' as never }), TypeError, /'500ms'/],
    ['a date that is none', () => client.start(Bad, 'x', { startAt: new Date('x') }), InvalidArgumentError, /startAt/],
    ['a priority between', () => client.start(Bad, 'x', { priority: 0.5 }), InvalidArgumentError, /priority/],
    ['a version between', () => client.start(Bad, 'x', { version: 0.5 }), InvalidArgumentError, /version/],
    ['a version of 2^31', () => client.start(Bad, 'x', { version: 2 ** 31 }), InvalidArgumentError, /2147483647/],
    ['a workflow name of 200', () => client.start('n'.repeat(200)), InvalidArgumentError, /191/],
    ['a page of 5,000', () => client.list({ limit: 5_000 }), InvalidArgumentError, /1000/],
    ['a cursor of nothing', () => client.list({ cursor: 'x' }), InvalidArgumentError, /cursor/],
  ])('%s: says what to do and writes nothing', async (_, call, type, message) => {
    const before = await database.query('SELECT id FROM durable_runs');
    await expect(call()).rejects.toBeInstanceOf(type);
    await expect(call()).rejects.toThrow(message);
    await expect(database.query('SELECT id FROM durable_runs')).resolves.toHaveLength(before.length);
  });

  it.each([
    ['unknown class', /^UnknownStepError: "NoSteps".*@RemoteStep/],
    ['unknown method', /^UnknownStepError: "Steps.refund".*@RemoteStep/],
    ['large input', /^PayloadTooLargeError: .*input of step "bad.echo".*limits\.payload/],
    ['large output', /^PayloadTooLargeError: .*limits\.payload/],
    ['function as input', /^SerializationError: .*plain data/],
    ['function as output', /^SerializationError: .*plain data/],
    ['large result', /^PayloadTooLargeError: .*output of workflow "bad"/],
  ])('%s in a workflow: the run is blocked, and says what to do', async (what, message) => {
    const { id } = await client.start(Bad, what);
    const blocked = await until('it is blocked', async () => {
      const status = await client.getStatus(id);
      return status.reason !== null && status;
    });
    expect(blocked).toMatchObject({ status: 'suspended', reason: 'programming_error' });
    expect(blocked.reasonDetail).toMatch(message);
    await expect(database.query('SELECT step_id FROM durable_transport_tasks')).resolves.toEqual([]);
  });

  it('tables that are missing: says how to make them', async () => {
    const durable = DurableModule.forRoot({ prefix: 'absent', autoStart: false });
    const without = await bootApp({ imports: [ormModule(orm, database), durable], providers: [Bad] });
    const start = without.get(WorkflowClient).start(Bad, 'x');
    await expect(start).rejects.toBeInstanceOf(MissingTableError);
    await expect(without.get(WorkflowClient).getStatus('x')).rejects.toThrow(/npx nest-durable migrate/);
    await without.close();
  });
});
