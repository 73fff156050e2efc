import type { PollLoop } from '../../lib/core/loops.js';
import { randomUUID } from 'node:crypto';
import type { StepEffects, StepEvents } from '../../lib/engine/step.js';
import type { Identifier } from '../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../lib/sql/tables.js';
import type { Clock, ManualClock } from '../../lib/core/time.js';
import type { Worker, WorkerOptions } from '../../lib/worker/worker.js';
import { type Backend, describeDatabases, type OpenBackend } from './backends.js';
import { emptyTables } from './empty-tables.js';
import { type Body, engineParts, type EngineParts, type EnginePartsOptions } from './engine-parts.js';
import { memoryStorage, type OpenStorage, sqlStorage, workerOn } from './engine-storage.js';
import { mortal, type Mortal, type PortHooks } from './mortal-storage.js';
import type { Role } from './role-users.js';
import { roleOfTests } from './role-of-tests.js';
import { openProcessDatabase, type ProcessDatabase, keptDatabase } from './kept-database.js';

type Handlers = Parameters<typeof workerOn>[1];

export interface BootOptions extends EnginePartsOptions {
  workflows?: Record<string, Body>;
  /** Remote steps that it serves. */
  handlers?: Handlers;
  worker?: Partial<WorkerOptions>;
  hooks?: PortHooks;
  /** Where what it publishes goes. */
  stepEvents?: (storage: OpenStorage) => StepEvents;
  /** Where the calls go that it has made. */
  stepEffects?: (storage: OpenStorage) => StepEffects;
  /** False for a process whose engine plays nothing. Default true. */
  engine?: boolean;
  /** Whose rights it has in a suite under roles. Default: those of an engine, or of an operator if it has none. */
  role?: Role;
}

/** An engine, a client and perhaps a worker: what a process is, and can be killed like one. */
export interface Process extends EngineParts {
  nodeId: string;
  /** Of the workers that it has begun. */
  workerIds: readonly string[];
  storage: OpenStorage;
  /** False once it was killed. */
  readonly alive: boolean;
  serve(handlers: Handlers, options?: Partial<WorkerOptions>): Worker;
  /**
   * Nothing it does from now on reaches the storage, and nothing comes back to it, to its client neither: where it may be
   * killed while a test asks something, another process is asked.
   */
  kill(): void;
  /** Resolves once what it was asking of its storage, or of this port, is done. */
  settled: Mortal['settled'];
}

/** A storage, and the processes that share it for one test. */
export interface House {
  kind: 'memory' | 'sql';
  /** Undefined in memory. */
  backend: OpenBackend | undefined;
  boot(options?: BootOptions): Promise<Process>;
  /** Lets the leases of a killed process run out at once: its runs and tasks are anybody's. */
  bury(dead: Process): Promise<void>;
  /** Lets the leases of its tasks run out at once. */
  lapse(process: Pick<Process, 'workerIds'>): Promise<void>;
  /** Stops all processes. */
  close(): Promise<void>;
}

interface Site {
  kind: House['kind'];
  backend: OpenBackend | undefined;
  open(role?: Role): Promise<OpenStorage>;
  /** Where remote steps run: in a suite under roles a storage that has the rights of a worker; undefined: where the rest is. */
  openForWorkers?(): Promise<OpenStorage>;
  /** Lets the leases of the tasks that this worker holds run out. */
  lapse(workerId: string): Promise<unknown>;
  /** Called at the end of a test. */
  startOver?(): void;
}

/** Without the prefix; not that of the migrations. */
export const TABLES: readonly string[] = Object.entries(tablesWithPrefix('durable')).flatMap(([key, table]) =>
  key === 'prefix' || key === 'home' || key === 'migrations'
    ? []
    : [(table as Identifier).name.replace('durable_', '')],
);

