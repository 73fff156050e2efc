import { createServer, type AddressInfo } from 'node:net';
import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import {
  DurableModule,
  type DurableModuleOptions,
  memoryBackend,
  RemoteStep,
  StepFailedError,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
  WorkflowSignal,
} from '../../lib/index.js';
import { type Backend, describeDatabases } from '../support/backends.js';
import { createDatabase } from '../support/fresh-database.js';
import { bootApp, ormModule } from '../support/nest-app.js';
import { until } from '../support/until.js';

let port: number;
/** Whether this version of Node says where a call of `fetch` failed: 24 does not. */
let hasFrames: boolean;
async function callOut(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  return answer.text();
}

const go = new WorkflowSignal<string>('go');
const seen: unknown[] = [];

/** Everything that code can see of an error. */
function fieldsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause, code, errors } = error as Error & { code?: unknown; errors?: unknown[] };
  return { name, message, stack, code, cause: fieldsOf(cause), errors: errors?.map(fieldsOf) };
}

@Worker()
class Shop {
  @RemoteStep('errors.remote', { retry: { attempts: 2, backoff: { delay: 1 } } })
  remote(): Promise<string> {
    return callOut();
  }
}

@Workflow('errors.child')
class Child {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    await ctx.step('child', callOut, { retry: false });
  }
}

@Workflow('errors.run')
class Run {
  async run(ctx: WorkflowContext, _: null): Promise<void> {
    const failing = [
      () => ctx.step('local', callOut, { retry: { attempts: 2, backoff: { delay: 1 } } }),
      () => ctx.transaction('booked', callOut, { retry: false }),
      () => ctx.remote(Shop).remote(),
      () => ctx.executeChild(Child, null),
    ];
    const errors: unknown[] = [];
    for (const fails of failing) await fails().catch((error: unknown) => errors.push(error));
    seen.push(errors.map(fieldsOf));
    expect(errors.every((error) => error instanceof StepFailedError)).toBe(true);
    await ctx.waitForSignal('go', go);
    throw errors[2] as Error;
  }
}

@Workflow('errors.wrong')
class Wrong {
  async run(_: WorkflowContext, __: null): Promise<void> {
    await Promise.resolve();
    throw new TypeError('no such function');
  }
}

class Lines implements LoggerService {
  readonly lines: string[] = [];
  log = (line: string) => void this.lines.push(line);
  warn = (line: string) => void this.lines.push(line);
  error = (line: string) => void this.lines.push(line);
}

beforeAll(async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  await new Promise((resolve) => server.close(resolve));
  const failure = await callOut().catch((error: unknown) => error as Error);
  hasFrames = (failure as Error).stack!.includes('recorded-errors.spec.ts');
});

/** The same app, booted again and again on one storage. */
interface Place {
  boot: (
    options?: DurableModuleOptions,
  ) => Promise<{ client: WorkflowClient; lines: string[]; close(): Promise<void> }>;
  close: () => Promise<void>;
}

const apps: INestApplicationContext[] = [];

async function appOn(imports: object[], options: DurableModuleOptions) {
  const providers = [Run, Child, Wrong, Shop];
  const app: INestApplicationContext = await bootApp({
    imports: [...(imports as never[]), DurableModule.forRoot({ migrate: true, ...options })],
    providers,
  });
  const logger = new Lines();
  app.useLogger(logger);
  apps.push(app);
  return { client: app.get(WorkflowClient), lines: logger.lines, close: () => app.close() };
}

async function placeOn(backend: Backend): Promise<Place> {
  const database = await createDatabase(backend.db);
  return {
    boot: (options = {}) => appOn([ormModule(backend.orm, database)], options),
    close: () => database.close(),
  };
}

async function inMemory(): Promise<Place> {
  const backend = memoryBackend();
  return { boot: (options = {}) => appOn([], { backend, ...options }), close: async () => {} };
}

function cases(open: () => Promise<Place>): void {
  let place: Place;
  beforeAll(async () => void (place = await open()));
  afterAll(() => place.close());
  beforeEach(() => void (seen.length = 0));
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  const refused = () => ({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });

  it('why a call failed is seen by code, people and the log, the same after a replay', async () => {
    const text = `connect ECONNREFUSED 127.0.0.1:${port}`;
    const first = await place.boot();
    const { id } = await first.client.start(Run, null);
    await until('all have failed', async () => {
      const { history } = await first.client.getStatus(id, { history: true });
      return history!.length === 5 && history!.at(-2)!.status === 'failed';
    });
    const { history } = await first.client.getStatus(id, { history: true });
    for (const { name, error, attempts } of history!.filter(({ kind }) => kind !== 'signal')) {
      expect([name, error]).toMatchObject([name, refused()]);
      expect(error!.stack?.includes('recorded-errors.spec.ts') ?? false).toBe(hasFrames);
      for (const attempt of attempts) expect(attempt.error).toMatchObject(refused());
    }
    expect(first.lines.filter((line) => line.includes('errors.remote') && line.includes(text))).toHaveLength(2);
    await first.close();

    const second = await place.boot();
    await second.client.signal(go, 'on', { workflowId: id });
    const failure = await second.client.result(id, { timeout: '120s' }).catch((error: unknown) => error);
    expect(failure).toMatchObject(refused());
    expect((failure as Error).cause).toBeInstanceOf(Error);
    expect(seen.length).toBeGreaterThan(1);
    for (const again of seen) expect(again).toEqual(seen[0]);
    expect((await second.client.getStatus(id)).error).toMatchObject(refused());
    expect((await second.client.explain(id)).text).toContain(text);
    await until('the line', () => second.lines.some((line) => line.includes(`"${id}"`) && line.includes(text)));
  });

  it('without stacks, only an error that blocks a run has one', async () => {
    const { client } = await place.boot({ errors: { stack: false } });
    const { id } = await client.start(Wrong, null);
    const { blockedBy, reasonDetail } = await until('the run is blocked', async () => {
      const status = await client.getStatus(id);
      return status.reason === 'programming_error' && status;
    });
    expect(reasonDetail).toBe('TypeError: no such function');
    expect(blockedBy).toMatchObject({ name: 'TypeError', message: 'no such function' });
    expect(blockedBy!.stack).toMatch(/^at Wrong\.run .*recorded-errors\.spec\.ts/);
    expect((await client.explain(id)).text).toContain('recorded-errors.spec.ts');
    const child = await client.start(Child, null);
    await expect(child.result({ timeout: '120s' })).rejects.toMatchObject(refused());
    expect(JSON.stringify(await client.getStatus(child.id, { history: true }))).not.toContain('stack');
  });

  it('what redact hides is nowhere', async () => {
    const errors = { redact: ({ name }: { name: string }) => ({ name, message: 'hidden' }) };
    const { client, lines } = await place.boot({ errors });
    const { id } = await client.start(Run, null);
    await until('all have failed', () => seen.length === 1);
    await client.signal(go, 'on', { workflowId: id });
    await expect(client.result(id, { timeout: '120s' })).rejects.toMatchObject({ message: 'hidden' });
    const told = JSON.stringify([seen, await client.getStatus(id, { history: true }), await client.explain(id), lines]);
    expect(told).toContain('hidden');
    expect(told).not.toMatch(/fetch failed|REFUSED/);
  });
}

describe('Recorded errors [in memory]', () => cases(inMemory));
describeDatabases('Recorded errors', (backend) => cases(() => placeOn(backend)));
