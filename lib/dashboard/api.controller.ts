import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Post,
  Req,
  Res,
  SetMetadata,
  type Type,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DurableMetrics } from '../module/durable-metrics.js';
import { Operator } from '../operator/operator.js';
import { answer, API_VERSION, requestOf, ROUTES } from './api.js';
import type { DashboardRoutes, DashboardSettings } from './dashboard-options.js';
import { DASHBOARD_SETTINGS } from './dashboard.tokens.js';
import { AccessGuard, type AdapterRequest, LoopbackGuard, PERMISSION, SameOriginGuard } from './dashboard.guards.js';
import { ProblemFilter } from './problem.filter.js';
import { Examination } from './examination.js';
import { permissionsOf } from './permissions.js';
import type { Route } from './route.js';
import { SharedAnswers } from './shared-answers.js';
import { hideSecrets } from './sight.js';

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
      @Inject(DurableMetrics) readonly metrics: DurableMetrics,
      @Inject(SharedAnswers) readonly shared: SharedAnswers,
      @Inject(DASHBOARD_SETTINGS) readonly settings: DashboardSettings,
      @Inject(ProblemFilter) readonly problems: ProblemFilter,
      @Inject(HttpAdapterHost) readonly host: HttpAdapterHost,
    ) {}
  }
  for (const route of ROUTES) addRoute(DurableDashboardApi, route);
  return DurableDashboardApi;
}

/** Tells the page in how many ms there will be another answer: it asks no sooner. */
const REST_HEADER = 'durable-rest-ms';

interface Api {
  operator: Operator;
  examination: Examination;
  metrics: DurableMetrics;
  shared: SharedAnswers;
  settings: DashboardSettings;
  problems: ProblemFilter;
  host: HttpAdapterHost;
}

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

interface Answered {
  answer: unknown;
  /** In how many ms there will be another one. */
  restMs: number;
}

async function answered(api: Api, route: Route, request: AdapterRequest): Promise<Answered> {
  const { operator, examination, metrics, shared, settings } = api;
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

function addRoute(controller: Type<Api>, route: Route): void {
  const name = `${route.method} ${route.path}`;
  // It replies itself: interceptors of the app may wrap what handlers return, and what they throw.
  const handler = async function (this: Api, request: AdapterRequest, response: unknown): Promise<void> {
    try {
      const { answer: told, restMs } = await answered(this, route, request);
      const { httpAdapter } = this.host;
      // An interceptor may have lost patience.
      if (httpAdapter.isHeadersSent(response)) return;
      if (restMs > 0) httpAdapter.setHeader(response, REST_HEADER, String(restMs));
      httpAdapter.reply(response, told, 200);
    } catch (error) {
      this.problems.reply(response, error);
    }
  };
  const descriptor = { value: handler, writable: true, configurable: true };
  const target = controller.prototype as object;
  Object.defineProperty(target, name, descriptor);
  const decorators = [
    METHODS[route.method](route.path),
    HttpCode(200),
    Header('cache-control', 'no-store'),
    Header(...API_VERSION),
    SetMetadata(PERMISSION, route.permission),
    ...(route.type === undefined ? [] : [Header('content-type', route.type)]),
  ];
  for (const decorate of decorators) decorate(target, name, descriptor);
  Req()(target, name, 0);
  Res()(target, name, 1);
}
