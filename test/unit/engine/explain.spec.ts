import type { Hold } from '../../../lib/acts/holds.js';
import { claimedFrom } from '../../../lib/core/protocol.js';
import { explainRun } from '../../../lib/engine/explain.js';
import type { LimiterInSight, RunSurroundings, TaskInSight } from '../../../lib/engine/insight.js';
import type { NodeRecord, Served } from '../../../lib/engine/nodes.js';
import { type RunRecord, writeDetail } from '../../../lib/engine/run.js';
import type { CallInSight, StepRecord } from '../../../lib/engine/step.js';

const NOW = Date.UTC(2030, 0, 1);
const at = (seconds: number) => NOW + seconds * 1_000;

const run: RunRecord = {
  id: 'r',
  namespace: '',
  workflow: 'order',
  version: 2,
  status: 'suspended',
  reason: null,
  reasonDetail: null,
  input: null,
  output: null,
  error: null,
  wakeAt: null,
  createdAt: at(-9),
  startedAt: at(-9),
  finishedAt: null,
  priority: 0,
  parentId: null,
  parentSeq: null,
  closing: null,
  forkedFrom: null,
  forkedSeq: null,
  deadline: null,
  customStatus: null,
  scheduleId: null,
  owner: null,
  erasedAt: null,
};
const step: StepRecord = {
  runId: 'r',
  seq: 0,
  kind: 'remote',
  name: 'charge',
  status: 'pending',
  attempt: 0,
  failures: 0,
  deferrals: 0,
  askedAt: null,
  worker: null,
  settled: null,
  output: null,
  error: null,
  ref: null,
  wakeAt: null,
  createdAt: at(-8),
  startedAt: at(-8),
  finishedAt: null,
};
const task: TaskInSight = {
  stepId: 'r:0',
  seq: 0,
  name: 'charge',
  group: 'pay',
  attempt: 1,
  claimedBy: null,
  claimedAt: null,
  createdAt: at(-7),
};
const limiter: LimiterInSight = {
  holder: 'r',
  name: 'order',
  key: 'acme',
  granted: false,
  limits: { concurrency: 2 },
  ahead: 3,
  holding: 2,
  openAt: null,
};
const nothing: RunSurroundings = {
  tasks: [],
  signals: [],
  after: [],
  limiters: [],
};
const node = (id: string, serves: Served, more: Partial<NodeRecord> = {}): NodeRecord => ({
  id,
  namespace: '',
  roles: 'engine',
  serves,
  load: null,
  host: 'h',
  pid: 1,
  startedAt: at(-100),
  seenAt: at(-1),
  expiresAt: at(10),
  leftAt: null,
  draining: null,
  ...more,
});
const hold = (more: Pick<Hold, 'kind' | 'name'> & Partial<Hold>): Hold => ({
  actor: 'ada',
  reason: 'the bank is down',
  since: new Date(at(-60)),
  until: undefined,
  ...more,
});
const LEFT = { expiresAt: at(-60), leftAt: at(-60) };
const DIED = { seenAt: at(-40), expiresAt: at(-30) };
const error = JSON.stringify({ name: 'CardError', message: 'declined', code: 'CARD' });
const HEAD = 'Run "r" of "order" (version 2)';
const ONWARD =
  'It continues after retry with code that fits or, where no step has failed, when a process starts with it; until then nothing more is compensated.';

interface Case {
  run?: Partial<RunRecord>;
  steps?: Partial<StepRecord>[];
  around?: Partial<RunSurroundings>;
  nodes?: NodeRecord[];
  calls?: [seq: number, CallInSight[]][];
  holds?: Hold[];
  text: string;
}

