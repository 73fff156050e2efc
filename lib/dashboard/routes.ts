import { ACT_KINDS } from '../acts/acts.js';
import { HOLD_KINDS } from '../acts/holds.js';
import { InvalidArgumentError } from '../core/errors.js';
import { PROMETHEUS_TYPE } from '../core/metrics.js';
import { defined } from '../core/options.js';
import type { Duration } from '../core/time.js';
import type { BulkFilter } from '../engine/client/bulk.js';
import type { HoldTarget, StepResolution } from '../engine/client/operator-client.js';
import type { PlanChanges, WorkflowSchedule } from '../engine/client/schedules.js';
import type { WaitsFor } from '../engine/insight.js';
import { attributesOf, attributeTextsIn } from '../engine/listing.js';
import type { RunReason, RunStatus } from '../engine/run.js';
import type { ScheduleOptions } from '../engine/schedules.js';
import type { StepKind, StepStatus } from '../engine/step.js';
import { TASK_STATUSES } from '../worker/waiting-tasks.js';
import {
  type DashboardSettings,
  type DashboardUser,
  listedStepOf,
  rowOf,
  type Show,
  shown,
  stepRowOf,
  storyRowOf,
} from './options.js';
import { type Asked, get, Given, post, type Route } from './route.js';

const FILTER = [
  ...['idPrefix', 'status', 'reason', 'blocked', 'waitsFor', 'workflow', 'version', 'attribute'],
  ...['createdAfter', 'createdBefore', 'endedAfter', 'endedBefore', 'parent', 'schedule'],
] as const;
const STEPS_OF_A_PAGE = 200;
const MOST_STEPS = 1_000;

/** `attribute` is `name=value`, or with `<`, `<=`, `>` or `>=`, several with commas or as several parameters. */
const filterOf = (given: Given) =>
  defined({
    idPrefix: given.text('idPrefix'),
    status: given.list('status') as RunStatus[] | undefined,
    reason: given.list('reason') as RunReason[] | undefined,
    blocked: given.flag('blocked'),
    waitsFor: given.list('waitsFor') as WaitsFor[] | undefined,
    workflow: given.text('workflow'),
    version: given.number('version'),
    attributes: filtersIn(given.repeated('attribute')?.flatMap(attributeTextsIn)),
    createdAfter: given.date('createdAfter'),
    createdBefore: given.date('createdBefore'),
    endedAfter: given.date('endedAfter'),
    endedBefore: given.date('endedBefore'),
    parent: given.text('parent'),
    schedule: given.text('schedule'),
  });

const STEP_FILTER = ['step', 'stepKind', 'stepStatus', 'worker', 'olderThan', 'youngerThan'] as const;

const stepFilterOf = (given: Given) =>
  defined({
    step: given.text('step'),
    kind: given.list('stepKind') as StepKind[] | undefined,
    status: given.list('stepStatus') as StepStatus[] | undefined,
    worker: given.text('worker'),
    olderThan: given.text('olderThan') as Duration | undefined,
    youngerThan: given.text('youngerThan') as Duration | undefined,
  });

const filtersIn = (texts: string[] | undefined) => texts && attributesOf(texts);

const page = (given: Given, most: number) =>
  defined({ cursor: given.text('cursor'), limit: Math.max(1, Math.min(given.number('limit') ?? 50, most)) });

const idOf = ({ params }: Asked): string => params['id'] ?? '';

async function steps({ operator, params, given, show }: Asked): Promise<unknown> {
  const id = params['id'] ?? '';
  const limit = Math.max(1, Math.min(given.number('limit') ?? STEPS_OF_A_PAGE, MOST_STEPS));
  const from = defined({ after: given.number('after'), mark: given.text('mark') });
  const { workflow, steps: facts, ...page } = await operator.runs.steps(id, { ...from, limit });
  return { steps: facts.map((step) => stepRowOf(step, { workflow, runId: id }, show)), ...page };
}

