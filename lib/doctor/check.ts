import type { DoctorLimits } from './doctor-limits.js';
import type { OutboxOrdering } from '../outbox/model/outbox-event.js';
import type { OutboxTables } from '../outbox/tables/sql-outbox-tables.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import type { Statement } from '../sql/dialects/statement.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { Clock } from '../time/clock.js';

/** `error`: work stands still, or may be lost. `warning`: it may come to that. `info`: to be known. */
export type FindingLevel = 'error' | 'warning' | 'info';

export interface Finding {
  readonly level: FindingLevel;
  /** What was found, with its names and numbers. */
  readonly text: string;
  /** Statements, or commands of `npx nest-durable`, that mend it, in order; empty if none can. */
  readonly mend: readonly string[];
}

/** The answer of a check that could not be made. */
export interface Untold {
  readonly untold: string;
  /** Statements after which it can be made. */
  readonly mend: readonly string[];
}

/** What a check finds; an empty list: nothing is wrong. */
export type Answer = readonly Finding[] | Untold;

export type Look = (patient: Patient) => Promise<Answer>;

/** The headings of `docs/doctor.md`. */
export type CheckGroup = 'server' | 'connections' | 'schema' | 'rights' | 'upkeep' | 'locks' | 'work';

export interface Check {
  /** As `only` and `skip` name it. */
  readonly id: string;
  readonly group: CheckGroup;
  /** What it is about, in one sentence. */
  readonly meaning: string;
  /** What it looks at on each server; undefined where there is nothing like it. */
  readonly looks: Readonly<Record<Dialect['name'], Look | undefined>>;
}

/** A database, and how to look at it. */
export interface Patient {
  readonly executor: SqlExecutor;
  readonly tables: Tables;
  /** Undefined: the app has none. */
  readonly outbox: { readonly tables: OutboxTables; readonly ordering: OutboxOrdering } | undefined;
  /** The option `limits.payload` of the app. */
  readonly payloadBytes: number;
  readonly limits: DoctorLimits;
  /** This machine's. */
  readonly clock: Clock;
  /** Reads; the server ends what takes longer than a look may. */
  readonly ask: <Row>(read: Statement) => Promise<Row[]>;
}

export const error = (text: string, ...mend: string[]): Finding => ({ level: 'error', text, mend });
export const warning = (text: string, ...mend: string[]): Finding => ({ level: 'warning', text, mend });
export const info = (text: string, ...mend: string[]): Finding => ({ level: 'info', text, mend });
