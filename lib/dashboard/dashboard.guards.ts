import { type CanActivate, type ExecutionContext, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { DashboardSettings } from './dashboard-options.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import type { DashboardUser, Permission } from './permissions.js';
import { foreignness, isLocal, type ReceivedRequest, refusal, userOf } from './request-checks.js';

/** What both adapters have. */
export interface AdapterRequest extends ReceivedRequest {
  method: string;
  url: string;
  originalUrl?: string;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  durableUser?: DashboardUser;
}

/** Metadata of a handler of the API. */
export const PERMISSION = 'nest-durable:permission';

const requestOf = (context: ExecutionContext): AdapterRequest => context.switchToHttp().getRequest<AdapterRequest>();

/** Without guards of the app, nobody but this machine. */
@Injectable()
export class LoopbackGuard implements CanActivate {
  constructor(@Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.settings.guards.length > 0) return true;
    if (isLocal(requestOf(context))) return true;
    throw new ForbiddenException('The dashboard has no guards: it answers this machine alone');
  }
}

/** Refuses what another site sends with the cookies of somebody who is signed in here. */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const why = foreignness(requestOf(context));
    if (why !== undefined) throw new ForbiddenException(why);
    return true;
  }
}

/** Asks the app who it is, and whether they may. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(DASHBOARD_SETTINGS) private readonly settings: DashboardSettings,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const user = await userOf(request, this.settings);
    const needed = this.reflector.get<Permission>(PERMISSION, context.getHandler());
    const why = refusal(user, needed, this.settings);
    if (why !== undefined) throw new ForbiddenException(why);
    request.durableUser = user;
    return true;
  }
}