function houseOn(site: Site, defaults: EnginePartsOptions): House {
  const processes: (Process & { end(): Promise<void> })[] = [];
  const boot = async (options: BootOptions = {}): Promise<Process> => {
    const {
      workflows = {},
      handlers,
      worker,
      hooks,
      stepEvents,
      stepEffects,
      engine = true,
      role = engine ? 'engine' : 'operator',
      nodeId = randomUUID(),
      ...rest
    } = options;
    const opened = await site.open(role);
    const { storage, kill, settled } = mortal(opened, hooks);
    const openedForWorkers = await site.openForWorkers?.();
    const forWorkers = openedForWorkers && mortal(openedForWorkers, hooks);
    const parts = engineParts(storage, {
      ...defaults,
      ...rest,
      nodeId,
      ...(stepEvents && { events: stepEvents(opened) }),
      ...(stepEffects && { effects: stepEffects(opened) }),
    });
    const workers: Worker[] = [];
    const workerIds: string[] = [];
    let alive = true;
    const started: Process & { end(): Promise<void> } = {
      ...parts,
      nodeId,
      workerIds,
      storage,
      settled: async (...of) => void (await Promise.all([settled(...of), forWorkers?.settled(...of)])),
      get alive() {
        return alive;
      },
      serve: (served, { workerId = `worker-${randomUUID()}`, ...more } = {}) => {
        workerIds.push(workerId);
        workers.push(workerOn(forWorkers?.storage ?? storage, served, { workerId, shutdownTimeoutMs: 500, ...more }));
        return workers.at(-1)!;
      },
      kill: () => {
        alive = false;
        kill();
        forWorkers?.kill();
        // Whatever else it asks now is never answered.
        for (const running of workers) {
          for (const loop of Object.values(running.loops) as PollLoop[]) void loop.stop();
          void running.stop();
        }
        parts.die();
      },
      end: async () => {
        if (alive) await Promise.all(workers.map((running) => running.stop()));
        if (alive) await parts.stop();
        // Otherwise what a dead one has asked would come into the next test.
        await started.settled();
        await opened.close();
        await openedForWorkers?.close();
      },
    };
    processes.push(started);
    for (const [name, run] of Object.entries(workflows)) started.define(name, run);
    if (handlers) started.serve(handlers, worker);
    if (engine) await started.start();
    return started;
  };
  const lapse: House['lapse'] = async ({ workerIds }) => {
    for (const workerId of workerIds) await site.lapse(workerId);
  };
  return {
    kind: site.kind,
    backend: site.backend,
    boot,
    bury: async (dead) => {
      const storage = await site.open();
      // A heartbeat that comes after it would sign the dead in again, and a claim would take what has lapsed.
      await dead.settled('roster', 'store.claim', 'source.claim');
      await storage.roster.leave(dead.nodeId);
      await storage.roster.reap(1_000);
      storage.tellDue();
      await storage.close();
      await lapse(dead);
    },
    lapse,
    close: async () => {
      await Promise.all(processes.splice(0).map((started) => started.end()));
      site.startOver?.();
    },
  };
}

export interface HouseOptions extends EnginePartsOptions {
  clock?: ManualClock & Clock;
}

/** As `describeSqlHouses`, and in memory. */
export function describeHouses(title: string, body: (house: () => House) => void, options: DescribeOptions = {}): void {
  const { only: _, ownDatabase: __, ...rest } = options;
  describeInMemory(title, body, rest);
  describeSqlHouses(title, body, options);
}

function describeInMemory(title: string, body: (house: () => House) => void, rest: HouseOptions): void {
  describe(`${title} [in memory]`, () => {
    let house: House;
    beforeEach(() => {
      const storage = memoryStorage(rest.clock);
      house = houseOn({ kind: 'memory', backend: undefined, open: async () => storage, lapse: storage.lapse }, rest);
    });
    afterEach(() => house.close());
    body(() => house);
  });
}

/** A house on a database of its own, wherever its server is. */
export const openSqlHouse = async (at: Backend, options: HouseOptions = {}): Promise<SqlHouse> =>
  houseIn(await openProcessDatabase(at), at, options);

interface SqlHouse {
  house: House;
  backend: OpenBackend;
  close(): Promise<void>;
}

function houseIn(
  { backend, process, close }: ProcessDatabase,
  { orm }: Backend,
  { clock, ...rest }: HouseOptions,
): SqlHouse {
  let count = 0;
  const open = async (role?: Role) => {
    const { handle, notifier } = await process(count++, role);
    return sqlStorage({ orm, handle }, { notifier, ...(clock && { clock }) });
  };
  const openForWorkers = roleOfTests() && (() => open('worker'));
  const startOver = () => void (count = 0);
  const lapse = (workerId: string) =>
    backend.query('UPDATE durable_transport_tasks SET claimed_at = 1 WHERE claimed_by LIKE ?', [`${workerId}#%`]);
  const house = houseOn(
    { kind: 'sql', backend, open, lapse, startOver, ...(openForWorkers && { openForWorkers }) },
    { ...rest, ...(clock && { clock }) },
  );
  return { house, backend, close };
}

export interface DescribeOptions extends HouseOptions {
  only?: (backend: Backend) => boolean;
  /** On a database that nobody else uses: for tests that kill connections. Default: false. */
  ownDatabase?: boolean;
}

/** A describe block for the databases of this suite's folder; each test gets an empty storage. */
export function describeSqlHouses(
  title: string,
  body: (house: () => House) => void,
  options: DescribeOptions = {},
): void {
  const { only = () => true, ownDatabase = false, ...rest } = options;
  describeDatabases(
    title,
    (at) => {
      let backend: OpenBackend;
      let house: House;
      let close: () => Promise<void>;
      beforeAll(async () => {
        ({ house, backend, close } = ownDatabase
          ? await openSqlHouse(at, rest)
          : houseIn(await keptDatabase(at), at, rest));
      });
      beforeEach(() => emptyTables(backend));
      afterEach(() => house.close());
      afterAll(() => close());
      body(() => house);
    },
    { only },
  );
}
