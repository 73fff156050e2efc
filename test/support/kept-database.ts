import type { Backend, OpenBackend, OpenHandle } from './backends.js';
import type { Notifier } from '../../lib/sql/notifier.js';
import { executorOf, startedNotifier } from './engine-storage.js';
import { makeTables } from './our-tables.js';
import { roleOfTests } from './role-of-tests.js';
import type { Role } from './role-users.js';

/** A database with our tables, and what processes need to use it. */
export interface ProcessDatabase {
  backend: OpenBackend;
  /** Of the nth process of a test. */
  process(n: number, role?: Role): Promise<Connected>;
  /** Gives it back, once what was opened on it meanwhile is closed. */
  close(): Promise<void>;
}

interface Connected {
  /** The ORM, which it shares with the one after the next, and with all of its role. */
  handle: unknown;
  /** Shared with nobody. Undefined where a test has so many processes that each brings its own. */
  notifier?: Notifier;
}

interface Opened extends ProcessDatabase {
  isTaken: boolean;
  /** Ends what asks the database something by itself, which later files would see. */
  rest(): Promise<void>;
}

/** Those of this worker that may be used again, by pair and rights. */
const kept = new Map<string, Opened>();

/** So many processes of a test find a connection that listens already: most have fewer, and each is kept. */
const LISTENING = 6;
/** Connecting costs more than waiting for one. */
const POOL = { poolMax: 8 };

/**
 * A database for a block of tests: one that earlier blocks of this worker have used, since connecting, users and tables
 * cost more than most tests. It is used no more once its tables are not as they were made.
 */
export async function keptDatabase(at: Backend): Promise<ProcessDatabase> {
  const key = `${at.name} ${roleOfTests() ?? 'owner'}`;
  const known = kept.get(key);
  const own = known && !known.isTaken ? known : await openProcessDatabase(at);
  if (!known) kept.set(key, own);
  own.isTaken = true;
  const shape = await shapeOf(own.backend);
  const others: OpenHandle[] = [];
  const another: OpenBackend['another'] = async (options) => {
    const other = await own.backend.connect(options);
    others.push(other);
    return other.handle;
  };
  const close = async () => {
    await own.rest();
    await Promise.all(others.map((other) => other.close()));
    own.isTaken = false;
    if (kept.get(key) === own && (await shapeOf(own.backend)) === shape) return;
    if (kept.get(key) === own) kept.delete(key);
    await own.close();
  };
  return { backend: { ...own.backend, another }, process: own.process, close };
}

/** At the end of all files. */
export async function closeKept(): Promise<void> {
  await Promise.all([...kept.values()].map((own) => own.close()));
  kept.clear();
}

/** The ports from which this worker is connected to what it keeps. */
export async function keptPorts(): Promise<Set<number>> {
  const ports = await Promise.all([...kept.values()].map(({ backend }) => portsOf(backend)));
  return new Set(ports.flat());
}

export async function openProcessDatabase(at: Backend): Promise<Opened> {
  const backend = await at.open(POOL);
  const handles = [backend.handle, await backend.another(POOL)];
  // So that the first test can empty them.
  if (!roleOfTests()) await makeTables(backend, { outbox: false });
  const ofRoles = new Map<Role, Promise<unknown>>();
  const handleOf = async (n: number, role: Role) => {
    if (!roleOfTests() || role === 'engine') return handles[n % handles.length];
    const its = ofRoles.get(role) ?? backend.another({ ...POOL, role });
    ofRoles.set(role, its);
    return its;
  };
  const notifiers = new Map<string, Notifier>();
  const process = async (n: number, role: Role = 'engine') => {
    const handle = await handleOf(n, role);
    if (n >= LISTENING) return { handle };
    const name = `${n} ${role}`;
    const notifier = notifiers.get(name) ?? startedNotifier(executorOf({ orm: at.orm, handle }));
    notifiers.set(name, notifier);
    return { handle, notifier };
  };
  const rest = async () => {
    const stopped = [...notifiers.values()].map((notifier) => notifier.stop());
    notifiers.clear();
    await Promise.all(stopped);
  };
  const close = async () => {
    await rest();
    await backend.close();
  };
  return { backend, process, rest, close, isTaken: false };
}

async function portsOf({ db, query }: OpenBackend): Promise<number[]> {
  const rows =
    db === 'postgres'
      ? await query('SELECT client_port AS port FROM pg_stat_activity WHERE datname = current_database()')
      : await query(
          `SELECT SUBSTRING_INDEX(host, ':', -1) AS port FROM information_schema.processlist WHERE db = DATABASE()`,
        );
  return rows.map(({ port }) => Number(port));
}

/** Which tables there are, and with what. */
async function shapeOf({ db, query }: OpenBackend): Promise<string> {
  const rows =
    db === 'postgres'
      ? await query(
          `SELECT c.relname, c.relnatts, (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid) AS triggers
             FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace ORDER BY c.relname`,
        )
      : await query(
          `SELECT table_name AS name, count(*) AS parts FROM information_schema.columns WHERE table_schema = DATABASE()
             GROUP BY table_name
           UNION ALL SELECT trigger_name, 1 FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY 1`,
        );
  return JSON.stringify(rows);
}