const cases: Record<string, Case> = {
  'has completed': {
    run: { status: 'completed', finishedAt: at(0) },
    text: `${HEAD} completed at 2030-01-01T00:00:00.000Z.`,
  },
  'has failed': {
    run: { status: 'failed', finishedAt: at(0), error },
    text: `${HEAD} failed at 2030-01-01T00:00:00.000Z: CardError: declined (CARD).`,
  },
  'was cancelled': {
    run: { status: 'cancelled', finishedAt: at(0) },
    text: `${HEAD} was cancelled at 2030-01-01T00:00:00.000Z.`,
  },
  'could not be compensated': {
    run: { status: 'compensation_failed', finishedAt: at(0), error },
    text: `${HEAD} could not be compensated at 2030-01-01T00:00:00.000Z: CardError: declined (CARD). Fix the cause, then call retry.`,
  },
  'has code that does not fit': {
    run: {
      reason: 'non_determinism',
      reasonDetail: writeDetail('NonDeterminismError: …', { seq: 3, recorded: 'step "a"', asked: 'nothing' }),
    },
    text: `${HEAD} is blocked: its code does not fit its history: at position 3 step "a" is recorded, and the code asks for nothing. ${ONWARD}`,
  },
  'has wrong code': {
    run: { reason: 'programming_error', reasonDetail: 'TypeError: x is not a function' },
    text: `${HEAD} is blocked: an error in its code: TypeError: x is not a function. ${ONWARD}`,
  },
  'waits for other runs': {
    run: { status: 'pending', reason: 'waiting_for_runs' },
    around: {
      after: [
        { id: 'a', status: 'running' },
        { id: 'b', status: null },
      ],
    },
    text: `${HEAD} has not started. It waits for:\n- run "a", which is running\n- run "b", which does not exist`,
  },
  'waits for its turn': {
    run: { status: 'pending', reason: 'concurrency_limit' },
    around: { limiters: [limiter] },
    text: `${HEAD} has not started. It waits for:\n- its turn in "order" for "acme", at most 2 at once: 3 ahead of it, 2 hold a permit`,
  },
  'waits for its time': {
    run: { status: 'pending', wakeAt: at(60) },
    text: `${HEAD} has not started. It waits for:\n- its start time, 2030-01-01T00:01:00.000Z`,
  },
  'is due where nobody has its code': {
    run: { status: 'pending', wakeAt: at(-5) },
    nodes: [
      node('api-1', { workflows: { order: [1, 3] } }),
      node('api-2', { workflows: { order: [3], toString: [2] } }),
      node('elsewhere', { workflows: { order: [2] } }, { namespace: 'other' }),
    ],
    text: `${HEAD} has not started. It has been due since 2029-12-31T23:59:55.000Z and no process has claimed it: no process has version 2 of "order"; version 3 is served by "api-1", "api-2"; version 1 is served by "api-1".\n- a process with version 2 of "order"`,
  },
  'is due where nobody has its code any more': {
    run: { status: 'pending', wakeAt: at(-5) },
    nodes: [
      node('api-1', { workflows: { order: [2] } }, LEFT),
      node('api-2', { workflows: { order: [2] } }, DIED),
      node('api-3', { workflows: { other: [2] } }),
    ],
    text: `${HEAD} has not started. It has been due since 2029-12-31T23:59:55.000Z and no process has claimed it: no process has had version 2 of "order" since 2029-12-31T23:59:20.000Z.\n- a process with version 2 of "order"`,
  },
  'is due where many have its code': {
    run: { wakeAt: at(-5) },
    nodes: ['a', 'b', 'c', 'd', 'e'].map((id) => node(id, { workflows: { order: [2] } })),
    text: `${HEAD} is parked. It has been due since 2029-12-31T23:59:55.000Z and no process has claimed it: version 2 of "order" is served by "a", "b", "c" and 2 more.`,
  },
  'is due where nobody is': {
    run: { wakeAt: at(-5) },
    nodes: [node('worker', { groups: { pay: ['charge'] } })],
    text: `${HEAD} is parked. It has been due since 2029-12-31T23:59:55.000Z and no process has claimed it: no process has version 2 of "order"; no process that plays workflows is signed in.`,
  },
  'is being played': {
    run: { status: 'running', owner: 'node-1', deadline: at(60) },
    nodes: [node('node-1', {})],
    text: `${HEAD} is executed by process "node-1", whose lease lasts until 2030-01-01T00:00:10.000Z. It times out at 2030-01-01T00:01:00.000Z.`,
  },
  'has an owner that is gone': {
    run: { status: 'running', owner: 'node-1' },
    text: `${HEAD} is executed by process "node-1", which is not signed in.`,
  },
  'has an owner that has died': {
    run: { status: 'running', owner: 'node-1' },
    nodes: [node('node-1', {}, DIED)],
    text: `${HEAD} is executed by process "node-1", whose lease expired at 2029-12-31T23:59:30.000Z: another process takes it over.`,
  },
  'waits for a group that nobody serves any more': {
    steps: [{}],
    around: { tasks: [task] },
    nodes: [node('w-1', { groups: { pay: ['charge'] } }, LEFT), node('w-2', { groups: { ship: ['charge'] } })],
    text: `${HEAD} is parked. It waits for:
- remote step "charge" (position 0): attempt 1, has waited in group "pay" since 2029-12-31T23:59:53.000Z, and no worker has claimed it: nobody has served group "pay" since 2029-12-31T23:59:00.000Z (signed in: "w-2" serves "ship")`,
  },
  'waits for a handler that the workers of its group do not have': {
    steps: [{}],
    around: { tasks: [task] },
    nodes: [node('w-1', { groups: { pay: ['refund'] } })],
    text: `${HEAD} is parked. It waits for:
- remote step "charge" (position 0): attempt 1, has waited in group "pay" since 2029-12-31T23:59:53.000Z, and no worker has claimed it: group "pay" is served by "w-1", without a handler for "charge"`,
  },
  'waits for calls': {
    steps: [
      {
        kind: 'signal',
        name: 'erase',
        output: JSON.stringify({ operation: 'erase', subject: 'u1', entryIds: ['e1', 'e2', 'e3', 'e4', 'e5'] }),
      },
    ],
    calls: [
      [
        0,
        [
          { handler: 'mail', status: 'failed', attempts: 2, nextAttemptAt: at(30) },
          { handler: 'stripe', status: 'abandoned', attempts: 5, nextAttemptAt: null },
          { handler: 'search', status: 'in_flight', attempts: 1, nextAttemptAt: at(9) },
          { handler: 'crm', status: 'pending', attempts: 0, nextAttemptAt: null },
        ],
      ],
    ],
    nodes: [node('e-1', { effects: ['mail'] }, LEFT)],
    text: `${HEAD} is parked. It waits for:
- operation "erase" for "u1" in step "erase" (position 0), until all of its calls have succeeded: "mail" is failed, next attempt at 2030-01-01T00:00:30.000Z, nobody has served effect "mail" since 2029-12-31T23:59:00.000Z (no process that makes calls is signed in); "stripe" was abandoned after 5 attempts and has to be requeued; "search" is being called, attempt 1; and 1 more`,
  },
  'waits for workers': {
    steps: [
      {},
      { seq: 1, name: 'ship', attempt: 1 },
      { seq: 2, name: 'lost' },
      { seq: 3, status: 'answered', name: 'said' },
      { seq: 4, name: 'pack' },
      { seq: 5, name: 'send' },
    ],
    nodes: [node('w-1', { groups: { pay: ['charge'] } })],
    around: {
      tasks: [
        task,
        { ...task, seq: 1, name: 'ship', attempt: 2, claimedBy: 'w1', claimedAt: at(-1) },
        { ...task, seq: 4, name: 'pack', claimedBy: claimedFrom('w2#abc.1', at(-3600)), claimedAt: at(-1) },
        { ...task, seq: 5, name: 'send', claimedBy: claimedFrom('w2#abc.2', at(-1)), claimedAt: at(-1) },
      ],
    },
    text: `${HEAD} is parked. It waits for:
- remote step "charge" (position 0): attempt 1, has waited in group "pay" since 2029-12-31T23:59:53.000Z, and no worker has claimed it: group "pay" is served by "w-1"
- remote step "ship" (position 1): attempt 2, claimed by worker "w1" since 2029-12-31T23:59:59.000Z, or its lease renewed then
- remote step "lost" (position 2): attempt 1 since 2029-12-31T23:59:52.000Z; its task was answered or is missing; it is sent again if it was lost
- remote step "said" (position 3): an answer has arrived and is processed next
- remote step "pack" (position 4): attempt 1, claimed by worker "w2" since 2029-12-31T23:00:00.000Z, its lease renewed at 2029-12-31T23:59:59.000Z
- remote step "send" (position 5): attempt 1, claimed by worker "w2" since 2029-12-31T23:59:59.000Z`,
  },
  'waits to try again': {
    steps: [
      { attempt: 2, wakeAt: at(30), error },
      { seq: 1, kind: 'step', name: 'total', attempt: 1, wakeAt: at(1), error },
    ],
    text: `${HEAD} is parked. It waits for:
- remote step "charge" (position 0): attempt 3 at 2030-01-01T00:00:30.000Z, after CardError: declined (CARD)
- step "total" (position 1): attempt 2 at 2030-01-01T00:00:01.000Z, after CardError: declined (CARD)`,
  },
  'waits for all sorts of things': {
    steps: [
      { seq: 4, kind: 'child', name: 'ship', ref: 'r-child' },
      { kind: 'sleep', name: 'nap', wakeAt: at(60) },
      { seq: 1, kind: 'signal', name: 'approval' },
      { seq: 2, kind: 'signal', name: 'answer', output: '[{"name":"approved","key":"order-7"},{"name":"stop"}]' },
      { seq: 3, kind: 'marker', name: 'now' },
      { seq: 5, name: 'done', settled: 1, status: 'completed' },
      { seq: 6, name: 'limited' },
    ],
    around: {
      signals: [{ seq: 2, channel: 'hash', deadline: at(9) }],
      limiters: [
        {
          ...limiter,
          holder: 'r:6',
          name: 'limited',
          key: '',
          limits: { rate: { max: 5, durationMs: 1_000 } },
          openAt: at(2),
        },
      ],
    },
    text: `${HEAD} is parked. It waits for:
- sleep "nap" (position 0) until 2030-01-01T00:01:00.000Z
- signal wait "approval" (position 1), without a deadline
- signal "approved" (key "order-7") or "stop" in step "answer" (position 2) until 2030-01-01T00:00:09.000Z
- child run "r-child" of "ship" (position 4)
- remote step "limited" (position 6): its turn in "limited", at most 5 every 1000 ms: 3 ahead of it, 2 hold a permit; it opens at 2030-01-01T00:00:02.000Z`,
  },
  'is being compensated': {
    run: { status: 'compensating', closing: 'failed', error, owner: 'node-1' },
    steps: [{ seq: -1, name: 'refund' }],
    nodes: [node('node-1', {})],
    around: { tasks: [{ ...task, seq: -1, name: 'refund', group: 'pay' }] },
    text: `${HEAD} is being compensated and ends as failed, after CardError: declined (CARD): it is executed by process "node-1", whose lease lasts until 2030-01-01T00:00:10.000Z. It waits for:
- remote step "refund" (compensates position 0): attempt 1, has waited in group "pay" since 2029-12-31T23:59:53.000Z, and no worker has claimed it: no process that has signed in serves group "pay" (no worker is signed in)`,
  },
  'is held, and so is the group of a step': {
    run: { wakeAt: at(-1) },
    steps: [{}],
    nodes: [node('node-1', { workflows: { order: [2] }, groups: { pay: ['charge'] } })],
    around: { tasks: [task] },
    holds: [
      hold({ kind: 'group', name: 'pay', until: new Date(at(60)) }),
      hold({ kind: 'workflow', name: 'order' }),
      hold({ kind: 'workflow', name: 'other' }),
      hold({ kind: 'effect', name: 'order' }),
    ],
    text: `${HEAD} is parked. It has been due since 2029-12-31T23:59:59.000Z and no process has claimed it: version 2 of "order" is served by "node-1". It waits for:
- group "pay", which ada holds since 2029-12-31T23:59:00.000Z, until 2030-01-01T00:01:00.000Z: the bank is down
- workflow "order", which ada holds since 2029-12-31T23:59:00.000Z, until somebody lifts it: the bank is down
- remote step "charge" (position 0): attempt 1, has waited in group "pay" since 2029-12-31T23:59:53.000Z, and no worker has claimed it: group "pay" is served by "node-1"`,
  },
  'has not started since its workflow is held': {
    run: { status: 'pending', wakeAt: at(5), startedAt: null },
    holds: [hold({ kind: 'workflow', name: 'order' })],
    text: `${HEAD} has not started. It waits for:
- workflow "order", which ada holds since 2029-12-31T23:59:00.000Z, until somebody lifts it: the bank is down
- its start time, 2030-01-01T00:00:05.000Z`,
  },
  'has ended, whatever is held': {
    run: { status: 'completed', finishedAt: at(0) },
    holds: [hold({ kind: 'workflow', name: 'order' })],
    text: `${HEAD} completed at 2030-01-01T00:00:00.000Z.`,
  },
  'is being cancelled': {
    run: { status: 'compensating', closing: 'cancelled', deadline: at(5) },
    text: `${HEAD} is being compensated and ends as cancelled.`,
  },
};

