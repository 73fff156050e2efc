import type { BulkFilter } from '../engine/client/client-bulk.js';
import { attributesOf, attributeTextsIn } from '../engine/insight/attribute-text.js';
import type { WaitsFor } from '../engine/model/run-insight.js';
import type { RunReason, RunStatus } from '../engine/model/run.js';
import { Given, present } from './given.js';
import { type Asked, get, post, type Route } from './route.js';
import { rowOf, stepRowOf, storyRowOf } from './run-rows.js';

const FILTER = [
  ...['idPrefix', 'status', 'reason', 'blocked', 'waitsFor', 'workflow', 'version', 'attribute'],
  ...['createdAfter', 'createdBefore', 'endedAfter', 'endedBefore', 'parent', 'schedule'],
] as const;
const STEPS_OF_A_PAGE = 200;
const MOST_STEPS = 1_000;

/** `attribute` is `name=value`, or with `<`, `<=`, `>` or `>=`, several with commas or as several parameters. */
const filterOf = (given: Given) =>
  present({
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

const filtersIn = (texts: string[] | undefined) => texts && attributesOf(texts);

const page = (given: Given, most: number) =>
  present({ cursor: given.text('cursor'), limit: Math.max(1, Math.min(given.number('limit') ?? 50, most)) });

const idOf = ({ params }: Asked): string => params['id'] ?? '';

async function steps({ operator, params, given, show }: Asked): Promise<unknown> {
  const id = params['id'] ?? '';
  const limit = Math.max(1, Math.min(given.number('limit') ?? STEPS_OF_A_PAGE, MOST_STEPS));
  const from = present({ after: given.number('after'), mark: given.text('mark') });
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
  const look = present({ actor: looker });
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
  const step = await operator.runs.payloads(id, { ...look, seq, ...present({ inputs }) });
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
    ...present({ actor: looker }),
    see: show,
  });

const BULKS = ['cancel', 'terminate', 'retry', 'delete', 'signal'] as const;

/** Whoever may export gets the payloads as they are: a history that was changed no longer replays. */
const exportRun = (asked: Asked): Promise<unknown> => {
  const { operator, given, looker } = asked;
  const how = { as: given.oneOf('as', ['json', 'test']), runner: given.oneOf('runner', ['jest', 'vitest', 'node']) };
  const names = { module: given.text('module'), export: given.text('export'), actor: looker };
  return operator.runs.export(idOf(asked), present({ ...how, ...names }));
};

const knownIn = (action: (typeof BULKS)[number]) => [
  ...['filter', 'ids', 'dryRun', 'cursor', 'limit'],
  ...(action === 'signal' ? ['name', 'payload'] : []),
];

const bulkRoute = (action: (typeof BULKS)[number]): Route =>
  post(`bulk/${action}`, action, knownIn(action), ({ operator, given, by }) => {
    const ids = given.texts('ids');
    const filter = ids ? { ids } : (filterOf(Given.of(given.raw('filter'), FILTER, 'filter')) as BulkFilter);
    const progress = present({
      dryRun: given.flag('dryRun'),
      cursor: given.text('cursor'),
      limit: given.number('limit'),
    });
    const signal = action === 'signal' && {
      signal: { name: given.needed('name', given.text('name'), 'the name of a signal'), payload: given.raw('payload') },
    };
    return operator.runs.bulk(action, filter, { ...by, ...progress, ...signal });
  });

export const runRoutes: readonly Route[] = [
  get('runs', [...FILTER, 'order', 'cursor', 'limit'], async ({ operator, given, show }) => {
    const order = present({ order: given.oneOf('order', ['newest', 'oldest', 'ended']) });
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
    asked.operator.runs.tree(idOf(asked), present({ limit: asked.given.number('limit') })),
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
  post('runs/:id/retry', 'retry', [], async (asked) => {
    await asked.operator.runs.retry(idOf(asked), asked.by);
    return { changed: true };
  }),
  post('runs/:id/signal', 'signal', ['name', 'payload'], ({ operator, params, given, by }) =>
    operator.runs.signal(given.needed('name', given.text('name'), 'the name of a signal'), given.raw('payload'), {
      ...by,
      workflowId: params['id'] ?? '',
    }),
  ),
  post('runs/:id/restart', 'restart', ['input'], async ({ operator, params, given, by }) => {
    await operator.runs.restart(params['id'] ?? '', {
      ...by,
      ...(given.has('input') && { input: given.raw('input') }),
    });
    return { changed: true };
  }),
  post('runs/:id/fork', 'fork', ['from', 'id', 'input'], ({ operator, params, given, by }) =>
    operator.runs.fork(params['id'] ?? '', {
      ...by,
      from: given.needed('from', given.number('from'), 'the position of a step'),
      ...present({ id: given.text('id') }),
      ...(given.has('input') && { input: given.raw('input') }),
    }),
  ),
  post('runs/:id/delete', 'delete', [], async (asked) => ({
    changed: await asked.operator.runs.delete(idOf(asked), asked.by),
  })),
  ...BULKS.map(bulkRoute),
];