/** Its texts quote errors, which are shown as errors are. */
async function why(asked: Asked): Promise<unknown> {
  const told = await asked.operator.runs.why(idOf(asked));
  const seen = (text: string) => String(asked.show(text, { kind: 'error', runId: told.id }));
  return {
    ...told,
    text: seen(told.text),
    blocked: told.blocked === null ? null : seen(told.blocked),
    waitingFor: told.waitingFor.map((one) => ({
      ...one,
      text: seen(one.text),
      ...('error' in one && { error: seen(one.error) }),
    })),
  };
}

/** What the run, or its step at `seq`, was given and what came of it. */
async function payloads({ operator, params, given, looker, show }: Asked): Promise<unknown> {
  const id = params['id'] ?? '';
  const seq = given.number('seq');
  const look = defined({ actor: looker });
  if (seq === undefined) {
    const { workflow, input, output, error } = await operator.runs.payloads(id, look);
    const origin = { workflow, runId: id };
    return {
      input: show(input, { ...origin, kind: 'input' }),
      output: show(output, { ...origin, kind: 'output' }),
      error: show(error, { ...origin, kind: 'error' }),
    };
  }
  const inputs = given.oneOf('inputs', ['replay']);
  const step = await operator.runs.payloads(id, { ...look, seq, ...defined({ inputs }) });
  const origin = { workflow: step.workflow, runId: id, step: step.step };
  return {
    ...(step.input !== undefined && { input: show(step.input, { ...origin, kind: 'input' }) }),
    output: show(step.output, { ...origin, kind: 'output' }),
    error: show(step.error, { ...origin, kind: 'error' }),
    attempts: step.attempts.map(({ attempt, error }) => ({
      attempt,
      error: show(error, { ...origin, kind: 'error' }),
    })),
    logs: step.logs.map((line) => ({
      ...line,
      message: show(line.message, { ...origin, kind: 'logs' }),
      fields: show(line.fields, { ...origin, kind: 'logs' }),
    })),
    recomputed: step.recomputed,
    ...(step.replayed && {
      replayed: { ...step.replayed, detail: show(step.replayed.detail, { ...origin, kind: 'error' }) },
    }),
  };
}

/** The times of two runs and their differences, in payloads as this user may see them. */
const compare = ({ operator, params, given, looker, show }: Asked): Promise<unknown> =>
  operator.runs.compare(params['id'] ?? '', given.needed('with', given.text('with'), 'the id of the other run'), {
    ...defined({ actor: looker }),
    see: show,
  });

const BULKS = ['cancel', 'terminate', 'retry', 'delete', 'signal'] as const;

/** Whoever may export gets the payloads as they are: a history that was changed no longer replays. */
const exportRun = (asked: Asked): Promise<unknown> => {
  const { operator, given, looker } = asked;
  const how = { as: given.oneOf('as', ['json', 'test']), runner: given.oneOf('runner', ['jest', 'vitest', 'node']) };
  const names = { module: given.text('module'), export: given.text('export'), actor: looker };
  return operator.runs.export(idOf(asked), defined({ ...how, ...names }));
};

const knownIn = (action: (typeof BULKS)[number]) => [
  ...['filter', 'ids', 'dryRun', 'cursor', 'limit'],
  ...(action === 'signal' ? ['name', 'payload'] : []),
];

const bulkRoute = (action: (typeof BULKS)[number]): Route =>
  post(`bulk/${action}`, action, knownIn(action), ({ operator, given, by }) => {
    const ids = given.texts('ids');
    const filter = ids ? { ids } : (filterOf(Given.of(given.raw('filter'), FILTER, 'filter')) as BulkFilter);
    const progress = defined({
      dryRun: given.flag('dryRun'),
      cursor: given.text('cursor'),
      limit: given.number('limit'),
    });
    const signal = action === 'signal' && {
      signal: { name: nameOf(given), payload: given.raw('payload') },
    };
    return operator.runs.bulk(action, filter, { ...by, ...progress, ...signal });
  });

