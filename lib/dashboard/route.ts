import type { ActedBy } from '../acts/acts.js';
import { InvalidArgumentError } from '../core/errors.js';
import { type Clock, stopwatch } from '../core/time.js';
import type { DoctorReport, FindingLevel } from '../doctor/check.js';
import type { Operator } from '../operate/operator.js';
import type { Permission, RunRow, Show } from './options.js';

/** A request to the dashboard's API whose sender was checked. */
export interface Asked {
  operator: Operator;
  examine: () => Promise<DoctorReport>;
  /** What was found last, without examining the database each time. */
  examined: () => Promise<RecentExamination>;
  /** What the process that serves the route has measured, for Prometheus; undefined if it measures nothing. */
  metrics?: (() => Promise<string>) | undefined;
  /** The parameters in the path. */
  params: Readonly<Record<string, string>>;
  /** The query of a GET, the body of another request, with only the names that the route knows. */
  given: Given;
  /** Who asks and, for a change, why. */
  by: ActedBy;
  /** Whom the act log names when payloads are looked at; undefined: it does not. */
  looker: string | undefined;
  linksOf: (run: RunRow) => { title: string; href: string }[];
  /** A payload as this user may see it. */
  show: Show;
}

/** One address of the API, the same for the page in an app and for `nest-durable dashboard`. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `<path>/api/`, with `:name` for parameters. */
  path: string;
  permission: Permission;
  /** The names in its query or body. `reason` is in every body. */
  known: readonly string[];
  /** The content type of its answer, which is a text then. Default: JSON. */
  type?: string;
  answer(asked: Asked): Promise<unknown>;
}

export const get = (
  path: string,
  known: readonly string[],
  answer: Route['answer'],
  permission: Permission = 'read',
): Route => ({ method: 'GET', path, permission, known, answer });

export const post = (
  path: string,
  permission: Permission,
  known: readonly string[],
  answer: Route['answer'],
): Route => ({ method: 'POST', path, permission, known, answer });

/** The query or the body of a request: unchecked values by name. Each reader throws an InvalidArgumentError. */
export class Given {
  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly what: string,
  ) {}

  /** @throws InvalidArgumentError for a name that is not in `known` */
  static of(values: unknown, known: readonly string[], what: string): Given {
    if (values !== undefined && (typeof values !== 'object' || values === null || Array.isArray(values)))
      throw new InvalidArgumentError(what, values, 'an object');
    const given = { ...values } as Record<string, unknown>;
    for (const name of Object.keys(given))
      if (!known.includes(name))
        throw new InvalidArgumentError(`${what}: ${name}`, given[name], `one of ${known.join(', ')}`);
    return new Given(given, what);
  }

  /** Any JSON value. */
  raw(name: string): unknown {
    return this.values[name];
  }

  text(name: string): string | undefined {
    return this.read(name, 'a text without NUL', (value) =>
      typeof value === 'string' && !value.includes('\0') ? value : undefined,
    );
  }

  /** A whole number, also as the text of a query. */
  number(name: string): number | undefined {
    return this.read(name, 'a whole number', (value) => {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
      return Number.isSafeInteger(number) ? (number as number) : undefined;
    });
  }

  flag(name: string): boolean | undefined {
    return this.read(name, 'true or false', (value) =>
      value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
    );
  }

  date(name: string): Date | undefined {
    return this.read(name, 'a time such as 2026-01-02T03:04:05Z', (value) => {
      const date = typeof value === 'string' ? new Date(value) : undefined;
      return date && !Number.isNaN(date.getTime()) ? date : undefined;
    });
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.read(name, `one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));
  }

  /** Several, separated by commas; whoever takes them checks them. */
  list(name: string): string[] | undefined {
    return this.read(name, 'texts with commas between them', (value) =>
      typeof value === 'string' ? value.split(',') : undefined,
    );
  }

  /** One text or several, as a parameter that is repeated. */
  repeated(name: string): string[] | undefined {
    return this.read(name, 'one text or several', (value) => {
      const texts = Array.isArray(value) ? (value as unknown[]) : [value];
      return texts.every((one) => typeof one === 'string' && !one.includes('\0')) ? (texts as string[]) : undefined;
    });
  }

  texts(name: string): string[] | undefined {
    return this.read(name, 'a list of texts', (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string') ? (value as string[]) : undefined,
    );
  }

  /** @throws InvalidArgumentError if it is missing */
  needed<T>(name: string, value: T | undefined, expected: string): T {
    if (value === undefined) throw new InvalidArgumentError(`${this.what}: ${name}`, value, expected);
    return value;
  }

  private read<T>(name: string, expected: string, reader: (value: unknown) => T | undefined): T | undefined {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    const read = reader(value);
    if (read === undefined) throw new InvalidArgumentError(`${this.what}: ${name}`, value, expected);
    return read;
  }
}

/** What the overview says of the last examination. */
export interface RecentExamination {
  counts: DoctorReport['counts'];
  /** The errors and warnings, worst first. */
  findings: { check: string; level: FindingLevel; text: string }[];
  /** How long ago, in ms. */
  ageMs: number;
}

/** Overviews that are looked at have the database examined this often. */
const RECENT_MS = 600_000;
const MOST_FINDINGS = 10;

/** Examines the database for those who ask: whoever asks while it is examined gets the same report. */
export class Examination {
  private current: Promise<DoctorReport> | undefined;
  private last: { report: DoctorReport; at: number } | undefined;

  constructor(
    private readonly doctor: { examine: () => Promise<DoctorReport> },
    private readonly elapsed: Clock = stopwatch,
  ) {}

  /** @throws as `DurableDoctor.examine` */
  report(): Promise<DoctorReport> {
    this.current ??= this.examined().finally(() => (this.current = undefined));
    return this.current;
  }

  /** A summary of the last report, if it is younger than ten minutes, else of a new one. @throws as `report` */
  async recent(): Promise<RecentExamination> {
    if (!this.last || this.elapsed.now() - this.last.at > RECENT_MS) await this.report();
    const { report, at } = this.last!;
    return { counts: report.counts, findings: worstOf(report), ageMs: Math.round(this.elapsed.now() - at) };
  }

  private async examined(): Promise<DoctorReport> {
    const report = await this.doctor.examine();
    this.last = { report, at: this.elapsed.now() };
    return report;
  }
}

function worstOf({ checks }: DoctorReport): RecentExamination['findings'] {
  const all = checks.flatMap(({ id, findings }) => findings.map(({ level, text }) => ({ check: id, level, text })));
  const of = (wanted: FindingLevel) => all.filter(({ level }) => level === wanted);
  return [...of('error'), ...of('warning')].slice(0, MOST_FINDINGS);
}
