import { asError } from '../core/thrown.js';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  Delete,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  type FactoryProvider,
  ForbiddenException,
  Get,
  HttpException,
  Inject,
  Injectable,
  Logger,
  Module,
  NotFoundException,
  type OnModuleInit,
  Post,
  SetMetadata,
  StreamableFile,
  type Type,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { stopwatch } from '../core/time.js';
import { errorLine } from '../core/wire-error.js';
import { DurableDoctor } from '../doctor/doctor.js';
import { DurableMetrics, TelemetryTap } from '../nest/metrics.js';
import { Operator } from '../operate/operator.js';
import {
  checkForRoot,
  checkForRootAsync,
  type DashboardAsyncOptions,
  type DashboardConduct,
  type DashboardMount,
  type DashboardOptions,
  type DashboardRoutes,
  type DashboardSettings,
  type DashboardUser,
  hideSecrets,
  type Permission,
  permissionsOf,
  routesOf,
  settingsOf,
  settingsOfFactory,
} from './options.js';
import { fileReply, PAGE_HEADERS, PAGE_TYPE, PageFiles, PAGES, pageText } from './page.js';
import {
  foreignness,
  isLocal,
  isOurs,
  problemOf,
  type ReceivedRequest,
  refusal,
  statusOf,
  userOf,
} from './requests.js';
import { Examination, type Route } from './route.js';
import { answer, API_VERSION, requestOf, ROUTES } from './routes.js';

const DASHBOARD_SETTINGS = Symbol('nest-durable:dashboard-settings');

/**
 * A page that shows runs, queues, processes, events and calls, and repairs them. Import it next to `DurableModule`. Guards
 * of the app protect it; the act log says what was changed through it, by whom and why.
 *
 * @example
 * DurableDashboardModule.forRoot({
 *   guards: [AdminGuard],
 *   access: ({ user }) => ({ actor: (user as { email: string }).email, may: user?.['isAdmin'] ? 'all' : 'read' }),
 * })
 */
@Module({})
export class DurableDashboardModule implements OnModuleInit {
  constructor(@Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings) {}

  onModuleInit(): void {
    const { guards, path } = this.settings;
    if (guards.length > 0) return;
    const logger = new Logger('DurableDashboard');
    logger.warn(`No guards protect /${path}: it answers requests of this machine alone`);
  }

  /** @throws InvalidArgumentError, UnknownOptionError; ConfigurationError without guards in production */
  static forRoot(options: DashboardOptions = {}): DynamicModule {
    const routes = routesIn(checkForRoot(options));
    const settings = settingsOf(routes, options);
    return definition(options, routes, { useFactory: () => settings });
  }

  /**
   * Like `forRoot`, with options that come from other providers. `path`, `guards` and `imports` are set here: routes and
   * their guards are made before the factory is called.
   *
   * @throws as forRoot; the start of the app for what the factory returns
   * @example
   * DurableDashboardModule.forRootAsync({
   *   guards: [AdminGuard],
   *   imports: [ConfigModule],
   *   inject: [ConfigService],
   *   useFactory: (config: ConfigService) => ({ publicPath: config.get('DURABLE_PUBLIC_PATH') }),
   * })
   */
  static forRootAsync(options: DashboardAsyncOptions): DynamicModule {
    const routes = routesIn(checkForRootAsync(options));
    const useFactory = options.useFactory as (...injected: unknown[]) => DashboardConduct | Promise<DashboardConduct>;
    return definition(options, routes, {
      inject: options.inject ?? [],
      useFactory: async (...injected: unknown[]) => settingsOfFactory(routes, await useFactory(...injected)),
    });
  }
}

const routesIn = (mount: DashboardMount) => routesOf(mount, process.env['NODE_ENV'] === 'production');

function definition(
  { imports = [] }: DashboardMount,
  routes: DashboardRoutes,
  settings: Pick<FactoryProvider, 'inject' | 'useFactory'>,
): DynamicModule {
  return {
    module: DurableDashboardModule,
    imports: [...imports],
    controllers: [apiController(routes), pageController(routes)],
    providers: [
      { provide: DASHBOARD_SETTINGS, ...settings },
      {
        provide: Examination,
        inject: [DurableDoctor],
        useFactory: (doctor: DurableDoctor) => new Examination(doctor),
      },
      { provide: SharedAnswers, useFactory: () => new SharedAnswers() },
      ...[PageFiles, LoopbackGuard, SameOriginGuard, AccessGuard, ApiAnswers, PageAnswers, ProblemFilter],
      ...routes.guards,
    ],
  };
}

