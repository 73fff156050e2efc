import { ALL_RIGHTS, type NeededTable, type Right } from '../sql/migrations/table-rights.js';

/** What a database user does, apart from the owner of the tables, who migrates them. */
export interface DurableRoles {
  /** Starts runs, signals them, looks at them and waits for their results. */
  client?: string;
  /** Plays workflows. It may do all that other processes do, except to migrate. */
  engine?: string;
  /** Runs remote steps of a Nest app. */
  worker?: string;
  /** Runs remote steps in another language: it knows the two tables of the contract alone. */
  foreignWorker?: string;
  /** Everything of `Operator`, and its record of acts, which it may not change: an engine erases persons. */
  operator?: string;
  /** Reads what has no payloads: ids, names, states, times. */
  reader?: string;
}

export type RoleName = keyof DurableRoles;

/** A process, or a part of what an app does, whose rights are to whole tables. */
export type WholeRole = Exclude<RoleName, 'reader'> | 'relay' | 'effects';

/** Letters: S(ELECT), I(NSERT), U(PDATE), D(ELETE). By the names of the tables after the prefix. */
type TableRights = Readonly<Record<string, string>>;

/** Each process reads which migrations were applied. */
const EVERYBODY: TableRights = { migrations: 'S' };

/** A row that is locked needs UPDATE, even where nothing of it is changed. */
const CLIENT: TableRights = {
  ...EVERYBODY,
  runs: 'SIU',
  run_attributes: 'SIU',
  run_dependencies: 'SI',
  start_keys: 'SIU',
  steps: 'S',
  step_attempts: 'S',
  step_logs: 'S',
  signals: 'SIU',
  signal_channels: 'SIU',
  signal_waits: 'SUD',
  limiters: 'SIU',
  limiter_entries: 'SIU',
  transport_tasks: 'SD',
  // MySQL and MariaDB: an INSERT that keeps an existing row needs UPDATE.
  transport_results: 'SIU',
  effects: 'S',
  nodes: 'S',
  holds: 'S',
  erasures: 'S',
};

const FOREIGN_WORKER: TableRights = { transport_tasks: 'SUD', transport_results: 'SIU' };

const WORKER: TableRights = {
  ...EVERYBODY,
  ...FOREIGN_WORKER,
  // Notes are written for runs that exist; and the process that has been there longest looks for unserved work.
  runs: 'S',
  effects: 'S',
  step_attempts: 'SIU',
  step_logs: 'SI',
  nodes: 'SIUD',
  samples: 'SIUD',
  holds: 'S',
};

/** A process that does nothing else: what it needs of the events themselves, `outboxRolesSql` grants. */
const RELAY: TableRights = {
  ...EVERYBODY,
  nodes: 'SIUD',
  samples: 'SIUD',
  outbox_destinations: 'SIUD',
  outbox_shards: 'SIUD',
  outbox_channels: 'SIUD',
  outbox_dead: 'SIUD',
  outbox_pruned: 'SIUD',
  inbox_positions: 'SIUD',
};

const EFFECTS: TableRights = {
  ...EVERYBODY,
  nodes: 'SIUD',
  samples: 'SIUD',
  holds: 'S',
  // It looks for unserved work, and answers the runs that wait for a complete operation.
  runs: 'S',
  signal_waits: 'S',
  transport_tasks: 'SD',
  transport_results: 'SIU',
  effects: 'SIUD',
  effect_audit: 'SIUD',
};

const OPERATOR: TableRights = {
  ...EVERYBODY,
  runs: 'SIUD',
  run_attributes: 'SIUD',
  run_dependencies: 'SID',
  start_keys: 'SIUD',
  steps: 'SIUD',
  step_attempts: 'SIUD',
  step_logs: 'SIUD',
  signals: 'SIUD',
  signal_channels: 'SIUD',
  signal_waits: 'SIUD',
  limiters: 'SIUD',
  limiter_entries: 'SIUD',
  schedules: 'SIUD',
  transport_tasks: 'SIUD',
  transport_results: 'SIUD',
  // That it must begin nothing new.
  nodes: 'SU',
  samples: 'S',
  holds: 'SIUD',
  // What was recorded stays.
  acts: 'SI',
  erasures: 'S',
  effects: 'SUD',
  effect_audit: 'SID',
  outbox_destinations: 'SUD',
  outbox_shards: 'SD',
  outbox_channels: 'SIUD',
  outbox_dead: 'SIUD',
  outbox_pruned: 'S',
  // MySQL and MariaDB: hooks are told of a run that it ends.
  outbox_locks: 'SU',
  inbox_positions: 'S',
};

