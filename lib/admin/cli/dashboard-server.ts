import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answer, API_VERSION, requestOf, ROUTES } from '../../dashboard/api.js';
import type { DashboardSettings } from '../../dashboard/dashboard-options.js';
import { PageFiles } from '../../dashboard/page-files.js';
import { fileReply, PAGE_HEADERS, PAGE_TYPE, PAGES, pageText } from '../../dashboard/page-reply.js';
import type { Permission } from '../../dashboard/permissions.js';
import { isOurs, problemOf, statusOf } from '../../dashboard/problem.js';
import { foreignness, isLocal, refusal, userOf } from '../../dashboard/request-checks.js';
import type { Asked } from '../../dashboard/route.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { DashboardDoor } from './dashboard-door.js';
import { bodyOf, HttpRefusal, paramsIn, queryOf } from './dashboard-request.js';

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
export function dashboardServer(site: Site): Server {
  const files = new PageFiles();
  return createServer((request, response) => {
    void replyTo(request, site, files)
      .catch((error: unknown) => problem(error, site))
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
export function listen(server: Server, port: number): Promise<number> {
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
