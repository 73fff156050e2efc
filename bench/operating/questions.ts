import { ROUTES } from '../../lib/dashboard/routes.js';
import { RUN_WITH_MANY_CHILDREN, RUN_WITH_MANY_STEPS, runId } from './rows.js';

/** A question of the page, as it is sent. */
export interface Question {
  /** The path of its route. */
  route: string;
  /** Below `<path>/api/`. */
  address: string;
}

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString();

const STATUSES = [
  ...['pending', 'running', 'suspended', 'compensating', 'completed', 'failed', 'cancelled', 'compensation_failed'],
  'pending,running,suspended',
];

/** What is asked by each name that a route knows: what many have, few, and nobody. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: STATUSES,
  reason: ['non_determinism', 'history_lost', 'concurrency_limit'],
  idPrefix: ['run-1000', 'nothing'],
  blocked: ['true'],
  waitsFor: ['timer', 'signal', 'limiter'],
  workflow: ['order', 'rare', 'nobody'],
  version: ['1', '9'],
  group: ['group-7', 'nothing'],
  attribute: ['customer=c7', 'tier=plain', 'tier=none', 'amount>=990'],
  createdAfter: [day(1), day(29)],
  createdBefore: [day(1), day(29)],
  endedAfter: [day(1), day(29)],
  endedBefore: [day(1), day(29)],
  parent: [RUN_WITH_MANY_CHILDREN, runId(8)],
  schedule: ['schedule-4', 'nothing'],
  order: ['oldest', 'ended'],
  limit: ['100'],
  ended: ['true'],
  kind: ['run', 'hold'],
  target: [runId(7), 'nothing'],
  step: ['step-7', 'nothing'],
  stepKind: ['remote', 'marker'],
  stepStatus: ['failed', 'pending,exhausted'],
  taskStatus: ['waiting', 'lapsed'],
  worker: ['worker-1', 'nobody'],
  olderThan: ['1h'],
  youngerThan: ['1h'],
  actor: ['actor-7', 'nobody'],
  action: ['retry', 'nothing'],
  since: [day(1)],
  until: [day(1)],
  destination: ['mails'],
  channel: ['channel-7'],
  seq: ['2'],
  as: ['json'],
  inputs: ['replay'],
  from: [day(1)],
  count: ['5'],
  name: ['approved', 'nothing'],
  key: ['key-7'],
  operation: ['operation-7'],
  subject: ['subject-7'],
  workflowId: [],
  // What a route needs, or what changes only the text of its answer.
  ...Object.fromEntries(
    ['with', 'module', 'export', 'runner', 'cron', 'every', 'timeZone', 'startAt', 'endAt', 'jitter'].map((name) => [
      name,
      [],
    ]),
  ),
  // Only the answer before knows where the next page begins.
  cursor: [],
  after: [],
  mark: [],
};

const RUNS = [RUN_WITH_MANY_STEPS, RUN_WITH_MANY_CHILDREN, ...[3, 7, 11, 33, 17].map(runId)];
/** Steps that these runs have. */
const WITH_STEPS = [RUN_WITH_MANY_STEPS, runId(7), runId(17)];

/** Without which a route is not answered; there are two destinations. */
const NEEDED: Readonly<Record<string, string>> = {
  'outbox/lag': 'destination=mails',
  'outbox/standing': 'destination=mails',
  'outbox/dead': 'destination=mails',
  'runs/:id/compare': `with=${runId(27)}`,
  'schedules/preview': 'every=1h',
  'signals/waits': `workflowId=${runId(7)}`,
  'effects/audit': 'operation=operation-7&subject=subject-7',
};

/** What is asked beside that: other filters, of which each is refused with some of the others. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  signals: [`workflowId=${runId(7)}`, `workflowId=${runId(7)}&name=approved`],
  'signals/waits': ['', 'name=approved&key=key-7'],
};

/** It replays runs with code that the benchmark does not have. */
const NEEDS_CODE = 'check';

/** Every GET route of the dashboard that answers JSON, with each filter and each pair of filters that it knows. */
export function questions(): Question[] {
  const asked = ROUTES.filter(
    ({ method, path, type }) => method === 'GET' && path !== NEEDS_CODE && type === undefined,
  );
  return asked.flatMap(({ path, known }) => {
    const needed = path in NEEDED ? [NEEDED[path]!] : [];
    const queries = combinations(known.filter((name) => !new URLSearchParams(needed[0]).has(name)));
    const texts = [...queries.map((query) => [...needed, ...query].join('&')), ...(ALSO[path] ?? [])];
    return pathsOf(path, known).flatMap((address) =>
      texts.map((query) => ({ route: path, address: `${address}?${query}` })),
    );
  });
}

/** @throws if a route has learned a name that has no values here */
function combinations(names: readonly string[]): string[][] {
  const single = names.map((name) => {
    const values = VALUES[name];
    if (!values) throw new Error(`What shall be asked by "${name}"?`);
    return values.map((value) => `${name}=${encodeURIComponent(value)}`);
  });
  const pairs = single.flatMap((some, n) =>
    single.slice(n + 1).flatMap((others) => some.flatMap((one) => others.map((other) => [one, other]))),
  );
  return [[], ...single.flat().map((one) => [one]), ...pairs];
}

function pathsOf(path: string, known: readonly string[]): string[] {
  if (!path.includes(':id')) return [path];
  if (path.startsWith('schedules/')) return [path.replace(':id', 'schedule-4')];
  return (known.includes('seq') ? WITH_STEPS : RUNS).map((id) => path.replace(':id', id));
}
