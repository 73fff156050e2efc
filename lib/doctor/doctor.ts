import { messageOf } from '../core/thrown.js';
import { ConfigurationError, DatabaseError, InvalidArgumentError } from '../core/errors.js';
import { checkedOptions, type KnownOptions, nearest } from '../core/options.js';
import { type Clock, stopwatch, systemClock, withinTime } from '../core/time.js';
import type { OutboxOrdering } from '../outbox/events.js';
import { findOutbox } from '../outbox/schema.sql.js';
import { outboxTableNames, outboxTables } from '../outbox/tables.sql.js';
import { isDenied } from '../sql/database-errors.js';
import { type SqlExecutor, timeLimited } from '../sql/executor.js';
import { validateName, validatePrefix } from '../sql/migrations/migrator.js';
import { sql, type Statement } from '../sql/statement.js';
import { findTables, tablesWithPrefix } from '../sql/tables.js';
import {
  type Answer,
  type Check,
  type CheckGroup,
  type CheckReport,
  DEFAULT_LIMITS,
  type DoctorLimits,
  type DoctorReport,
  type Patient,
  reportOf,
} from './check.js';
import { deliveryChecks, lockChecks, notificationCheck, publishedCheck } from './delivery-checks.js';
import { fleetChecks, poolCheck, runChecks } from './run-checks.js';
import { numberCheck, rightsCheck, schemaChecks, sizeCheck } from './schema-checks.js';
import { connectionChecks, horizonCheck, serverChecks, storageChecks, upkeepChecks } from './server-checks.js';

export interface DoctorOptions {
  /** The prefix of all our tables. Default `'durable'`. */
  prefix?: string;
  /** The schema of all our tables; on MySQL and MariaDB their database. Default: where the connection finds them. */
  schema?: string | undefined;
  /** The outbox of the app; false if it has none. */
  outbox?:
    | false
    | {
        table?: string | undefined;
        nodesTable?: string | undefined;
        schema?: string | undefined;
        ordering?: OutboxOrdering | undefined;
      };
  /** The option `limits.payload` of the app, bytes. Default 1,048,576. */
  payload?: number;
  /** From when on a finding is one. */
  limits?: Partial<DoctorLimits>;
  /** This machine's clock. */
  clock?: Clock;
}

const DOCTOR_OPTIONS = {
  prefix: true,
  schema: true,
  outbox: true,
  payload: true,
  limits: true,
  clock: true,
} satisfies KnownOptions<Omit<DoctorOptions, 'outbox' | 'limits' | 'clock'>> & Record<keyof DoctorOptions, true>;

export interface ExamineOptions {
  /** The ids of the checks to make. Default: all that the database has something for. */
  only?: readonly string[];
  /** The ids of checks that are not made. */
  skip?: readonly string[];
}

const EXAMINE_OPTIONS = { only: true, skip: true } satisfies KnownOptions<ExamineOptions>;

/** A check, as people choose it. */
export interface KnownCheck {
  readonly id: string;
  readonly group: CheckGroup;
  readonly meaning: string;
}

/** How long a look may take; then the server ends its statement. */
const LOOK_MS = 5_000;

/**
 * Looks at the database for what stops or slows an app: its settings, our tables, what others do in it, and what stands
 * still in our tables. It only reads, one check after the other, each for at most five seconds.
 *
 * @example
 * const report = await app.get(DurableDoctor).examine({ skip: ['durability'] });
 * for (const { findings } of report.checks) for (const { level, text, mend } of findings) console.log(level, text, mend);
 */
export class DurableDoctor {
  private readonly patient: Patient | undefined;

  /**
   * @param executor the connection to examine; undefined for an app without a database.
   * @throws InvalidArgumentError, UnknownOptionError
   */
  constructor(executor: SqlExecutor | undefined, options: DoctorOptions = {}) {
    checkedOptions(options, DOCTOR_OPTIONS, 'DurableDoctor');
    this.patient = executor && patientOf(executor, options);
  }

  /** The checks that this database has something for, in their order. */
  get checks(): KnownCheck[] {
    return this.applicable().map(({ id, group, meaning }) => ({ id, group, meaning }));
  }

