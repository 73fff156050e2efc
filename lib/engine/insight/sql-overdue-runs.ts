import { byFamily } from '../../sql/dialects/dialect.js';
import type { Statement } from '../../sql/dialects/statement.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import type { OverdueRuns } from '../model/run-control.js';
import { type RunKind, selectNextKinds, selectOverdue, selectOverdueOf } from './overdue-runs.sql.js';

interface KindRow {
  workflow: string;
  version: number | string;
}

/** How many workflows and versions one statement asks about. */
const AT_ONCE = 50;

/** Finds the workflows and versions with runs that wait to be claimed. */
export class SqlOverdueRuns {
  /** MySQL and MariaDB: the ones that were found before, so that only new ones take more statements. */
  private known: RunKind[] = [];

  constructor(
    private readonly db: SqlConnection,
    private readonly scope: Scope,
  ) {}

  find(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    return byFamily(this.scope.dialect, {
      postgres: () => this.overdue(selectOverdue(this.scope, namespace, olderThanMs)),
      mysql: () => this.findInKinds(namespace, olderThanMs),
    });
  }

  private async findInKinds(namespace: string, olderThanMs: number): Promise<OverdueRuns[]> {
    const found: OverdueRuns[] = [];
    for (const kinds of parts(await this.kinds(namespace)))
      found.push(...(await this.overdue(selectOverdueOf(this.scope, namespace, kinds, olderThanMs))));
    return found;
  }

  /** From each that is known to the next, until nothing new is found. */
  private async kinds(namespace: string): Promise<readonly RunKind[]> {
    const found = new Map<string, RunKind>();
    let after: RunKind[] = [{ workflow: '', version: 0 }, ...this.known];
    const asked = new Set(after.map(keyOf));
    while (after.length > 0) {
      const next: RunKind[] = [];
      for (const some of parts(after)) next.push(...(await this.next(namespace, some)));
      for (const kind of next) found.set(keyOf(kind), kind);
      after = next.filter((kind) => !asked.has(keyOf(kind)));
      for (const kind of after) asked.add(keyOf(kind));
    }
    this.known = [...found.values()];
    return this.known;
  }

  private async next(namespace: string, after: readonly RunKind[]): Promise<RunKind[]> {
    const { rows } = await this.db.run<KindRow>(selectNextKinds(this.scope, namespace, after));
    return rows.map(({ workflow, version }) => ({ workflow, version: Number(version) }));
  }

  private async overdue(statement: Statement): Promise<OverdueRuns[]> {
    const { rows } = await this.db.run<KindRow & { since: number | string }>(statement);
    return rows.map(({ workflow, version, since }) => ({ workflow, version: Number(version), since: Number(since) }));
  }
}

const keyOf = ({ workflow, version }: RunKind): string => JSON.stringify([workflow, version]);

const parts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