/** What a reader may see of each table: a list leaves out these columns, which may hold data of the app. */
export const PAYLOAD_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  runs: ['input', 'output', 'error', 'reason_detail', 'custom_status', 'context', 'limits', 'resume'],
  steps: ['input', 'output', 'error'],
  step_attempts: ['error'],
  step_logs: ['message', 'fields'],
  signals: ['payload'],
  schedules: ['input'],
  limiter_entries: ['limits', 'task'],
  acts: ['details'],
  transport_tasks: ['input'],
  transport_results: ['output', 'error'],
  effects: ['ref', 'payload', 'last_error', 'error'],
  effect_audit: ['details'],
  outbox_channels: ['last_error'],
  outbox_dead: ['data', 'headers', 'reason', 'last_error'],
};

/** What roles do not see of tables that they may only read. A worker reads what a run carries, its `context`, for traces. */
const HIDDEN: Partial<Record<RoleName, Readonly<Record<string, readonly string[]>>>> = {
  reader: PAYLOAD_COLUMNS,
  worker: {
    runs: PAYLOAD_COLUMNS['runs']!.filter((column) => column !== 'context'),
    effects: PAYLOAD_COLUMNS['effects']!,
  },
};

/** The columns of a table, by its name after the prefix, that a role does not see; undefined: it sees all. */
export const hiddenFrom = (role: RoleName, table: string): readonly string[] | undefined => HIDDEN[role]?.[table];

/** Rights to whole tables; undefined: to all of them. */
const ROLE_RIGHTS: Readonly<Record<WholeRole, TableRights | undefined>> = {
  client: CLIENT,
  engine: undefined,
  worker: WORKER,
  foreignWorker: FOREIGN_WORKER,
  operator: OPERATOR,
  relay: RELAY,
  effects: EFFECTS,
};

const NAMED: Readonly<Record<string, Right>> = { S: 'SELECT', I: 'INSERT', U: 'UPDATE', D: 'DELETE' };

/** What a role may do with a table, by its name after the prefix. */
function rightsTo(role: WholeRole, table: string): readonly Right[] {
  const { [role]: rights } = ROLE_RIGHTS;
  if (!rights) return table in EVERYBODY ? ['SELECT'] : ALL_RIGHTS;
  return [...(rights[table] ?? '')].flatMap((letter) => NAMED[letter] ?? []);
}

/** What a role needs of these tables. */
export const neededBy = (role: WholeRole, prefix: string, names: readonly string[]): NeededTable[] =>
  names
    .map((name) => ({ name, rights: rightsTo(role, name.slice(prefix.length + 1)) }))
    .filter(({ rights }) => rights.length > 0);

/** Of that, what it needs of whole tables: a start cannot tell whether single columns are granted. */
export const wholeNeeds = (role: WholeRole, prefix: string, names: readonly string[]): NeededTable[] =>
  neededBy(role, prefix, names).filter(({ name }) => !HIDDEN[role as RoleName]?.[name.slice(prefix.length + 1)]);

/** What a reader needs of these tables, apart from those whose columns it is granted. */
export const readableBy = (prefix: string, names: readonly string[]): NeededTable[] =>
  names
    .filter((name) => !(name.slice(prefix.length + 1) in PAYLOAD_COLUMNS))
    .map((name) => ({ name, rights: ['SELECT'] }));

/** Each table once. */
export function mergedNeeds(needed: readonly NeededTable[]): NeededTable[] {
  const names = [...new Set(needed.map(({ name }) => name))];
  return names.map((name) => {
    const all = new Set(needed.filter((table) => table.name === name).flatMap(({ rights }) => rights));
    return { name, rights: ALL_RIGHTS.filter((right) => all.has(right)) };
  });
}