  /**
   * Makes the checks. One that fails or takes too long is `untold`, and the others are still made.
   *
   * @throws DatabaseError when the database does not respond at all.
   * @throws InvalidArgumentError for a check that does not exist.
   * @throws ConfigurationError in an app without a database.
   */
  async examine(options: ExamineOptions = {}): Promise<DoctorReport> {
    checkedOptions(options, EXAMINE_OPTIONS, 'DurableDoctor.examine');
    const chosen = chosenOf(this.applicable(), options);
    const patient = this.patient!;
    const { dialect } = patient.executor;
    const [row] = await withinTime(
      LOOK_MS,
      () => patient.ask<{ version: string }>(sql`SELECT version() AS version`),
      (cause) => new DatabaseError(`The database has not answered within ${LOOK_MS / 1_000} s`, true, { cause }),
    );
    await (patient.outbox
      ? findOutbox(patient.executor, patient.outbox.tables)
      : findTables(patient.executor, patient.tables));
    const reports: CheckReport[] = [];
    // One after the other: a doctor must not take the connections that the app needs.
    for (const check of chosen) reports.push(await reportOn(check, patient));
    return reportOf(`${dialect.name}: ${String(row?.version)}`, reports);
  }

  private applicable(): Check[] {
    const { patient } = this;
    if (!patient)
      throw new ConfigurationError('The doctor examines databases: this app has none, since it has a `backend`');
    return ALL_CHECKS.filter(({ looks }) => looks[patient.executor.dialect.name]);
  }
}

function patientOf(executor: SqlExecutor, options: DoctorOptions): Patient {
  const { prefix = 'durable', schema, outbox = {}, payload = 1_048_576, limits = {}, clock = systemClock } = options;
  validatePrefix(prefix);
  if (schema !== undefined) validateName(schema, 'schema');
  const limited = timeLimited(executor);
  checkedOptions(limits, DEFAULT_LIMITS, 'DurableDoctor: limits');
  const tables = tablesWithPrefix(prefix, { schema });
  return {
    executor: limited,
    clock,
    tables,
    outbox:
      (outbox && {
        tables: outboxTables(prefix, outboxTableNames(outbox, prefix, {}), tables.home),
        ordering: outbox.ordering ?? 'commit',
      }) ||
      undefined,
    payloadBytes: payload,
    limits: { ...DEFAULT_LIMITS, ...limits },
    ask: async <Row>(read: Statement) => (await limited.run<Row>(read)).rows,
  };
}

/** @throws InvalidArgumentError for an id that no check has, on any server. */
function chosenOf(applicable: readonly Check[], { only, skip = [] }: ExamineOptions): Check[] {
  const ids = ALL_CHECKS.map(({ id }) => id);
  for (const id of [...(only ?? []), ...skip]) {
    if (ids.includes(id)) continue;
    const meant = nearest(id, ids);
    throw new InvalidArgumentError(
      'check',
      id,
      meant.length > 0 ? `${meant.join(' or ')}?` : `one of ${ids.join(', ')}`,
    );
  }
  return applicable.filter(({ id }) => (only?.includes(id) ?? true) && !skip.includes(id));
}

async function reportOn(check: Check, patient: Patient): Promise<CheckReport> {
  const { id, group, meaning, looks } = check;
  const began = stopwatch.now();
  const answer = await answerOf(() => looks[patient.executor.dialect.name]!(patient));
  const about = { id, group, meaning, page: `docs/doctor.md#${group}`, tookMs: Math.round(stopwatch.now() - began) };
  if ('untold' in answer)
    return { ...about, outcome: 'untold', findings: [], reason: answer.untold, mend: answer.mend };
  return { ...about, outcome: answer.length > 0 ? 'found' : 'well', findings: answer };
}

/** A check that cannot be made says why, and never hides the others. */
async function answerOf(look: () => Promise<Answer>): Promise<Answer> {
  try {
    return await withinTime(
      LOOK_MS,
      look,
      () => new Error(`the database has not answered within ${LOOK_MS / 1_000} s`),
    );
  } catch (error) {
    const text = messageOf(error);
    return { untold: isDenied(error) ? `this user may not look: ${text}` : text, mend: [] };
  }
}

/** In the order in which they are made: what explains others comes first. */
export const ALL_CHECKS: readonly Check[] = [
  ...serverChecks,
  ...connectionChecks,
  poolCheck,
  notificationCheck,
  ...schemaChecks,
  publishedCheck,
  ...storageChecks,
  numberCheck,
  rightsCheck,
  ...upkeepChecks,
  sizeCheck,
  horizonCheck,
  ...lockChecks,
  ...runChecks,
  ...fleetChecks,
  ...deliveryChecks,
];
