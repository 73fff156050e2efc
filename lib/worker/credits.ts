import { claimedFrom, type StepAnswer } from '../core/protocol.js';
import type { AcceptTask } from '../engine/tasks.js';
import { ClaimMarks, isSent } from './claims.js';
import type { Claim, ClaimedTask, Credit } from './task-source.js';

/*
 * Between two processes, a credit saves the claim, and the way to it. With its answers, a worker that is mostly idle gives
 * their runs a credit. For a moment, the engine of such a run may dispatch its next task as claimed by that worker, and
 * the task itself comes with the notification of the commit. To everybody else it is a task that a worker has claimed.
 *
 * Nothing depends on it. An engine that does not use a credit dispatches as ever. A worker that has become busy, or ends,
 * gives the task back. What was sent and did not arrive is given back as soon as the worker hears that notifications may
 * have been lost, and at the latest when its lease expires.
 */

/** How long after an answer a credit may be used, by the storage's clock. */
export const CREDIT_MS = 50;

/**
 * For how long a worker that ends waits for what may be sent to it: an engine's view of the storage's clock may be behind,
 * and its commit takes time. What comes later waits for its lease.
 */
export const OPEN_MS = 5 * CREDIT_MS;

/** The room for sent tasks in one notification, in bytes. */
export const LONGEST_SENT = 6_000;

/** The engine's side: what workers of other processes have given. */
export class Credits {
  private readonly open = new Map<string, { credit: Credit; at: number }>();

  /** Whatever was given before is over with the next answer. */
  grant(answers: readonly StepAnswer[], credit: Credit | undefined): void {
    let newest = 0;
    for (const { runId, createdAt: at } of answers) {
      this.open.delete(runId);
      if (credit) this.open.set(runId, { credit, at });
      newest = at;
    }
    // Of runs that have ended, or belong to other processes.
    for (const [runId, { at }] of this.open) {
      if (Math.abs(newest - at) <= CREDIT_MS) break;
      this.open.delete(runId);
    }
  }

  /** Answers may not have been heard of. */
  clear(): void {
    this.open.clear();
  }

  /** Accepts one task per credit and run on behalf of the worker. A priority may stand behind other tasks. */
  readonly accept: AcceptTask = (task, at) => {
    const { runId, group, name } = task;
    const given = this.open.get(runId);
    if (!given || task.priority) return undefined;
    const { mark, takes } = given.credit;
    if (at - given.at > CREDIT_MS || !takes.some((one) => one[0] === group && one[1] === name)) return undefined;
    const claimedBy = claimedFrom(mark, at);
    const { stepId, seq, input, attempt } = task;
    if (input.length > LONGEST_SENT) return undefined;
    // A JSON array, within a text of another one.
    const told = JSON.stringify([stepId, runId, seq, name, group, input, attempt, claimedBy, at]);
    const sentBytes = Buffer.byteLength(JSON.stringify(told));
    if (sentBytes > LONGEST_SENT) return undefined;
    this.open.delete(runId);
    return { claimedBy, sentBytes, begin: () => {}, end: () => {} };
  };
}

/** How many kinds of tasks a credit names: those that the worker has served last. */
const MOST_TAKEN = 20;

interface Given {
  /** By the worker's clock of leases. */
  at: number;
  runs: number;
  /** The steps that were sent for it. */
  heard: Set<string>;
}

/** The worker's side: what it has given, and has not had yet. */
export class GivenCredits {
  /** How long it remembers a credit: as long as the leases of what is sent for it, but not for hours. */
  readonly keptMs: number;
  private readonly marks = new ClaimMarks('~');
  private readonly given = new Map<string, Given>();
  /** What it has served last, the newest at the end. */
  private readonly served = new Map<string, Credit['takes'][number]>();
  private lastAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly workerId: string,
    leaseMs: number,
  ) {
    this.keptMs = Math.min(leaseMs, 60_000);
  }

  /** Whether tasks may have been sent that were not heard of. */
  isOpen(now: number): boolean {
    for (const [mark, { at }] of this.given) {
      if (now - at <= this.keptMs) break;
      this.given.delete(mark);
    }
    return this.given.size > 0;
  }

  /** To be called once answers with a credit are written. */
  beginRest(now: number): void {
    this.lastAt = now;
  }

  /** How long tasks may still be sent. */
  restMs(now: number): number {
    return Math.max(0, this.lastAt + OPEN_MS - now);
  }

  serve({ group, name }: Pick<ClaimedTask, 'group' | 'name'>): void {
    const key = `${group}/${name}`;
    this.served.delete(key);
    this.served.set(key, [group, name]);
    if (this.served.size > MOST_TAKEN) this.served.delete(this.served.keys().next().value!);
  }

  /** @param runs - how many runs get it */
  give(runs: number, at: number, isTaken: (group: string, name: string) => boolean): Credit | undefined {
    const takes = [...this.served.values()].filter((one) => isTaken(...one));
    if (takes.length === 0) return undefined;
    // Forgets old ones.
    this.isOpen(at);
    const mark = this.marks.next(this.workerId);
    this.given.set(mark, { at, runs, heard: new Set() });
    return { mark, takes };
  }

  /** When the credit of this claim was given, which is before it was made; undefined for any other, or if heard before. */
  hear({ stepId, claimedBy }: Claim): number | undefined {
    if (!isSent(claimedBy)) return undefined;
    // Without its time.
    const mark = claimedBy.slice(0, claimedBy.lastIndexOf('.'));
    const given = this.given.get(mark);
    if (!given || given.heard.has(stepId)) return undefined;
    given.heard.add(stepId);
    if (given.heard.size >= given.runs) this.given.delete(mark);
    return given.at;
  }
}
