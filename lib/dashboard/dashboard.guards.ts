import { type CanActivate, type ExecutionContext, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ConfigurationError } from '../errors/setup-errors.js';
import { type DashboardRequest, type DashboardSettings } from './dashboard-options.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { type DashboardUser, type Permission, permissionsOf } from './permissions.js';

/** What both adapters have. */
export interface AdapterRequest extends DashboardRequest {
  method: string;
  url: string;
  originalUrl?: string;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  socket: { remoteAddress?: string };
  durableUser?: DashboardUser;
}

/** Metadata of a handler of the API. */
export const PERMISSION = 'nest-durable:permission';

const requestOf = (context: ExecutionContext): AdapterRequest => context.switchToHttp().getRequest<AdapterRequest>();

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
/** As which a browser on this machine knows it: a foreign name may lead here, too. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
/** Somebody else stands behind a proxy on this machine. */
const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/** Without guards of the app, nobody but this machine. */
@Injectable()
export class LoopbackGuard implements CanActivate {
  constructor(@Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.settings.guards.length > 0) return true;
    const { socket, headers } = requestOf(context);
    const isProxied = PROXIED.some((name) => headers[name] !== undefined);
    const isLocal = LOOPBACK.test(socket.remoteAddress ?? '') && LOCAL_HOST.test(String(headers['host']));
    if (isLocal && !isProxied) return true;
    throw new ForbiddenException('The dashboard has no guards: it answers this machine alone');
  }
}

/** Refuses what another site sends with the cookies of somebody who is signed in here. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = requestOf(context);
    const reads = method === 'GET' || method === 'HEAD';
    // `none`: somebody typed the address, which changes nothing, but may be a look that is recorded.
    const isOfUser = reads && headers['sec-fetch-site'] === 'none';
    if (!isOfUser && !isOwn(headers)) throw new ForbiddenException('A request of another site');
    if (reads) return true;
    if (!String(headers['content-type']).startsWith('application/json'))
      throw new ForbiddenException('The body must be application/json');
    return true;
  }
}

/** Browsers say where a request comes from (`Sec-Fetch-Site`, else `Origin`), programs say nothing. */
function isOwn(headers: AdapterRequest['headers']): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'];
  return origin === undefined || (headers['host'] !== undefined && hostOf(String(origin)) === headers['host']);
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Asks the app who it is, and whether they may. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const user = await this.settings.access(request);
    if (typeof user?.actor !== 'string' || user.actor === '' || user.actor.length > 191)
      throw new ConfigurationError('`access` of DurableDashboardModule named no actor: return { actor, may }');
    const needed = this.reflector.get<Permission>(PERMISSION, context.getHandler());
    const may = permissionsOf(user);
    const isOff = (needed === 'payloads' || needed === 'export') && this.settings.payloads === 'never';
    if (!may.includes('read') || !may.includes(needed) || isOff)
      throw new ForbiddenException(isOff ? 'Payloads are not shown here' : `You may not: it needs "${needed}"`);
    request.durableUser = user;
    return true;
  }
}
