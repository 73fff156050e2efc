import { asError, messageOf } from '../core/thrown.js';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Command } from 'commander';
import { InvalidArgumentError } from '../core/errors.js';
import { type DashboardSettings, type DashboardUser, type Permission, settingsOf } from '../dashboard/options.js';
import { fileReply, PAGE_HEADERS, PAGE_TYPE, PageFiles, PAGES, pageText } from '../dashboard/page.js';
import { foreignness, isLocal, isOurs, problemOf, refusal, statusOf, userOf } from '../dashboard/requests.js';
import { type Asked, Examination } from '../dashboard/route.js';
import { answer, API_VERSION, requestOf, ROUTES } from '../dashboard/routes.js';
import { DurableDoctor } from '../doctor/doctor.js';
import { withApp } from './app.js';
import { type CommandOptions, outboxTablesOf, tablesOf, untilInterrupted, withDatabase } from './database.js';
import { actorHere, databaseOperator, describe, withOutbox } from './operator-command.js';
import { type CliEnvironment, EXIT, visible } from './print.js';

export interface DashboardCommandOptions extends CommandOptions {
  namespace: string;
  app?: string;
  export?: string;
  port: string;
  write?: boolean;
  actor?: string;
}

type Served = Pick<Asked, 'operator' | 'examine'>;

/** Serves the dashboard of a database or an app on this machine, until it is interrupted. */
export async function dashboardCommand(options: DashboardCommandOptions, environment: CliEnvironment): Promise<number> {
  const port = portOf(options.port);
  const settings = conductOf(options);
  const serve = (served: Served) => untilItEnds(served, { port, settings, environment });
  const { app, url, write: writes = false } = options;
  if (app === undefined) return onDatabase(options, serve, environment);
  if (url !== undefined) throw new InvalidArgumentError('--url', 'a database', 'either it or --app');
  const at = { app, ...(options.export !== undefined && { export: options.export }) };
  return withApp(at, (found) => serve({ operator: found.operator, examine: () => found.examine() }), { writes });
}

function onDatabase(
  options: DashboardCommandOptions,
  serve: (served: Served) => Promise<number>,
  { env, interrupted }: CliEnvironment,
): Promise<number> {
  const { prefix, schema, outbox, outboxOrdering: ordering } = options;
  const published = outbox === false ? false : { ...outboxTablesOf(tablesOf(options), options).names, ordering };
  return withDatabase(
    options.url ?? env['DATABASE_URL'],
    async (executor) => {
      const { operator } = await databaseOperator(executor, options);
      const doctor = new DurableDoctor(executor, { prefix, schema, outbox: published });
      return serve({ operator, examine: () => doctor.examine() });
    },
    interrupted,
  );
}

/** Without `--write` nothing is written: a look at payloads is not recorded either. */
function conductOf({ write = false, actor }: DashboardCommandOptions): DashboardSettings {
  if (actor !== undefined && !write) throw new InvalidArgumentError('--actor', actor, 'it with --write');
  const may: DashboardUser['may'] = write ? 'all' : ['read', 'payloads', 'export', 'doctor'];
  const user = { actor: actor ?? actorHere(), may };
  return settingsOf(
    { path: '', guards: [] },
    { publicPath: '/', access: () => user, payloads: write ? 'on demand' : 'always' },
  );
}

interface Listening {
  port: number;
  settings: DashboardSettings;
  environment: CliEnvironment;
}