describe('a run is explained that', () => {
  it.each(Object.entries(cases))(
    '%s',
    (_, { run: fields, steps = [], around, nodes = [], calls = [], holds = [], text }) => {
      const explained = explainRun({
        run: { ...run, ...fields },
        steps: steps.map((more) => ({ ...step, ...more })),
        surroundings: { ...nothing, ...around },
        seen: { now: NOW, nodes },
        calls: new Map(calls),
        holds,
      });
      expect(explained.text).toBe(text);
      expect(explained.waitingFor.map((wait) => `- ${wait.text}`)).toEqual(text.split('\n').slice(1));
    },
  );

  it.each([
    ['a step', { ...limiter, holder: 'r:6' }, [{ ...step, seq: 6 }], 6],
    ['the run', limiter, [], undefined],
  ])('waits for a limit, and who does: %s', (_, limited, steps, seq) => {
    const around = { surroundings: { ...nothing, limiters: [limited] }, calls: new Map(), holds: [] };
    const status = seq === undefined ? 'pending' : run.status;
    const explained = explainRun({ run: { ...run, status }, steps, ...around, seen: { now: NOW, nodes: [] } });
    expect(explained.waitingFor).toMatchObject([{ kind: 'limiter', name: 'order', ahead: 3, holding: 2 }]);
    const [wait] = explained.waitingFor;
    expect(wait && 'seq' in wait ? wait.seq : undefined).toBe(seq);
  });
});
