import { ACT_KINDS } from '../acts/act.js';
import type { HoldTarget } from '../engine/client/client-holds.js';
import type { StepResolution } from '../engine/client/client-edits.js';
import type { ScheduleOptions } from '../engine/model/schedule-spec.js';
import type { PlanChanges } from '../engine/schedules/schedule-views.js';
import type { Duration } from '../time/duration.js';
import { HOLD_KINDS } from '../holds/hold.js';
import { type Given, present } from './given.js';
import { type Asked, get, post, type Route } from './route.js';

const PAGE = ['limit', 'cursor'] as const;

const page = (given: Given) => present({ limit: given.number('limit'), cursor: given.text('cursor') });

const held = (given: Given): HoldTarget => {
  const kind = given.needed('kind', given.oneOf('kind', HOLD_KINDS), `one of ${HOLD_KINDS.join(', ')}`);
  const name = given.needed('name', given.text('name'), 'the name of what is held');
  return { [kind]: name } as unknown as HoldTarget;
};

const stepOf = ({ params }: Asked): [string, number] => [params['id'] ?? '', Number(params['seq'])];

const PLAN = ['cron', 'every', 'from', 'timeZone', 'jitter', 'startAt', 'endAt'] as const;

/** Durations are texts such as `15m`. */
const planOf = (given: Given): PlanChanges =>
  present({
    cron: given.text('cron'),
    every: given.text('every') as Duration | undefined,
    from: given.date('from'),
    timeZone: given.text('timeZone'),
    jitter: given.text('jitter') as Duration | undefined,
    startAt: given.date('startAt'),
    endAt: given.date('endAt'),
  });

const countIn = (given: Given) => present({ count: given.number('count') });

const done = async (work: Promise<unknown>) => {
  await work;
  return { changed: true };
};

/** What processes, groups and people do. */
export const fleetRoutes: readonly Route[] = [
  get('overview', [], ({ operator }) => operator.overview()),
  get('queues', PAGE, ({ operator, given }) => operator.queues(page(given))),
  get('limits', PAGE, ({ operator, given }) => operator.limits(page(given))),
  get('signals', ['limit'], ({ operator, given }) => operator.signals(present({ limit: given.number('limit') }))),
  get('nodes', ['ended'], async ({ operator, given }) => ({
    nodes: await operator.nodes(present({ ended: given.flag('ended') })),
  })),
  get('versions', ['cursor'], ({ operator, given }) => operator.versions(present({ cursor: given.text('cursor') }))),
  get('graphs', [], ({ operator }) => operator.graphs()),
  get('samples', ['from', 'until', 'limit'], ({ operator, given }) => {
    const range = { from: given.date('from'), until: given.date('until'), limit: given.number('limit') };
    return operator.samples(present(range));
  }),
  get('doctor', [], ({ examine }) => examine(), 'doctor'),
  get('acts', ['kind', 'target', 'actor', 'action', 'since', 'until', ...PAGE], async ({ operator, given }) => {
    const times = { since: given.date('since'), until: given.date('until') };
    const texts = { target: given.text('target'), actor: given.text('actor'), action: given.text('action') };
    const query = present({ kind: given.oneOf('kind', ACT_KINDS), ...texts, ...times });
    const { acts, cursor } = await operator.acts({ ...query, ...page(given) });
    // The details are payloads: what was there before.
    return { acts: acts.map(({ details: _details, ...act }) => act), ...(cursor !== undefined && { cursor }) };
  }),
  get('holds', [], async ({ operator }) => ({ holds: await operator.holds.list() })),
  post('holds/hold', 'hold', ['kind', 'name', 'until'], ({ operator, given, by }) =>
    done(operator.holds.hold(held(given), { ...by, ...present({ until: given.date('until') }) })),
  ),
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
  post('runs/:id/steps/:seq/resolve', 'complete', ['output'], (asked) => {
    const resolution = { output: asked.given.raw('output') } as StepResolution;
    return done(asked.operator.steps.resolve(...stepOf(asked), resolution, asked.by));
  }),
  get('schedules', ['limit', 'after', 'workflow'], async ({ operator, given }) => {
    const page = { limit: given.number('limit'), after: given.text('after'), workflow: given.text('workflow') };
    const schedules = await operator.schedules.list(present(page));
    return { schedules: schedules.map(({ input: _input, ...schedule }) => schedule) };
  }),
  get('schedules/preview', [...PLAN, 'count'], async ({ operator, given }) => ({
    times: await operator.schedules.preview(planOf(given) as ScheduleOptions, countIn(given)),
  })),
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
