import type { ServerResponse } from 'node:http';
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
import {
  DurableModule,
  type DurableModuleOptions,
  memoryBackend,
  RemoteStep,
  Worker,
  Workflow,
  type WorkflowContext,
  type WorkflowRunner,
  WorkflowSignal,
} from '../../lib/index.js';
import { DurableDashboardModule, type DashboardOptions, type DashboardUser } from '../../lib/dashboard/index.js';

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
  /** Fails until somebody mends it. */
  static broken = false;

  @RemoteStep('payments.charge', { retry: { attempts: 1 } })
  charge({ amount }: { amount: number }): string {
    if (Payments.broken) throw new Error(`the bank refused ${amount}`);
    return `paid ${amount}`;
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
  /** Headers as helmet sets them, and versions in the addresses of the app. */
  strict?: boolean;
}

/** What helmet 8 sends by default, stricter about styles. */
const STRICT = {
  'content-security-policy':
    "default-src 'none';base-uri 'none';script-src 'self';style-src 'none';upgrade-insecure-requests",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

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
    providers: [Payments, Order, Approval, Long],
  })
  class App {}
  const quiet = { logger: ['error', 'warn'] as ('error' | 'warn')[], abortOnError: false };
  const app =
    adapter === 'fastify'
      ? await NestFactory.create(App, new FastifyAdapter(), quiet)
      : await NestFactory.create(App, quiet);
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  if (options.strict) beStrict(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as import('node:http').Server).address() as import('node:net').AddressInfo;
  const path = [prefix, dashboard.path ?? 'durable'].filter((part) => part !== undefined).join('/');
  return { app, url: `http://127.0.0.1:${port}/${path}` };
}

function beStrict(app: INestApplication): void {
  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
  const adapter = app.getHttpAdapter();
  if (adapter instanceof FastifyAdapter)
    (adapter as FastifyAdapter).getInstance().addHook('onRequest', (_, reply, done) => {
      reply.headers(STRICT);
      done();
    });
  else
    app.use((_: unknown, response: ServerResponse, next: () => void) => {
      for (const [name, value] of Object.entries(STRICT)) response.setHeader(name, value);
      next();
    });
}
