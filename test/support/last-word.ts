import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { getState } from 'jest-circus';
import { isFull, tier } from './tiers.js';
import { until } from './until.js';

/** Decides nothing: it ends a test that waits for ever. Every wait has a limit of its own, see `until`. */
const limitMs = (): number => Number(process.env['DURABLE_TEST_LIMIT_MS'] ?? (isFull() ? 1_500_000 : 600_000));

/** What one spec file may leave to the next, which runs in the same process. */
interface Surroundings {
  env: Record<string, string | undefined>;
  folder: string;
  listeners: Record<string, number>;
  globals: readonly unknown[];
}

/** What MikroORM sets when it begins. */
const OF_OTHERS = new Set(['MIKRO_ORM_COLORS']);
const EVENTS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'beforeExit',
  'exit',
  'uncaughtException',
  'unhandledRejection',
  'warning',
];
const GLOBALS = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch'] as const;

const surroundings = (): Surroundings => ({
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_OTHERS.has(name))),
  folder: process.cwd(),
  listeners: Object.fromEntries(EVENTS.map((event) => [event, process.listenerCount(event)])),
  globals: [...GLOBALS.map((name) => globalThis[name]), Date.now, process.emitWarning, process.stdout.write],
});

// The runner lets go of its workers; those that still wait for something would go on for ever.
process.once('disconnect', () => process.exit());

let before = surroundings();

/**
 * Called behind the last line of each spec file (`test/compile.mjs` writes the call): gives each test a limit, and looks
 * after all of them whether the file has left something behind that the next one would find.
 */
export function lastWord(): void {
  limit(getState().rootDescribeBlock);
  afterAll(async () => {
    const after = surroundings();
    const earlier = before;
    before = after;
    await allClosed();
    expect(after).toEqual(earlier);
  });
}

async function allClosed(): Promise<void> {
  let left: string[] = [];
  const isClosed = async () => {
    left = open();
    // The worker keeps some, which are asked for when there is something to explain.
    if (left.length > 0) left = open(await keptPorts());
    return left.length === 0;
  };
  try {
    await until('no connection, server or process of this file is open', isClosed, {
      otherwise: () => left.join(', '),
    });
  } finally {
    // The next file has not made them either.
    for (const handle of handles()) KNOWN.add(handle);
    KNOWN_TIMERS = timers();
  }
}

/** Connections to databases, servers, and programs. What an earlier file has left was said at its end. */
const open = (kept?: Set<number>): string[] => [...openHandles(kept), ...openTimers()];

/**
 * A loop that nobody has stopped goes on beside the next file, on the clock that this one turns. Elsewhere than in memory
 * nothing turns it, and processes are killed that go on waiting for an answer.
 */
function openTimers(): string[] {
  const left = tier() === 'unit' ? timers() - KNOWN_TIMERS : 0;
  return left > 0 ? [`${left} timers`] : [];
}

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
let KNOWN_TIMERS = timers();

const openHandles = (kept = new Set<number>()): string[] =>
  handles()
    .filter((handle) => !KNOWN.has(handle))
    .flatMap((handle) => {
      if (handle instanceof ChildProcess)
        return (handle.exitCode ?? handle.signalCode) ? [] : [`program ${handle.pid}`];
      if (handle instanceof Server) return [`server ${JSON.stringify(handle.address())}`];
      const isOpen = handle instanceof Socket && !handle.destroyed && PORTS.has(handle.remotePort ?? 0);
      return isOpen && !kept.has(handle.localPort ?? 0)
        ? [`connection to port ${handle.remotePort} from ${handle.localPort} ${handle.readyState}`]
        : [];
    });

const handles = (): object[] => (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
const KNOWN = new WeakSet(handles());
const hasServers = process.env['DURABLE_TEST_SERVERS'] !== undefined;
const { servers } = hasServers ? await import('./test-servers.js') : { servers: [] };
const keptPorts = async () => (hasServers ? (await import('./kept-database.js')).keptPorts() : new Set<number>());
const PORTS = new Set(servers.map(({ port }) => port));

type Block = ReturnType<typeof getState>['rootDescribeBlock'];
type Body = NonNullable<Block['hooks'][number]['fn']>;

function limit(block: Block): void {
  for (const hook of block.hooks) hook.fn = limited(hook.fn);
  for (const child of block.children) {
    if (child.type === 'describeBlock') limit(child);
    else if (child.fn) child.fn = limited(child.fn);
  }
}

const limited =
  (body: Body, ms = limitMs()): Body =>
  async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((_, reject) => {
      timer = TIMERS.set(() => reject(new Error(`Not over within ${ms / 1_000} s`)), ms);
    });
    try {
      await Promise.race([Reflect.apply(body, {}, []), late]);
    } finally {
      TIMERS.clear(timer);
    }
  };

/** Those of Node, also while a test has put others in their place. */
const TIMERS = { set: setTimeout, clear: clearTimeout };
