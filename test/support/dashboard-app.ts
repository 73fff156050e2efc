import fastifyHelmet from '@fastify/helmet';
import {
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
  VersioningType,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import helmet from 'helmet';
import {
  DurableModule,
  type DurableModuleOptions,
  memoryBackend,
  RemoteStep,
  RetryAfterError,
  Worker,
  Workflow,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSignal,
} from '../../lib/index.js';
import { DurableDashboardModule, type DashboardOptions, type DashboardUser } from '../../lib/dashboard/index.js';
import { FILL, fillDashboard } from './dashboard-fill.js';

/** The name in the header is who asks: `ada` may do everything, `bob` only look, others have no business here. */
const MAY: Readonly<Record<string, DashboardUser['may']>> = {
  ada: 'all',
  bob: 'read',
  cem: ['read', 'payloads'],
  dora: [],
};

@Injectable()
export class NamedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: { name: string } }>();
    const cookie = /(?:^|; )user=(\w+)/.exec(request.headers['cookie'] ?? '')?.[1];
    const name = request.headers['x-user'] ?? cookie;
    if (name === undefined || !Object.hasOwn(MAY, name)) return false;
    request.user = { name };
    return true;
  }
}

export const APPROVED = new WorkflowSignal<string>('approved');

@Worker({ group: 'payments' })
export class Payments {
  /** Fails until somebody mends it; refunds have to wait for an hour. */
  static broken = false;

  @RemoteStep('payments.charge', { retry: { attempts: 1 } })
  charge({ amount }: { amount: number }): string {
    if (amount < 0) throw new RetryAfterError('1h');
    if (Payments.broken) throw new Error(`the bank refused ${amount}`);
    return `paid ${amount}`;
  }

  @RemoteStep('payments.settle', { rateLimit: { max: 1, duration: '1h' } })
  settle(): string {
    return 'settled';
  }
}

/** Notes the time, and then a step that waits for its limit if it was made within the last hour. */
@Workflow('settlement')
export class Settlement implements WorkflowRunner<undefined, string> {
  async run(ctx: WorkflowContext): Promise<string> {
    ctx.now();
    return ctx.remote(Payments).settle();
  }
}

@Workflow('order')
export class Order implements WorkflowRunner<{ amount: number; card?: string }, string> {
  async run(ctx: WorkflowContext, input: { amount: number; card?: string }): Promise<string> {
    return ctx.remote(Payments, { onExhausted: 'block' }).charge(input);
  }
}

@Workflow('approval')
export class Approval implements WorkflowRunner<undefined, unknown> {
  run(ctx: WorkflowContext): Promise<unknown> {
    return ctx.waitForSignal('approval', APPROVED);
  }
}

@Workflow('long')
export class Long implements WorkflowRunner<number, number> {
  async run(ctx: WorkflowContext, steps: number): Promise<number> {
    for (let n = 0; n < steps; n++) await ctx.step(`step-${n}`, () => n);
    return steps;
  }
}

/** Charges twice. Once its code is `changed`, it sleeps in between, which its older histories do not have. */
@Workflow('twice')
export class Twice implements WorkflowRunner<undefined, string> {
  static changed = false;

  async run(ctx: WorkflowContext): Promise<string> {
    await ctx.remote(Payments).charge({ amount: 1 });
    if (Twice.changed) await ctx.sleep('think', '1s');
    return ctx.remote(Payments).charge({ amount: 2 });
  }
}

/** Waits for a child, which waits for an approval. */
@Workflow('parent')
export class Parent implements WorkflowRunner<undefined, unknown> {
  async run(ctx: WorkflowContext): Promise<unknown> {
    await ctx.publish('tell', { channel: 'parents', name: 'begun', data: {} });
    return ctx.executeChild(Approval, undefined, { id: 'parent-child' });
  }
}

export interface DashboardApp {
  app: INestApplication;
  /** Of the dashboard, without a slash at its end. */
  url: string;
}

export interface DashboardAppOptions {
  adapter?: 'express' | 'fastify';
  prefix?: string;
  dashboard?: DashboardOptions;
  /** The module instead of the one with `dashboard`. */
  module?: DynamicModule;
  /** Of the durable module; default: all in memory. */
  durable?: DurableModuleOptions;
  /** The headers of helmet, and versions in the addresses of the app. */
  strict?: boolean;
  /** Something of everything that a view can show. */
  filled?: boolean;
  /** Before the app listens. */
  prepare?: (app: INestApplication) => void;
}

/** An app with a dashboard, listening on a free port. */
export async function dashboardApp(options: DashboardAppOptions = {}): Promise<DashboardApp> {
  const { adapter = 'express', prefix, dashboard = {}, durable = { backend: memoryBackend() } } = options;
  const access: DashboardOptions['access'] = ({ user }) => {
    const actor = String(user?.['name']);
    return { actor, may: MAY[actor] ?? [] };
  };
  @Module({
    imports: [
      DurableModule.forRoot(durable),
      options.module ?? DurableDashboardModule.forRoot({ guards: [NamedGuard], access, ...dashboard }),
    ],
    providers: [Payments, Order, Approval, Long, Parent, Settlement, Twice, ...(options.filled ? FILL : [])],
  })
  class App {}
  const quiet = { logger: ['error', 'warn'] as ('error' | 'warn')[], abortOnError: false };
  const app =
    adapter === 'fastify'
      ? await NestFactory.create(App, new FastifyAdapter(), quiet)
      : await NestFactory.create(App, quiet);
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  if (options.strict) await beStrict(app);
  options.prepare?.(app);
  await app.listen(0, '127.0.0.1');
  if (options.filled) await fillDashboard(app);
  const { port } = (app.getHttpServer() as import('node:http').Server).address() as import('node:net').AddressInfo;
  const path = [prefix, dashboard.path ?? 'durable'].filter((part) => part !== undefined).join('/');
  return { app, url: `http://127.0.0.1:${port}/${path}` };
}

/** As apps use helmet, and stricter about styles than it is by default. */
async function beStrict(app: INestApplication): Promise<void> {
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
  const contentSecurityPolicy = { directives: { styleSrc: ["'none'"], baseUri: ["'none'"] } };
  const adapter: unknown = app.getHttpAdapter();
  if (adapter instanceof FastifyAdapter) await adapter.register(fastifyHelmet as never, { contentSecurityPolicy });
  else app.use(helmet({ contentSecurityPolicy }));
}
