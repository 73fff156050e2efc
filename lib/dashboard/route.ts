import type { ActedBy } from '../acts/act.js';
import type { DoctorReport } from '../doctor/doctor-report.js';
import type { Operator } from '../operator/operator.js';
import type { RecentExamination } from './examination.js';
import type { Given } from './given.js';
import type { RunRow } from './run-rows.js';
import type { Permission } from './permissions.js';
import type { Show } from './sight.js';

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
