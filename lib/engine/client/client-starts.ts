import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowNotFoundError } from '../../errors/run-errors.js';
import { checkedOptions } from '../../options/known-options.js';
import type { Transaction } from '../../protocol/transaction.js';
import { Batcher } from '../../time/batcher.js';
import type { Clock } from '../../time/clock.js';
import { acceptedInput } from '../model/accepted-input.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { newRun } from '../model/new-run.js';
import type { Payloads } from '../model/payloads.js';
import { transactionOf } from '../model/run-catalog.js';
import type { NewRun, RunRecord } from '../model/run.js';
import { START_OPTIONS, type StartOptions, uniquenessOf } from '../model/start-options.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { WorkflowTarget } from '../model/workflow-target.js';
import { checkSame } from './run-outcome.js';

export interface StartPorts {
  storage: EngineStorage;
  payloads: Payloads;
  resolve: WorkflowLookup;
  namespace: string;
  clock: Clock;
  /** What a new run carries, as JSON text. */
  context?: (run: NewRun) => string | undefined;
}

interface Creation {
  created: boolean;
  run: RunRecord;
}

/** Starts runs. Those without a transaction that are started at the same time are written by one statement. */
export class ClientStarts {
  private readonly creations: Batcher<NewRun, Creation>;

  constructor(private readonly ports: StartPorts) {
    this.creations = new Batcher((runs) => ports.storage.catalog.create(runs), {
      sizeOf: ({ input }) => input.length,
      isolates: () => true,
    });
  }

  async start(
    workflow: WorkflowTarget,
    input: unknown,
    options: StartOptions,
  ): Promise<{ id: string; created: boolean }> {
    const { transactions, catalog } = this.ports.storage;
    checkedOptions(options, START_OPTIONS, 'start');
    const run = this.asked(workflow, input, options);
    const open = transactionOf(transactions, options.transaction);
    if (run.after) await this.checkThere(run.after, open);
    const creation = open ? (await catalog.create([run], open))[0]! : await this.creations.add(run);
    return this.started(run, creation, options.id === undefined);
  }

  /** @throws InvalidArgumentError if the run would start in a transaction, since it then begins only after the commit */
  refuseTransaction({ transaction }: StartOptions): void {
    if (transaction === undefined && !this.ports.storage.transactions.ambient()) return;
    throw new InvalidArgumentError(
      'transaction',
      transaction ?? 'open',
      'no transaction: a run starts after the commit, so waiting for it inside of the transaction would never end',
    );
  }

  private asked(workflow: WorkflowTarget, input: unknown, options: StartOptions): NewRun {
    const known = this.ports.resolve(workflow, options.version);
    const id = options.id ?? randomUUID();
    const run = newRun(this.ports, known, acceptedInput(known, input), { ...options, id });
    const context = this.ports.context?.(run);
    return { ...run, ...uniquenessOf(run, options), ...(context !== undefined && { context }) };
  }

  /** Checks in the caller's transaction, which sees its own runs, and outside, for runs committed after it began. */
  private async checkThere(ids: readonly string[], tx: Transaction | undefined): Promise<void> {
    const { catalog } = this.ports.storage;
    const found = new Set((await catalog.find(ids, tx)).map(({ id }) => id));
    const unseen = ids.filter((id) => !found.has(id));
    if (tx && unseen.length > 0) for (const { id } of await catalog.find(unseen)) found.add(id);
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw new WorkflowNotFoundError(missing);
  }

  private started(asked: NewRun, creation: Creation, isDrawn: boolean): { id: string; created: boolean } {
    const { run } = creation;
    // The id was generated for this start, so the run is its own: the reply to the first commit was lost.
    const created = creation.created || (isDrawn && run.id === asked.id);
    // A run with another id has the same singleton or debounce key: no conflict.
    if (!created && run.id === asked.id) checkSame(asked, run, this.ports.payloads);
    return { id: run.id, created };
  }
}