async function untilItEnds({ operator, examine }: Served, { port, settings, environment }: Listening): Promise<number> {
  const { out, err, interrupted } = environment;
  const examination = new Examination({ examine });
  const onError = (error: unknown) => err(visible(messageOf(error)));
  const door = new DashboardDoor();
  const asked = { examine: () => examination.report(), examined: () => examination.recent() };
  const server = dashboardServer({ operator, ...asked, settings, door, onError });
  out(door.addressAt(await listen(server, port)));
  err(`The dashboard is there until Ctrl+C${settings.payloads === 'always' ? ', and read only without --write' : ''}`);
  try {
    await untilInterrupted(new Promise<never>(() => undefined), interrupted);
    return EXIT.done;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('--port', text, 'a port from 1 to 65535, or 0 for a free one');
}

/** Adds `dashboard`. */
export function addDashboard(program: Command, environment: CliEnvironment, exit: (code: number) => void): void {
  const command = describe(
    program.command('dashboard'),
    'Show the dashboard in a browser of this machine, with what an app knows or with a database alone',
  );
  withOutbox(command)
    .option('--namespace <namespace>', 'without --app: of which app', 'default')
    .option('--app <file>', 'the compiled file of the module, such as dist/app.module.js: its database and codec')
    .option('--export <name>', 'with --app: the name of the exported module (default: AppModule)')
    .option('--port <port>', 'where it listens, on 127.0.0.1 (default: a free port)', '0')
    .option('--write', 'let it change what is stored (default: it only shows)')
    .option('--actor <name>', 'with --write: who (default: cli:<user>@<host>)')
    .action(async (options: DashboardCommandOptions) =>
      exit(await dashboardCommand({ ...options, env: environment.env }, environment)),
    );
}

/** Lets in whoever has the token: from the address that was printed, and then from a cookie. */
class DashboardDoor {
  private readonly token = randomBytes(24).toString('base64url');

  /** What is opened first. */
  addressAt(port: number): string {
    return `http://127.0.0.1:${port}/?token=${this.token}`;
  }

  /** The headers that put the token into a cookie and lead to the address without it; undefined if it has none. */
  taken(address: URL, port: number | undefined): Readonly<Record<string, string>> | undefined {
    const given = address.searchParams.getAll('token');
    if (given.length !== 1 || !this.isToken(given[0]!)) return undefined;
    const rest = new URL(address);
    rest.searchParams.delete('token');
    return {
      // A path of two slashes would be another host.
      location: `${rest.pathname.replace(/^\/+/, '/')}${rest.search}`,
      'set-cookie': `${cookieAt(port)}=${this.token}; HttpOnly; SameSite=Strict; Path=/`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    };
  }

  isOpenTo({ cookie = '' }: IncomingHttpHeaders, port: number | undefined): boolean {
    const name = `${cookieAt(port)}=`;
    const given = cookie.split('; ').find((one) => one.startsWith(name));
    return given !== undefined && this.isToken(given.slice(name.length));
  }

  private isToken(text: string): boolean {
    return timingSafeEqual(hashOf(text), hashOf(this.token));
  }
}

/** The cookies of a host are those of all its ports. */
const cookieAt = (port: number | undefined): string => `nest-durable-${port}`;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A request that is not answered. */
class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The parameters of a path such as `runs/:id`; undefined if the path is another one. @throws HttpRefusal */
function paramsIn(route: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.split('/'), path.replace(/(?<=.)\/$/, '').split('/')];
  const isIt = wanted.length === given.length && wanted.every((part, n) => part.startsWith(':') || part === given[n]);
  if (!isIt) return undefined;
  const named = wanted.flatMap((part, n) => (part.startsWith(':') ? [[part.slice(1), decoded(given[n]!)]] : []));
  return Object.fromEntries(named) as Record<string, string>;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpRefusal(400, 'The address is not encoded as one');
  }
}

/** A name that is there several times has a list, as in an app. */
function queryOf({ searchParams }: URL): Record<string, string | string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = searchParams.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** The largest body in bytes: an input of the largest size, and what stands around it. */
const MOST = 2 << 20;

/** The body as JSON; undefined without any. @throws HttpRefusal */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST) throw new HttpRefusal(413, `The body is larger than ${MOST} bytes`);
    parts.push(part);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  } catch {
    throw new HttpRefusal(400, 'The body is no JSON');
  }
}

export interface Site extends Pick<Asked, 'operator' | 'examine' | 'examined'> {
  settings: DashboardSettings;
  door: DashboardDoor;
  /** Hears of errors that a browser is not told. */
  onError: (error: unknown) => void;
}

interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
}

const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  [API_VERSION[0]]: API_VERSION[1],
};

const API = '/api/';
const ASSETS = '/assets/';
const CLOSED = 'Open the address that nest-durable dashboard has printed: it has the token';

