import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { DashboardSettings } from './dashboard-options.js';
import { fleetRoutes } from './fleet-routes.js';
import { Given } from './given.js';
import { outgoingRoutes } from './outgoing-routes.js';
import type { DashboardUser } from './permissions.js';
import type { Asked, Route } from './route.js';
import { runRoutes } from './run-routes.js';
import { shown } from './sight.js';

/** Every address of the API. */
export const ROUTES: readonly Route[] = [...runRoutes, ...fleetRoutes, ...outgoingRoutes];

/** A header of every answer: which version of the API that is. */
export const API_VERSION = ['durable-api', '1'] as const;

/** What a request brings: `values` is the query of a GET, else the body. */
export interface ApiRequest {
  params: Readonly<Record<string, string>>;
  values: unknown;
  user: DashboardUser;
}

/** In the place of an id that is in the query: routers limit the length of a part of a path, and proxies what is in it. */
const ELSEWHERE = '~';

interface Received extends ApiRequest {
  /** Also of a request with a body. */
  query: unknown;
}

/** What a request brings, its id in the parameters wherever it was. @throws InvalidArgumentError */
export function requestOf({ params, query, values, user }: Received): ApiRequest {
  const { id, ...rest } = (query ?? {}) as Record<string, unknown>;
  if (params['id'] !== ELSEWHERE || id === undefined) return { params, values, user };
  if (typeof id !== 'string') throw new InvalidArgumentError('the query: id', id, 'one id');
  return { params: { ...params, id }, values: values === query ? rest : values, user };
}

/** Does what a request asks for whose sender may ask it. @throws InvalidArgumentError, and what the route throws */
export async function answer(
  route: Route,
  { params, values, user }: ApiRequest,
  { operator, examine, examined, metrics }: Pick<Asked, 'operator' | 'examine' | 'examined' | 'metrics'>,
  { redact, links, payloads }: Pick<DashboardSettings, 'redact' | 'links' | 'payloads'>,
): Promise<unknown> {
  const writes = route.method !== 'GET';
  const what = writes ? 'the body' : 'the query';
  if (writes && (typeof values !== 'object' || values === null)) throw new InvalidArgumentError(what, values, 'JSON');
  const given = Given.of(values, writes ? [...route.known, 'reason'] : route.known, what);
  const reason = writes ? given.needed('reason', given.text('reason'), 'why, for the act log') : '';
  return route.answer({
    operator,
    examine,
    examined,
    metrics,
    params,
    given,
    by: { actor: user.actor, reason },
    looker: payloads === 'on demand' ? user.actor : undefined,
    linksOf: (run) =>
      links.flatMap(({ title, href }) => {
        const to = href(run);
        return to === undefined ? [] : [{ title, href: to }];
      }),
    show: (payload, origin) => shown(payload, origin, redact),
  });
}
