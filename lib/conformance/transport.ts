import assert from 'node:assert/strict';
import type { TaskDispatcher } from '../engine/model/task-dispatcher.js';
import { groupOf, stepIdOf, type StepTask } from '../protocol/step.js';
import type { AnswerLeases } from '../transport/sql-answer-leases.js';
import type { ClaimedTask, ClaimRequest, TaskReport, TaskSource } from '../worker/task-source.js';
import type { ManualClock } from '../time/clock.js';

/** Both halves of one transport, over empty storage whose clock is `clock`. */
export interface TransportFixture {
  dispatcher: TaskDispatcher;
  source: TaskSource;
  leases: AnswerLeases;
  clock: ManualClock;
}

/** Rows as programs in other languages write and read them. */
export interface ForeignRows {
  insert(table: 'tasks' | 'results', row: Record<string, string | number | null>): Promise<void>;
  select(table: 'tasks' | 'results'): Promise<Record<string, unknown>[]>;
}

export type SharedTablesFixture = TransportFixture & { foreign: ForeignRows };

export const LEASE_MS = 30_000;

export const taskOf = (seq: number, fields: Partial<StepTask> = {}): StepTask => {
  const { runId = 'run', name = 'charge' } = fields;
  return {
    runId,
    seq,
    name,
    stepId: stepIdOf(runId, seq),
    group: groupOf(name),
    input: '{"n":1}',
    attempt: 1,
    ...fields,
  };
};

export const claim = (
  { source }: Pick<TransportFixture, 'source'>,
  { groups = ['charge'], names, limit = 10, quota = limit, workerId = 'w1' }: ClaimOptions = {},
): Promise<ClaimedTask[]> =>
  source.claim({
    workerId,
    groups: groups.map((group) => ({ group, limit: quota })),
    names: names ?? groups,
    limit,
    leaseMs: LEASE_MS,
  } satisfies ClaimRequest);

export interface ClaimOptions {
  groups?: string[];
  names?: string[];
  limit?: number;
  /** Per group. */
  quota?: number;
  workerId?: string;
}

export const reportOf = (task: ClaimedTask, fields: Partial<TaskReport> = {}): TaskReport => ({
  claim: task.claim,
  runId: task.runId,
  seq: task.seq,
  attempt: task.attempt,
  status: 'completed',
  output: '"done"',
  error: null,
  startedAt: task.claim.claimedAt,
  ...fields,
});

export const first = async (claiming: Promise<ClaimedTask[]>): Promise<ClaimedTask> => {
  const [task, ...others] = await claiming;
  assert.ok(task, 'a task was expected');
  assert.equal(others.length, 0);
  return task;
};

export const seqs = (rows: readonly { seq: number }[]): number[] => rows.map(({ seq }) => seq);