const runRoutes: readonly Route[] = [
  get('runs', [...FILTER, 'order', 'cursor', 'limit'], async ({ operator, given, show }) => {
    const order = defined({ order: given.oneOf('order', ['newest', 'oldest', 'ended']) });
    const asked = { ...filterOf(given), ...order, ...page(given, 200), payloads: false };
    const { runs, cursor, lookedAt } = await operator.runs.list(asked);
    return { runs: runs.map((run) => rowOf(run, show)), lookedAt, ...(cursor !== undefined && { cursor }) };
  }),
  get('runs/counts', FILTER, ({ operator, given }) => operator.runs.counts(filterOf(given))),
  get('runs/:id', [], async (asked) => {
    const run = rowOf(await asked.operator.runs.show(idOf(asked)), asked.show);
    return { run, links: asked.linksOf(run) };
  }),
  get('runs/:id/why', [], why),
  get('runs/:id/steps', ['after', 'mark', 'limit'], steps),
  get('runs/:id/children', ['cursor', 'limit'], async ({ operator, params, given, show }) => {
    const { runs, cursor } = await operator.runs.list({
      parent: params['id'] ?? '',
      ...page(given, 200),
      payloads: false,
    });
    return { runs: runs.map((run) => rowOf(run, show)), ...(cursor !== undefined && { cursor }) };
  }),
  get('runs/:id/story', ['cursor', 'limit'], async ({ operator, params, given, show }) => {
    const story = await operator.runs.story({ id: params['id'] ?? '' }, page(given, 500));
    return { ...story, entries: story.entries.map((entry) => storyRowOf(entry, show)) };
  }),
  get('runs/:id/tree', ['limit'], (asked) =>
    asked.operator.runs.tree(idOf(asked), defined({ limit: asked.given.number('limit') })),
  ),
  get('runs/:id/payloads', ['seq', 'inputs'], payloads, 'payloads'),
  get('runs/:id/compare', ['with'], compare, 'payloads'),
  get('runs/:id/export', ['as', 'module', 'export', 'runner'], exportRun, 'export'),
  post('runs/:id/cancel', 'cancel', [], async (asked) => ({
    changed: await asked.operator.runs.cancel(idOf(asked), asked.by),
  })),
  post('runs/:id/terminate', 'terminate', [], async (asked) => ({
    changed: await asked.operator.runs.terminate(idOf(asked), asked.by),
  })),
  post('runs/:id/retry', 'retry', [], (asked) => done(asked.operator.runs.retry(idOf(asked), asked.by))),
  post('runs/:id/signal', 'signal', ['name', 'payload'], ({ operator, params, given, by }) =>
    operator.runs.signal(nameOf(given), given.raw('payload'), { ...by, workflowId: params['id'] ?? '' }),
  ),
  post('runs/:id/restart', 'restart', ['input'], ({ operator, params, given, by }) =>
    done(operator.runs.restart(params['id'] ?? '', { ...by, ...defined({ input: given.raw('input') }) })),
  ),
  post('runs/:id/fork', 'fork', ['from', 'id', 'input'], ({ operator, params, given, by }) =>
    operator.runs.fork(params['id'] ?? '', {
      ...by,
      from: given.needed('from', given.number('from'), 'the position of a step'),
      ...defined({ id: given.text('id'), input: given.raw('input') }),
    }),
  ),
  post('runs/:id/delete', 'delete', [], async (asked) => ({
    changed: await asked.operator.runs.delete(idOf(asked), asked.by),
  })),
  ...BULKS.map(bulkRoute),
  // `status` is that of the runs.
  get('steps', [...FILTER, ...STEP_FILTER, 'order', 'cursor', 'limit'], async ({ operator, given, show }) => {
    const order = defined({ order: given.oneOf('order', ['newest', 'oldest', 'ended']) });
    const asked = { runs: filterOf(given), ...stepFilterOf(given), ...order, ...page(given, 200) };
    const { steps: listed, ...rest } = await operator.steps.list(asked);
    return { steps: listed.map((step) => listedStepOf(step, show)), ...rest };
  }),
];

const PAGE = ['limit', 'cursor'] as const;

const pageOf = (given: Given) => defined({ limit: given.number('limit'), cursor: given.text('cursor') });