/** What both adapters have. */
interface AdapterRequest extends ReceivedRequest {
  method: string;
  url: string;
  originalUrl?: string;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  durableUser?: DashboardUser;
}

/** Metadata of a handler of the API. */
const PERMISSION = 'nest-durable:permission';

const adapterRequest = (context: ExecutionContext): AdapterRequest =>
  context.switchToHttp().getRequest<AdapterRequest>();

/** Without guards of the app, nobody but this machine. */
@Injectable()
class LoopbackGuard implements CanActivate {
  constructor(@Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.settings.guards.length > 0) return true;
    if (isLocal(adapterRequest(context))) return true;
    throw new ForbiddenException('The dashboard has no guards: it answers this machine alone');
  }
}

/** Refuses what another site sends with the cookies of somebody who is signed in here. */
@Injectable()
class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const why = foreignness(adapterRequest(context));
    if (why !== undefined) throw new ForbiddenException(why);
    return true;
  }
}

/** Asks the app who it is, and whether they may. */
@Injectable()
class AccessGuard implements CanActivate {
  constructor(
    @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = adapterRequest(context);
    const user = await userOf(request, this.settings);
    const needed = this.reflector.get<Permission>(PERMISSION, context.getHandler());
    const why = refusal(user, needed, this.settings);
    if (why !== undefined) throw new ForbiddenException(why);
    request.durableUser = user;
    return true;
  }
}

/** Thrown when a request has been answered, so that Nest goes no further. */
class Answered extends Error {}

/** Returns errors as `{ error: { name, code, message } }`. What is not the request's fault is logged, and not told. */
@Catch()
class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('DurableDashboard');

  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(TelemetryTap) private readonly tap: TelemetryTap,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof Answered) return;
    const error = asError(thrown);
    const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
    if (isOurs(status)) this.log(error);
    const { httpAdapter } = this.host;
    const response: unknown = host.switchToHttp().getResponse();
    if (!httpAdapter.isHeadersSent(response)) httpAdapter.reply(response, { error: problemOf(error, status) }, status);
  }

  private log(error: unknown): void {
    const seen = this.tap.seen(error);
    this.logger.error(errorLine(seen), seen.stack);
  }
}

/** An answer is given to whoever asks the same so soon after it. */
const FRESH_MS = 1_000;
/** Answers that are asked for again and again take about a fiftieth of the time: each is kept so much longer than it took. */
const REST = 50;
/** However long they take: whoever looks wants to see what changes. */
const MOST_KEPT_MS = 30_000;
/** A question is slow if its last answer took longer. */
const SLOW_MS = 1_000;
/** So many slow questions of one kind are asked at once. */
const MOST_SLOW = 4;
/** So many answers are held in memory. */
const MOST_HELD = 500;

interface Shared {
  answer: Promise<unknown>;
  /** Undefined: it is under way. */
  answeredAt?: number;
  /** Until then it is given to whoever takes one that is as old. */
  keptUntil?: number;
  /** Somebody asks it again and again: others that only ask it once keep it for as long. */
  repeated: boolean;
}

interface Kind {
  underWay: number;
  lastTookMs: number;
}

/**
 * Answers that were given a moment ago: ten tabs ask the database what one asks. Who looks again and again takes older
 * ones, too, so that all who look cost little together. A question that is under way is not asked again, and of slow
 * ones, no more than four of a kind are under way.
 */
export class SharedAnswers {
  private readonly shared = new Map<string, Shared>();
  private readonly kinds = new Map<string, Kind>();

  constructor(private readonly now: () => number = () => stopwatch.now()) {}

  /**
   * An answer to this question that is not older than `maxAgeMs`, or is under way; with 0, a new one. Everything that
   * makes a difference to it belongs in `key`.
   *
   * @throws HttpException with status 429 when others of its kind are slow, and what `ask` throws
   */
  async answer<T>(
    kind: string,
    key: readonly unknown[],
    ask: () => Promise<T>,
    maxAgeMs: number = FRESH_MS,
  ): Promise<T> {
    this.dropOld();
    const name = nameOf(kind, key);
    const known = this.shared.get(name);
    if (known && this.isAtMost(known, maxAgeMs)) return known.answer as Promise<T>;
    const began = this.now();
    const repeated = maxAgeMs > FRESH_MS || known?.repeated === true;
    const asked: Shared = { answer: this.ask(kind, ask), repeated };
    this.hold(name, asked);
    try {
      const answer = (await asked.answer) as T;
      asked.answeredAt = this.now();
      asked.keptUntil = asked.answeredAt + (repeated ? this.keptMs(asked.answeredAt - began) : FRESH_MS);
      return answer;
    } catch (error) {
      if (this.shared.get(name) === asked) this.putBack(name, known);
      throw error;
    }
  }

