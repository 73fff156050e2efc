import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Post,
  Req,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { Operator } from '../operator/operator.js';
import { answer, ROUTES } from './api.js';
import type { DashboardRoutes, DashboardSettings } from './dashboard-options.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { AccessGuard, type AdapterRequest, LoopbackGuard, PERMISSION, SameOriginGuard } from './dashboard.guards.js';
import { ProblemFilter } from './problem.filter.js';
import { Examination } from './examination.js';
import type { Route } from './route.js';

const METHODS = { GET: Get, POST: Post, DELETE: Delete } as const;

/** The routes as a controller: guards, filters and interceptors of the app apply to them as to its own. */
export function apiController({ path, guards }: DashboardRoutes): Type<unknown> {
  @Controller({ path: `${path}/api`, version: VERSION_NEUTRAL })
  @UseGuards(...guards, LoopbackGuard, SameOriginGuard, AccessGuard)
  @UseFilters(ProblemFilter)
  class DurableDashboardApi {
    constructor(
      @Inject(Operator) readonly operator: Operator,
      @Inject(Examination) readonly examination: Examination,
      @Inject(DASHBOARD_SETTINGS) readonly settings: DashboardSettings,
    ) {}
  }
  for (const route of ROUTES) addRoute(DurableDashboardApi, route);
  return DurableDashboardApi;
}

interface Api {
  operator: Operator;
  examination: Examination;
  settings: DashboardSettings;
}

function addRoute(controller: Type<Api>, route: Route): void {
  const name = `${route.method} ${route.path}`;
  const handler = function (this: Api, request: AdapterRequest): Promise<unknown> {
    const { method, params, query, body, durableUser } = request;
    const values = method === 'GET' || method === 'HEAD' ? query : body;
    const { operator, examination, settings } = this;
    const served = { operator, examine: () => examination.report() };
    return answer(route, { params, values, user: durableUser! }, served, settings);
  };
  const descriptor = { value: handler, writable: true, configurable: true };
  const target = controller.prototype as object;
  Object.defineProperty(target, name, descriptor);
  const decorators = [
    METHODS[route.method](route.path),
    HttpCode(200),
    Header('cache-control', 'no-store'),
    SetMetadata(PERMISSION, route.permission),
  ];
  for (const decorate of decorators) decorate(target, name, descriptor);
  Req()(target, name, 0);
}