/** The dashboard of an operator, without an app: the same routes, page and checks. Not listening yet. */
function dashboardServer(site: Site): Server {
  const files = new PageFiles();
  return createServer((request, response) => {
    void replyTo(request, site, files)
      .catch((thrown: unknown) => problem(asError(thrown), site))
      .then((reply) => send(response, reply, request.method === 'HEAD'));
  });
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply, bare: boolean): void {
  response.writeHead(status, { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) });
  response.end(bare ? undefined : body);
}

function problem(error: unknown, { onError }: Site): Reply {
  const status = error instanceof HttpRefusal ? error.status : statusOf(error);
  if (isOurs(status)) onError(error);
  return { status, headers: JSON_HEADERS, body: JSON.stringify({ error: problemOf(error, status) }) };
}

async function replyTo(request: IncomingMessage, site: Site, files: PageFiles): Promise<Reply> {
  if (!isLocal(request)) throw new HttpRefusal(403, 'The dashboard answers this machine alone');
  // Whatever the request says of its host was checked.
  const address = new URL(`http://localhost${request.url?.startsWith('/') ? request.url : '/'}`);
  const taken = site.door.taken(address, request.socket.localPort);
  if (taken && request.method === 'GET') return { status: 303, headers: taken };
  const isOpen = site.door.isOpenTo(request.headers, request.socket.localPort);
  if (!isOpen || address.searchParams.has('token')) throw new HttpRefusal(401, CLOSED);
  if (address.pathname.startsWith(API)) return apiReply(request, address, site);
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpRefusal(405, 'Only GET');
  // Browsers ask for it by themselves.
  if (address.pathname === '/favicon.ico') return { status: 204 };
  if (address.pathname.startsWith(ASSETS)) return assetReply(request, address.pathname.slice(ASSETS.length), files);
  return pageReply(request, address, site, files);
}

async function apiReply(request: IncomingMessage, address: URL, site: Site): Promise<Reply> {
  const why = foreignness(request);
  if (why !== undefined) throw new HttpRefusal(403, why);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const path = address.pathname.slice(API.length);
  for (const route of ROUTES) {
    // Metrics are those of an app.
    const isThere = route.method === method && route.type === undefined;
    const params = isThere ? paramsIn(route.path, path) : undefined;
    if (!params) continue;
    const user = await allowed(request, route.permission, site);
    const query = queryOf(address);
    const values = method === 'GET' ? query : await bodyOf(request);
    const asked = requestOf({ params, query, values, user });
    const answered = await answer(route, asked, site, site.settings);
    return { status: 200, headers: JSON_HEADERS, body: JSON.stringify(answered ?? null) };
  }
  throw new HttpRefusal(404, `There is no ${request.method} ${path}`);
}

async function allowed(request: IncomingMessage, needed: Permission, { settings }: Site) {
  const user = await userOf(request, settings);
  const why = refusal(user, needed, settings);
  if (why !== undefined) throw new HttpRefusal(403, why);
  return user;
}

function assetReply({ headers }: IncomingMessage, name: string, files: PageFiles): Reply {
  const file = files.file(name);
  if (!file) throw new HttpRefusal(404, `There is no file ${name}`);
  const reply = fileReply(name, file, headers);
  return { ...reply, headers: { ...reply.headers, 'content-type': file.type } };
}

async function pageReply(request: IncomingMessage, address: URL, site: Site, files: PageFiles): Promise<Reply> {
  const path = address.pathname.slice(1);
  if (!['', ...PAGES].some((page) => paramsIn(page, path))) throw new HttpRefusal(404, `There is no page ${path}`);
  const durableUser = await allowed(request, 'read', site);
  const body = pageText(files, { url: address.pathname, durableUser }, site.settings);
  return { status: 200, headers: { ...PAGE_HEADERS, 'content-type': PAGE_TYPE }, body };
}

/** Listens on this machine alone; 0 is a free port. Returns the port. @throws InvalidArgumentError */
function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new InvalidArgumentError('--port', port, `a port that is free (${code})`)),
    );
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