  /** In how many ms an answer to this question is another one than now. */
  restMs(kind: string, key: readonly unknown[]): number {
    const until = this.shared.get(nameOf(kind, key))?.keptUntil ?? 0;
    return Math.max(0, Math.ceil(until - this.now()));
  }

  /** Something has changed: whoever asks from now on does not get an older answer. */
  forget(): void {
    this.shared.clear();
  }

  private async ask<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const kind = this.kinds.get(name) ?? { underWay: 0, lastTookMs: 0 };
    this.kinds.set(name, kind);
    if (kind.lastTookMs > SLOW_MS && kind.underWay >= MOST_SLOW)
      throw new HttpException('The database has much to do: ask again in some seconds', 429);
    kind.underWay++;
    const began = this.now();
    try {
      return await ask();
    } finally {
      kind.underWay--;
      kind.lastTookMs = this.now() - began;
    }
  }

  private isAtMost({ answeredAt, keptUntil = 0 }: Shared, maxAgeMs: number): boolean {
    const now = this.now();
    if (maxAgeMs <= 0) return false;
    return answeredAt === undefined || (now <= keptUntil && now - answeredAt <= maxAgeMs);
  }

  private keptMs(tookMs: number): number {
    let count = 0;
    for (const { repeated } of this.shared.values()) if (repeated) count++;
    return Math.max(FRESH_MS, Math.min(MOST_KEPT_MS, tookMs * REST * count));
  }

  private hold(name: string, asked: Shared): void {
    this.shared.delete(name);
    this.shared.set(name, asked);
    const [oldest] = this.shared.keys();
    if (this.shared.size > MOST_HELD) this.shared.delete(oldest!);
  }

  /** While the database does not answer, whoever looks again gets what is kept. */
  private putBack(name: string, known: Shared | undefined): void {
    if (known?.keptUntil !== undefined && this.now() <= known.keptUntil) this.shared.set(name, known);
    else this.shared.delete(name);
  }

  /** Questions that are asked again and again count for a while longer, so that all do when many expire together. */
  private dropOld(): void {
    const now = this.now();
    for (const [name, { keptUntil, repeated }] of this.shared)
      if (keptUntil !== undefined && keptUntil + (repeated ? MOST_KEPT_MS : 0) < now) this.shared.delete(name);
  }
}

const nameOf = (kind: string, key: readonly unknown[]): string => JSON.stringify([kind, ...key]);

const METHODS = { GET: Get, POST: Post, DELETE: Delete } as const;

/** Metadata of a handler of the API: its route. */
const ROUTE = 'nest-durable:route';

/**
 * The routes as a controller. Its last guard answers: what the app has for all requests comes after guards, so no
 * interceptor and no pipe can change, delay or prevent an answer, and the filter of the class is asked before any other.
 */
function apiController({ path, guards }: DashboardRoutes): Type<unknown> {
  @Controller({ path: `${path}/api`, version: VERSION_NEUTRAL })
  @UseGuards(...guards, LoopbackGuard, SameOriginGuard, AccessGuard, ApiAnswers)
  @UseFilters(ProblemFilter)
  class DurableDashboardApi {}
  for (const route of ROUTES) addRoute(DurableDashboardApi, route);
  return DurableDashboardApi;
}

/** Tells the page in how many ms there will be another answer: it asks no sooner. */
const REST_HEADER = 'durable-rest-ms';

/** Looks at payloads are recorded one by one, the doctor shares its reports itself, and metrics are those of the moment. */
const isShared = ({ method, permission, type }: Route): boolean =>
  method === 'GET' && permission === 'read' && type === undefined;

/** What makes answers to the same question differ. Functions of the app may know who asks. */
function sightOf({ durableUser }: AdapterRequest, { redact, links }: DashboardSettings): unknown[] {
  const isSame = redact === hideSecrets && links.length === 0;
  return [permissionsOf(durableUser!), isSame ? null : durableUser!.actor];
}