const held = (given: Given): HoldTarget => {
  const kind = given.needed('kind', given.oneOf('kind', HOLD_KINDS), `one of ${HOLD_KINDS.join(', ')}`);
  const name = given.needed('name', given.text('name'), 'the name of what is held');
  return { [kind]: name } as unknown as HoldTarget;
};

const nameOf = (given: Given) => given.needed('name', given.text('name'), 'the name of a signal');

const receiver = (given: Given) => defined({ workflowId: given.text('workflowId'), key: given.text('key') });

const SIGNAL = ['name', 'workflowId', 'key'] as const;

const wanted = (given: Given) => ({ ...receiver(given), ...defined({ name: given.text('name') }) });

const stepOf = ({ params }: Asked): [string, number] => [params['id'] ?? '', Number(params['seq'])];

/** Both together are refused, as is neither. */
const resolutionIn = (given: Given) =>
  defined({ output: given.raw('output'), skip: given.flag('skip') }) as unknown as StepResolution;

const PLAN = ['cron', 'every', 'from', 'timeZone', 'jitter', 'startAt', 'endAt'] as const;

/** Durations are texts such as `15m`. */
const planOf = (given: Given): PlanChanges =>
  defined({
    cron: given.text('cron'),
    every: given.text('every') as Duration | undefined,
    from: given.date('from'),
    timeZone: given.text('timeZone'),
    jitter: given.text('jitter') as Duration | undefined,
    startAt: given.date('startAt'),
    endAt: given.date('endAt'),
  });

/** An input is a payload. */
const withoutInput = ({ input: _input, ...schedule }: WorkflowSchedule) => schedule;

const countIn = (given: Given) => defined({ count: given.number('count') });

const done = async (work: Promise<unknown>) => {
  await work;
  return { changed: true };
};

/** Its texts quote errors that the code has thrown. */
async function check({ operator, given, show }: Asked): Promise<unknown> {
  const page = await operator.check(defined({ cursor: given.text('cursor') }));
  const obstacles = page.obstacles.map((one) =>
    'detail' in one ? { ...one, detail: String(show(one.detail, { kind: 'error', runId: one.runId })) } : one,
  );
  return { ...page, obstacles };
}

