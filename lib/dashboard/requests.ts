import { ConfigurationError, DurableError } from '../core/errors.js';
import {
  type DashboardRequest,
  type DashboardSettings,
  type DashboardUser,
  type Permission,
  permissionsOf,
} from './options.js';

/** What Express, Fastify and `node:http` have of a request. */
export interface ReceivedRequest extends DashboardRequest {
  method?: string | undefined;
  socket: { remoteAddress?: string | undefined };
}

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
/** As which a browser on this machine knows it: a foreign name may lead here, too. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
/** Somebody else stands behind a proxy on this machine. */
const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Whether a program on this machine asks it by one of its own names. */
export function isLocal({ socket, headers }: ReceivedRequest): boolean {
  const isProxied = PROXIED.some((name) => headers[name] !== undefined);
  return !isProxied && LOOPBACK.test(socket.remoteAddress ?? '') && LOCAL_HOST.test(String(headers['host']));
}

/** Why a request is not taken that another site may have sent with the cookies of somebody who is signed in here. */
export function foreignness({ method, headers }: ReceivedRequest): string | undefined {
  const reads = method === 'GET' || method === 'HEAD';
  // `none`: somebody typed the address, which changes nothing, but may be a look that is recorded.
  const isOfUser = reads && headers['sec-fetch-site'] === 'none';
  if (!isOfUser && !isOwn(headers)) return 'A request of another site';
  const isJson = String(headers['content-type']).startsWith('application/json');
  return reads || isJson ? undefined : 'The body must be application/json';
}

/** Browsers say where a request comes from (`Sec-Fetch-Site`, else `Origin`), programs say nothing. */
function isOwn(headers: ReceivedRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'];
  return origin === undefined || (headers['host'] !== undefined && hostOf(String(origin)) === headers['host']);
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Asks who it is. @throws ConfigurationError if nobody is named */
export async function userOf(
  request: DashboardRequest,
  { access }: Pick<DashboardSettings, 'access'>,
): Promise<DashboardUser> {
  const user = await access(request);
  if (typeof user?.actor === 'string' && user.actor !== '' && user.actor.length <= 191) return user;
  throw new ConfigurationError('`access` of DurableDashboardModule named no actor: return { actor, may }');
}

/** Why this user may not do what needs this permission. */
export function refusal(
  user: DashboardUser,
  needed: Permission,
  { payloads }: Pick<DashboardSettings, 'payloads'>,
): string | undefined {
  if ((needed === 'payloads' || needed === 'export') && payloads === 'never') return 'Payloads are not shown here';
  const may = permissionsOf(user);
  return may.includes('read') && may.includes(needed) ? undefined : `You may not: it needs "${needed}"`;
}

/** What an error is told as. */
export interface Problem {
  name: string;
  message: string;
  code?: string;
}

/** How the API answers an error of ours. */
export function statusOf(error: unknown): number {
  // Such as: the app has no outbox. Its operators may know that.
  if (error instanceof ConfigurationError) return 409;
  // A wrong duration is a TypeError that says whom it may be told.
  const { status = 500, expose } = Object(error) as { status?: number; expose?: boolean };
  return error instanceof DurableError || expose === true ? status : 500;
}

/** Whether it is no fault of the request: it is logged, and not told. */
export const isOurs = (status: number): boolean => status >= 500 && status !== 503;

export function problemOf(error: unknown, status: number): Problem {
  if (isOurs(status)) return { name: 'Error', message: "Something went wrong: the app's log says what" };
  const { name, message, code } = error as Problem;
  return { name, message, ...(code !== undefined && { code }) };
}
