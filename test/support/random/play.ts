import type { WorkflowContext } from '../../../lib/engine/context.js';
import { WorkflowSignal } from '../../../lib/engine/signals.js';
import { NonRetryableStepError, RetryAfterError } from '../../../lib/core/run-errors.js';
import type { StepContext } from '../../../lib/core/protocol.js';
import type { Op } from './programs.js';

/** What was done outside, in its order. */
export interface Deed {
  what: 'did' | 'undid';
  run: string;
  id: string;
  /** Its idempotency key, and the number of the attempt. Transactions are given neither. */
  key?: string;
  attempt?: number;
  /** By a worker, not by the process that plays the run. */
  remotely?: true;
}

export interface Ledger {
  deeds: Deed[];
  /** How often each step that fails first has been tried, by run and id. */
  tries: Map<string, number>;
}

export const told = new WorkflowSignal<string>('told');

const POLICY = { retry: { attempts: 3, backoff: { delay: 1, factor: 1, jitter: 'none' } } } as const;

type Acting = Extract<Op, { failures: number }>;
type Known = Pick<Deed, 'key' | 'attempt' | 'remotely'>;

/** Does what an op says, or fails as it says; from the tries, so that a crash of the process changes nothing of it. */
function act(ledger: Ledger, run: string, op: Acting, tries: number, known: Known = {}): string {
  ledger.deeds.push({ what: 'did', run, id: op.id, ...known });
  const fails = tries <= op.failures;
  if (op.gaveUp && (fails || !op.mends)) throw new NonRetryableStepError(`${op.id} gave up`, 'GAVE_UP');
  if (fails && typeof op.laterMs === 'number') throw new RetryAfterError(op.laterMs, `${op.id} later`);
  if (fails) throw new Error(`${op.id} not yet`);
  return op.id;
}

function unact(ledger: Ledger, run: string, op: Acting, known: Known = {}): void {
  ledger.deeds.push({ what: 'undid', run, id: op.id, ...known });
  if (op.undoFailures && tried(ledger, run, `undo of ${op.id}`) <= op.undoFailures)
    throw new Error(`${op.id} not undone yet`);
}

const knownOf = ({ idempotencyKey: key, attempt }: { idempotencyKey: string; attempt: number }): Known => ({
  key,
  attempt,
});

/** The workflow that any op is part of: its input says what it does. */
export const program =
  (ledger: Ledger) =>
  async (ctx: WorkflowContext, body: Op[]): Promise<unknown> =>
    inOrder(ctx, ledger, body);

async function inOrder(ctx: WorkflowContext, ledger: Ledger, ops: readonly Op[]): Promise<unknown[]> {
  const outputs: unknown[] = [];
  for (const op of ops) outputs.push(await one(ctx, ledger, op));
  return outputs;
}

function one(ctx: WorkflowContext, ledger: Ledger, op: Op): Promise<unknown> {
  const run = ctx.workflowId;
  switch (op.do) {
    case 'step':
      return ctx.step(op.id, (step) => act(ledger, run, op, step.attempt, knownOf(step)), {
        ...policyOf(op),
        ...(op.undo && { compensate: (_, step) => unact(ledger, run, op, knownOf(step)) }),
      });
    case 'transaction':
      return ctx.transaction(op.id, () => act(ledger, run, op, tried(ledger, run, op.id)), {
        ...policyOf(op),
        ...(op.undo && { compensate: () => unact(ledger, run, op) }),
      });
    case 'remote':
      return ctx.remote(
        op.id,
        { run, op },
        { ...policyOf(op), ...(op.undo && { compensate: (_, step) => unact(ledger, run, op, knownOf(step)) }) },
      );
    case 'sleep':
      return ctx.sleep(op.id, op.ms).then(() => op.id);
    case 'signal':
      return op.timeoutMs === null
        ? ctx.waitForSignal(op.id, told, { key: key(run, op) })
        : ctx.waitForSignal(op.id, told, { key: key(run, op), timeout: op.timeoutMs });
    case 'any': {
      const waits = { told: ctx.signalWait(told, { key: key(run, op) }), late: ctx.timer(op.timerMs) };
      return ctx.waitForAny(op.id, waits).then((first) => first.key);
    }
    case 'race':
      return Promise.race(op.branches.map((ops, i) => inOrder(ctx, ledger, ops).then(() => `branch ${i}`)));
    case 'all':
      return Promise.all(op.branches.map((ops) => inOrder(ctx, ledger, ops)));
    case 'child':
      return ctx.executeChild('program', op.body);
    case 'children':
      return ctx.all('program', op.bodies, { mode: 'settled' }).then((ends) => ends.map(({ status }) => status));
    case 'caught':
      return inOrder(ctx, ledger, op.body).catch((error: Error) => `caught ${error.message}`);
    case 'note':
      return Promise.resolve(typeof ctx.random());
    case 'commit':
      ctx.commit(op.id);
      return Promise.resolve(op.id);
  }
}

const policyOf = ({ blocks }: Acting) => ({ ...POLICY, ...(blocks && { onExhausted: 'block' as const }) });

/** Transactions are given no number of their try. */
function tried(ledger: Ledger, run: string, id: string): number {
  const tries = (ledger.tries.get(`${run}/${id}`) ?? 0) + 1;
  ledger.tries.set(`${run}/${id}`, tries);
  return tries;
}

/** The worker's side. */
export const served =
  (ledger: Ledger) =>
  ({ run, op }: { run: string; op: Acting }, step: StepContext): string =>
    act(ledger, run, op, tried(ledger, run, op.id), { ...knownOf(step), remotely: true });

export const key = (run: string, { id }: { id: string }): string => `${run}/${id}`;

/** What a certain body comes to. */
export function outcomeOf(ops: readonly Op[]): { output: unknown } | { error: string } {
  const outputs: unknown[] = [];
  for (const op of ops) {
    const outcome = outcomeOfOne(op);
    if ('error' in outcome) return outcome;
    outputs.push(outcome.output);
  }
  return { output: outputs };
}

function outcomeOfOne(op: Op): { output: unknown } | { error: string } {
  switch (op.do) {
    case 'step':
    case 'transaction':
    case 'remote':
      return op.gaveUp ? { error: `${op.id} gave up` } : { output: op.id };
    case 'signal':
      return { output: `payload of ${op.id}` };
    case 'all': {
      const outcomes = op.branches.map(outcomeOf);
      const failed = outcomes.filter((outcome) => 'error' in outcome);
      // Which one fails first is the journal's to say.
      if (failed.length > 0) return failed.length === 1 ? failed[0]! : { error: '?' };
      return { output: outcomes.map((outcome) => (outcome as { output: unknown }).output) };
    }
    case 'child':
      return outcomeOf(op.body);
    case 'children':
      return { output: op.bodies.map((body) => ('error' in outcomeOf(body) ? 'rejected' : 'fulfilled')) };
    case 'caught': {
      const outcome = outcomeOf(op.body);
      return 'error' in outcome ? { output: `caught ${outcome.error}` } : outcome;
    }
    case 'note':
      return { output: 'number' };
    default:
      return { output: op.id };
  }
}
