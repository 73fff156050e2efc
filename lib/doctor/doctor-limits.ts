/** From when on a finding is one. Times are milliseconds. */
export interface DoctorLimits {
  /** The difference between the clocks of the database and of this machine. Default 1,000. */
  clock: number;
  /** Server timeouts below this are too short for our statements. Default 30,000. */
  timeout: number;
  /** The share of the connections in use. Default 0.8. */
  connections: number;
  /** How long a transaction may be open before it is a warning. Default 60,000. */
  openWarning: number;
  /** How long before it is an error. Default 600,000. */
  openError: number;
  /** PostgreSQL: how many transactions a slot or a standby may lag behind. Default 1,000,000. */
  openTransactions: number;
  /** MySQL and MariaDB: the number of changes that wait for the purge. Default 100,000. */
  historyLength: number;
  /** How long a statement may wait for a lock. Default 5,000. */
  lockWait: number;
  /** PostgreSQL: the number of dead rows of a table, if they are more than a fifth of it. Default 10,000. */
  deadRows: number;
  /** PostgreSQL: the age of a table in transactions. Default 1,000,000,000. */
  wraparound: number;
  /** The share of its numbers that a sequence has used. Default 0.8. */
  sequence: number;
  /** PostgreSQL: the share of the queue of notifications that is in use. Default 0.5. */
  notifications: number;
  /** The age of answers to runs that do not exist; engines delete them after a day. Default 93,600,000 (26 hours). */
  strays: number;
  /** The age of signals that no run takes. Default 604,800,000 (7 days). */
  signals: number;
  /** How late a schedule, or a run that is due, may be. Default 60,000. */
  late: number;
  /** The bytes of all our tables with their indexes. Default 10,000,000,000 (10 GB). */
  size: number;
  /** The number of runs that ended long ago. Default 1,000,000. */
  endedRuns: number;
  /** How long ago. Default 2,592,000,000 (30 days). */
  endedAge: number;
}

export const DEFAULT_LIMITS: DoctorLimits = {
  clock: 1_000,
  timeout: 30_000,
  connections: 0.8,
  openWarning: 60_000,
  openError: 600_000,
  openTransactions: 1_000_000,
  historyLength: 100_000,
  lockWait: 5_000,
  deadRows: 10_000,
  wraparound: 1_000_000_000,
  sequence: 0.8,
  notifications: 0.5,
  strays: 26 * 3_600_000,
  signals: 7 * 86_400_000,
  late: 60_000,
  size: 1e10,
  endedRuns: 1_000_000,
  endedAge: 30 * 86_400_000,
};