/** What processes, groups and people do. */
const fleetRoutes: readonly Route[] = [
  get('overview', [], ({ operator }) => operator.overview()),
  get('names', [], ({ operator }) => operator.names()),
  get('queues', [...PAGE, 'group'], ({ operator, given }) =>
    operator.queues({ ...pageOf(given), ...defined({ group: given.text('group') }) }),
  ),
  get('tasks', [...PAGE, 'group', 'step', 'taskStatus', 'worker', 'olderThan'], ({ operator, given }) => {
    const names = { group: given.text('group'), step: given.text('step'), worker: given.text('worker') };
    const olderThan = given.text('olderThan') as Duration | undefined;
    const asked = { ...names, status: given.oneOf('taskStatus', TASK_STATUSES), olderThan };
    return operator.tasks({ ...defined(asked), ...pageOf(given) });
  }),
  get('limits', PAGE, ({ operator, given }) => operator.limits(pageOf(given))),
  get('signals', ['limit', ...SIGNAL], ({ operator, given }) =>
    operator.signals({ ...defined({ limit: given.number('limit') }), ...wanted(given) }),
  ),
  get('signals/waits', [...PAGE, ...SIGNAL], ({ operator, given }) =>
    operator.signalWaits({ ...pageOf(given), ...wanted(given) }),
  ),
  post('signals/send', 'signal', ['name', 'payload', 'workflowId', 'key', 'id'], ({ operator, given, by }) =>
    operator.runs.signal(nameOf(given), given.raw('payload'), {
      ...by,
      ...receiver(given),
      ...defined({ id: given.text('id') }),
    }),
  ),
  post('signals/delete', 'delete', ['name', 'workflowId', 'key', 'limit'], async ({ operator, given, by }) => ({
    signals: await operator.deleteSignals(nameOf(given), {
      ...by,
      ...receiver(given),
      ...defined({ limit: given.number('limit') }),
    }),
  })),
  get('nodes', ['ended'], async ({ operator, given }) => ({
    nodes: await operator.nodes(defined({ ended: given.flag('ended') })),
  })),
  ...(['drain', 'resume'] as const).map((verb) =>
    post(`nodes/:id/${verb}`, 'drain', [], async ({ operator, params, by }) => {
      const was = await operator[verb](params['id'] ?? '', by);
      return { changed: was === (verb === 'resume') };
    }),
  ),
  get('versions', ['cursor'], ({ operator, given }) => operator.versions(defined({ cursor: given.text('cursor') }))),
  get('check', ['cursor'], check, 'doctor'),
  get('graphs', [], ({ operator }) => operator.graphs()),
  get('samples', ['from', 'until', 'limit'], ({ operator, given }) => {
    const range = { from: given.date('from'), until: given.date('until'), limit: given.number('limit') };
    return operator.samples(defined(range));
  }),
  { ...get('metrics', [], async ({ metrics }) => (await metrics?.()) ?? ''), type: PROMETHEUS_TYPE },
  get('doctor', [], ({ examine }) => examine(), 'doctor'),
  get('doctor/recent', [], ({ examined }) => examined(), 'doctor'),
  get('acts', ['kind', 'target', 'actor', 'action', 'since', 'until', ...PAGE], async ({ operator, given }) => {
    const times = { since: given.date('since'), until: given.date('until') };
    const texts = { target: given.text('target'), actor: given.text('actor'), action: given.text('action') };
    const query = defined({ kind: given.oneOf('kind', ACT_KINDS), ...texts, ...times });
    const { acts, cursor } = await operator.acts({ ...query, ...pageOf(given) });
    // The details are payloads: what was there before.
    return { acts: acts.map(({ details: _details, ...act }) => act), ...(cursor !== undefined && { cursor }) };
  }),
  get('holds', [], async ({ operator }) => ({ holds: await operator.holds.list() })),
  post('holds/hold', 'hold', ['kind', 'name', 'until'], async ({ operator, given, by }) => ({
    changed: true,
    ...(await operator.holds.hold(held(given), { ...by, ...defined({ until: given.date('until') }) })),
  })),
  post('holds/lift', 'hold', ['kind', 'name'], async ({ operator, given, by }) => ({
    changed: await operator.holds.lift(held(given), by),
  })),
  post('runs/:id/steps/:seq/now', 'retry', [], (asked) => done(asked.operator.steps.now(...stepOf(asked), asked.by))),
  post('runs/:id/steps/:seq/complete', 'complete', ['output'], (asked) =>
    done(asked.operator.steps.complete(...stepOf(asked), asked.given.raw('output'), asked.by)),
  ),
  post('runs/:id/steps/:seq/fail', 'complete', ['message'], (asked) => {
    const { given } = asked;
    const message = given.needed('message', given.text('message'), 'the message of the error');
    return done(asked.operator.steps.fail(...stepOf(asked), new Error(message), asked.by));
  }),
  post('runs/:id/steps/:seq/resolve', 'complete', ['output', 'skip'], (asked) =>
    done(asked.operator.steps.resolve(...stepOf(asked), resolutionIn(asked.given), asked.by)),
  ),
  get('schedules', ['limit', 'after', 'workflow'], async ({ operator, given }) => {
    const page = { limit: given.number('limit'), after: given.text('after'), workflow: given.text('workflow') };
    const schedules = await operator.schedules.list(defined(page));
    return { schedules: schedules.map(withoutInput) };
  }),
  get('schedules/preview', [...PLAN, 'count'], async ({ operator, given }) => ({
    times: await operator.schedules.preview(planOf(given) as ScheduleOptions, countIn(given)),
  })),
  get('schedules/:id', [], async ({ operator, params }) =>
    withoutInput(await operator.schedules.show(params['id'] ?? '')),
  ),
  get('schedules/:id/preview', [...PLAN, 'count'], async ({ operator, params, given }) => ({
    times: await operator.schedules.preview(params['id'] ?? '', { ...countIn(given), changed: planOf(given) }),
  })),
  ...(['trigger', 'pause', 'resume'] as const).map((verb) =>
    post(`schedules/:id/${verb}`, 'schedules', [], async ({ operator, params, by }) => {
      const runId = await operator.schedules[verb](params['id'] ?? '', by);
      return { changed: true, ...(typeof runId === 'string' && { runId }) };
    }),
  ),
];

