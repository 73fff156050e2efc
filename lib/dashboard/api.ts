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

/** What a request brings: `values` is the query of a GET, else the body. */
export interface ApiRequest {
  params: Readonly<Record<string, string>>;
  values: unknown;
  user: DashboardUser;
}

/** Does what a request asks for whose sender may ask it. @throws InvalidArgumentError, and what the route throws */
export async function answer(
  route: Route,
  { params, values, user }: ApiRequest,
  { operator, examine }: Pick<Asked, 'operator' | 'examine'>,
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
