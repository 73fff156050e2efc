import { type MomentQuery, nextOf, STAGE, WHAT } from '../core/protocol.js';
import type { Clock } from '../core/time.js';
import { inMemoryTransaction, type Transaction } from '../core/transaction.js';
import type { Act, ActInStory, ActKind, ActLog, ActTarget, ListActs, ListedActs, NewAct } from './acts.js';

/** The table of acts in memory. */
export class MemoryActs {
  readonly acts: Act[] = [];
}

export class InMemoryActLog implements ActLog {
  constructor(
    private readonly clock: Clock,
    private readonly table = new MemoryActs(),
  ) {}

  within<T>(tx: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inMemoryTransaction(tx, work);
  }

  async record(acts: readonly NewAct[]): Promise<void> {
    const { acts: all } = this.table;
    for (const act of acts) {
      const details = JSON.parse(JSON.stringify(act.details)) as Act['details'];
      all.push({ ...act, details, id: String(Number(all.at(-1)?.id ?? 0) + 1), at: new Date(this.clock.now()) });
    }
  }

  async list({ namespace, since, until, before, limit, ...wanted }: ListActs): Promise<ListedActs> {
    const matches = (act: Act): boolean =>
      (act.namespace ?? namespace) === namespace &&
      Object.entries(wanted).every(([field, value]) => act[field as keyof typeof wanted] === value) &&
      (since === undefined || act.at.getTime() >= since) &&
      (until === undefined || act.at.getTime() < until) &&
      (before === undefined || Number(act.id) < Number(before));
    const found = this.table.acts.filter(matches).reverse();
    const acts = found.slice(0, limit);
    return { acts, ...(found.length > limit && { next: acts.at(-1)!.id }) };
  }

  async story(
    namespace: string,
    targets: readonly ActTarget[],
    query: Omit<MomentQuery, 'runIds'>,
  ): Promise<ActInStory[]> {
    const found = targets.flatMap(({ kind, target, run }) =>
      this.table.acts
        .filter((act) => act.kind === kind && act.target === target && (act.namespace ?? namespace) === namespace)
        .map((act) => ({ at: act.at.getTime(), run, stage: STAGE.first, what: WHAT.act, item: act.id, act })),
    );
    return nextOf(found, query).map(({ act, ...moment }) => ({ moment, act }));
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { acts } = this.table;
    const before = this.clock.now() - olderThanMs;
    const old = acts.slice(0, limit).filter(({ at }) => at.getTime() <= before);
    for (const act of old) acts.splice(acts.indexOf(act), 1);
    return old.length;
  }

  async forget(kind: ActKind, targets: readonly string[]): Promise<number> {
    const { acts } = this.table;
    const found = acts.filter(
      (act) => act.kind === kind && targets.includes(act.target) && Object.keys(act.details).length > 0,
    );
    for (const act of found) acts[acts.indexOf(act)] = { ...act, details: {} };
    return found.length;
  }
}