const channelOf = (given: Given): string => given.needed('channel', given.text('channel'), 'the name of a channel');

const on = ({ given, by }: Asked) => ({ ...by, ...defined({ destination: given.text('destination') }) });

/** The message of an error, as this user may see it. */
const seen = (show: Show, error: string | null): string | null =>
  error === null ? null : String(show(error, { kind: 'error' }));

const MOST = 1_000;

const query = (given: Given) =>
  defined({ destination: given.text('destination'), limit: Math.min(given.number('limit') ?? 100, MOST) });

/** Events on their way, and calls to other services. Data of events and payloads of calls are not shown. */
const outgoingRoutes: readonly Route[] = [
  get('outbox', [], async ({ operator }) => ({ destinations: await operator.outbox.destinations() })),
  get('outbox/lag', ['destination', 'limit'], async ({ operator, given }) => ({
    channels: await operator.outbox.lag(query(given)),
  })),
  get('outbox/standing', ['destination', 'limit'], async ({ operator, given, show }) => {
    const channels = await operator.outbox.standing(query(given));
    return { channels: channels.map((channel) => ({ ...channel, error: seen(show, channel.error) })) };
  }),
  get('outbox/dead', ['destination', 'limit', 'channel', 'after'], async ({ operator, given, show }) => {
    const where = defined({ channel: given.text('channel'), after: given.text('after') });
    const dead = await operator.outbox.deadLetters({ ...query(given), ...where });
    return {
      dead: dead.map(({ data: _data, headers: _headers, error, ...event }) => ({ ...event, error: seen(show, error) })),
    };
  }),
  post('outbox/retry', 'outbox', ['channel', 'destination'], async (asked) => ({
    changed: await asked.operator.outbox.retry(channelOf(asked.given), on(asked)),
  })),
  post('outbox/retry-all', 'outbox', ['destination'], async (asked) => ({
    channels: await asked.operator.outbox.retryAll(on(asked)),
  })),
  post('outbox/skip', 'outbox', ['channel', 'destination'], async (asked) => ({
    changed: await asked.operator.outbox.skip(channelOf(asked.given), on(asked)),
  })),
  post('outbox/requeue', 'outbox', ['channel', 'destination', 'sequenceIds'], async (asked) => ({
    events: await asked.operator.outbox.requeue(channelOf(asked.given), {
      ...on(asked),
      ...defined({ sequenceIds: asked.given.texts('sequenceIds') }),
    }),
  })),
  post('outbox/forget', 'outbox', ['destination'], async ({ operator, given, by }) => {
    const name = given.needed('destination', given.text('destination'), 'the name of a destination');
    return done(operator.outbox.forget(name, by));
  }),
  get('effects', [], async ({ operator }) => ({
    counts: await operator.effects.counts(),
    unclaimed: await operator.effects.unclaimed(),
  })),
  ...(['abandoned', 'scheduled'] as const).map((which) =>
    get(`effects/${which}`, ['limit'], async ({ operator, given, show }) => {
      const entries = await operator.effects[which](defined({ limit: given.number('limit') }));
      return {
        entries: entries.map(({ ref: _ref, error, ...entry }) => ({
          ...entry,
          error: seen(show, error?.message ?? null),
        })),
      };
    }),
  ),
  get('effects/audit', ['operation', 'subject', 'limit', 'cursor'], ({ operator, given }) => {
    const operation = given.needed('operation', given.text('operation'), 'the name of an operation');
    const subject = given.needed('subject', given.text('subject'), 'the subject of the calls');
    return operator.effects.audit({ operation, subject }, pageOf(given));
  }),
  post('effects/requeue', 'effects', ['entryIds'], async ({ operator, given, by }) => ({
    requeued: await operator.effects.requeue(
      given.needed('entryIds', given.texts('entryIds'), 'a list of ids of calls'),
      by,
    ),
  })),
];

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