/** How old an answer may be, in ms. Undefined if the header does not say it. */
function maxAgeOf(cacheControl: string): number | undefined {
  if (/no-cache|no-store/.test(cacheControl)) return 0;
  const [, seconds] = /max-age=(\d+)/.exec(cacheControl) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

interface TimedAnswer {
  answer: unknown;
  /** In how many ms there will be another one. */
  restMs: number;
}

@Injectable()
class ApiAnswers implements CanActivate {
  constructor(
    @Inject(Operator) private readonly operator: Operator,
    @Inject(Examination) private readonly examination: Examination,
    @Inject(DurableMetrics) private readonly metrics: DurableMetrics,
    @Inject(SharedAnswers) private readonly shared: SharedAnswers,
    @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<never> {
    const response = context.switchToHttp().getResponse<AdapterReply>();
    const route = this.reflector.get<Route>(ROUTE, context.getHandler());
    send(response, { 'cache-control': 'no-store', ...Object.fromEntries([API_VERSION]) });
    const { answer: told, restMs } = await this.answerTo(route, adapterRequest(context));
    if (route.type !== undefined) send(response, { 'content-type': route.type });
    if (restMs > 0) send(response, { [REST_HEADER]: String(restMs) });
    this.host.httpAdapter.reply(response, told, 200);
    throw new Answered();
  }

  private async answerTo(route: Route, request: AdapterRequest): Promise<TimedAnswer> {
    const { operator, examination, metrics, shared, settings } = this;
    const served = {
      operator,
      examine: () => examination.report(),
      examined: () => examination.recent(),
      metrics: () => metrics.text(),
    };
    const { method, params, query, body, durableUser } = request;
    const values = method === 'GET' || method === 'HEAD' ? query : body;
    const asked = requestOf({ params, query, values, user: durableUser! });
    const ask = () => answer(route, asked, served, settings);
    if (route.method !== 'GET') return { answer: await ask().finally(() => shared.forget()), restMs: 0 };
    if (!isShared(route)) return { answer: await ask(), restMs: 0 };
    const key = [asked.params, asked.values, sightOf(request, settings)];
    const maxAgeMs = maxAgeOf(String(request.headers['cache-control'] ?? '').toLowerCase());
    return { answer: await shared.answer(route.path, key, ask, maxAgeMs), restMs: shared.restMs(route.path, key) };
  }
}

const unreached = (): void => undefined;

function addRoute({ prototype }: Type<unknown>, route: Route): void {
  const name = `${route.method} ${route.path}`;
  const descriptor = { value: () => unreached(), writable: true, configurable: true };
  const target = prototype as object;
  Object.defineProperty(target, name, descriptor);
  const decorators = [
    METHODS[route.method](route.path),
    SetMetadata(PERMISSION, route.permission),
    SetMetadata(ROUTE, route),
  ];
  for (const decorate of decorators) decorate(target, name, descriptor);
}

/** Express has the one, Fastify the other. */
interface AdapterReply {
  header?(name: string, value: string): unknown;
  setHeader?(name: string, value: string): unknown;
}

const send = (reply: AdapterReply, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers))
    if (reply.header) reply.header(name, value);
    else reply.setHeader?.(name, value);
};

/** The page and its files, behind the same guards as the API, and answered in the same way. */
function pageController({ path, guards }: DashboardRoutes): Type<unknown> {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...guards, LoopbackGuard, AccessGuard, PageAnswers)
  @UseFilters(ProblemFilter)
  class DurableDashboardPage {
    @Get('assets/:name')
    @SetMetadata(PERMISSION, 'read')
    file(): void {}

    @Get(['', ...PAGES])
    @SetMetadata(PERMISSION, 'read')
    page(): void {}
  }
  return DurableDashboardPage;
}

@Injectable()
class PageAnswers implements CanActivate {
  constructor(
    @Inject(PageFiles) private readonly files: PageFiles,
    @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  canActivate(context: ExecutionContext): never {
    const reply = context.switchToHttp().getResponse<AdapterReply>();
    const request = adapterRequest(context);
    if (context.getHandler().name === 'file') this.sendFile(request, reply);
    else this.sendPage(request, reply);
    throw new Answered();
  }

  private sendFile({ params, headers }: AdapterRequest, reply: AdapterReply): void {
    const { name = '' } = params;
    const file = this.files.file(name);
    if (!file) throw new NotFoundException('There is no such file');
    const { status, body, headers: told } = fileReply(name, file, headers);
    send(reply, told);
    this.host.httpAdapter.reply(reply, body && new StreamableFile(body, { type: file.type }), status);
  }

  private sendPage(request: AdapterRequest, reply: AdapterReply): void {
    send(reply, PAGE_HEADERS);
    const text = pageText(this.files, request, this.settings);
    this.host.httpAdapter.reply(reply, new StreamableFile(Buffer.from(text), { type: PAGE_TYPE }), 200);
  }
}
