import { ACT_KINDS } from '../acts/act.js';
import type { HoldTarget } from '../engine/client/client-holds.js';
import type { StepResolution } from '../engine/client/client-edits.js';
import type { ScheduleOptions } from '../engine/model/schedule-spec.js';
import type { PlanChanges, WorkflowSchedule } from '../engine/schedules/schedule-views.js';
import { PROMETHEUS_TYPE } from '../telemetry/prometheus-text.js';
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

const nameOf = (given: Given) => given.needed('name', given.text('name'), 'the name of a signal');

const receiver = (given: Given) => present({ workflowId: given.text('workflowId'), key: given.text('key') });

const SIGNAL = ['name', 'workflowId', 'key'] as const;

const wanted = (given: Given) => ({ ...receiver(given), ...present({ name: given.text('name') }) });

const stepOf = ({ params }: Asked): [string, number] => [params['id'] ?? '', Number(params['seq'])];

/** Both together are refused, as is neither. */
const resolutionIn = (given: Given) =>
  present({ output: given.raw('output'), skip: given.flag('skip') }) as unknown as StepResolution;

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

/** An input is a payload. */
const withoutInput = ({ input: _input, ...schedule }: WorkflowSchedule) => schedule;

const countIn = (given: Given) => present({ count: given.number('count') });

const done = async (work: Promise<unknown>) => {
  await work;
  return { changed: true };
};

/** Its texts quote errors that the code has thrown. */
async function check({ operator, given, show }: Asked): Promise<unknown> {
  const page = await operator.check(present({ cursor: given.text('cursor') }));
  const obstacles = page.obstacles.map((one) =>
    'detail' in one ? { ...one, detail: String(show(one.detail, { kind: 'error', runId: one.runId })) } : one,
  );
  return { ...page, obstacles };
}

/** What processes, groups and people do. */
export const fleetRoutes: readonly Route[] = [
  get('overview', [], ({ operator }) => operator.overview()),
  get('names', [], ({ operator }) => operator.names()),
  get('queues', [...PAGE, 'group'], ({ operator, given }) =>
    operator.queues({ ...page(given), ...present({ group: given.text('group') }) }),
  ),
  get('limits', PAGE, ({ operator, given }) => operator.limits(page(given))),
  get('signals', ['limit', ...SIGNAL], ({ operator, given }) =>
    operator.signals({ ...present({ limit: given.number('limit') }), ...wanted(given) }),
  ),
  get('signals/waits', [...PAGE, ...SIGNAL], ({ operator, given }) =>
    operator.signalWaits({ ...page(given), ...wanted(given) }),
  ),
  post('signals/send', 'signal', ['name', 'payload', 'workflowId', 'key', 'id'], ({ operator, given, by }) =>
    operator.runs.signal(nameOf(given), given.raw('payload'), {
      ...by,
      ...receiver(given),
      ...present({ id: given.text('id') }),
    }),
  ),
  post('signals/delete', 'delete', ['name', 'workflowId', 'key', 'limit'], async ({ operator, given, by }) => ({
    signals: await operator.deleteSignals(nameOf(given), {
      ...by,
      ...receiver(given),
      ...present({ limit: given.number('limit') }),
    }),
  })),
  get('nodes', ['ended'], async ({ operator, given }) => ({
    nodes: await operator.nodes(present({ ended: given.flag('ended') })),
  })),
  ...(['drain', 'resume'] as const).map((verb) =>
    post(`nodes/:id/${verb}`, 'drain', [], async ({ operator, params, by }) => {
      const was = await operator[verb](params['id'] ?? '', by);
      return { changed: was === (verb === 'resume') };
    }),
  ),
  get('versions', ['cursor'], ({ operator, given }) => operator.versions(present({ cursor: given.text('cursor') }))),
  get('check', ['cursor'], check, 'doctor'),
  get('graphs', [], ({ operator }) => operator.graphs()),
  get('samples', ['from', 'until', 'limit'], ({ operator, given }) => {
    const range = { from: given.date('from'), until: given.date('until'), limit: given.number('limit') };
    return operator.samples(present(range));
  }),
  { ...get('metrics', [], async ({ metrics }) => (await metrics?.()) ?? ''), type: PROMETHEUS_TYPE },
  get('doctor', [], ({ examine }) => examine(), 'doctor'),
  get('doctor/recent', [], ({ examined }) => examined(), 'doctor'),
  get('acts', ['kind', 'target', 'actor', 'action', 'since', 'until', ...PAGE], async ({ operator, given }) => {
    const times = { since: given.date('since'), until: given.date('until') };
    const texts = { target: given.text('target'), actor: given.text('actor'), action: given.text('action') };
    const query = present({ kind: given.oneOf('kind', ACT_KINDS), ...texts, ...times });
    const { acts, cursor } = await operator.acts({ ...query, ...page(given) });
    // The details are payloads: what was there before.
    return { acts: acts.map(({ details: _details, ...act }) => act), ...(cursor !== undefined && { cursor }) };
  }),
  get('holds', [], async ({ operator }) => ({ holds: await operator.holds.list() })),
  post('holds/hold', 'hold', ['kind', 'name', 'until'], async ({ operator, given, by }) => ({
    changed: true,
    ...(await operator.holds.hold(held(given), { ...by, ...present({ until: given.date('until') }) })),
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
    const schedules = await operator.schedules.list(present(page));
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
