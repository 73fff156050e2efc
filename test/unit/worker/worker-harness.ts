import { taskOf } from '../../../lib/conformance/transport.js';
import { jsonCodec } from '../../../lib/core/codec.js';
import { Telemetry, type TelemetryEvents } from '../../../lib/core/telemetry.js';
import { ManualClock } from '../../../lib/core/time.js';
import { type HandlerOptions, HandlerRegistry, type StepHandler } from '../../../lib/worker/handlers.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';
import { Worker, type WorkerOptions } from '../../../lib/worker/worker.js';

const NAMES = [
  'task.claimed',
  'task.completed',
  'task.failed',
  'task.lease-lost',
  'task.released',
  'task.report-refused',
  'task.unserved',
  'loop.error',
  'step.log',
] as const;

/** A worker over the transport in memory, with a clock in hand and everything it tells kept. */
export function workerHarness(
  options: Partial<WorkerOptions> = {},
  transport?: InMemoryTransport,
  clock = new ManualClock(),
) {
  const telemetry = new Telemetry();
  const events: { name: string; event: Record<string, unknown> }[] = [];
  for (const name of NAMES)
    telemetry.on(name, (event: TelemetryEvents[typeof name]) => events.push({ name, event: { ...event } }));
  const storage = transport ?? new InMemoryTransport(clock);
  const handlers = new HandlerRegistry();
  const worker = new Worker(storage, handlers, {
    workerId: 'w1',
    concurrency: 10,
    batchSize: 10,
    leaseMs: 30_000,
    pollMs: 5,
    shutdownTimeoutMs: 30_000,
    payloadLimit: 1_000,
    maxClaims: 10,
    codec: jsonCodec,
    clock,
    telemetry,
    watchesUnserved: true,
    ...options,
  });
  return {
    clock,
    transport: storage,
    telemetry,
    events,
    handlers,
    worker,
    eventsOf: (name: (typeof NAMES)[number]) => events.filter((one) => one.name === name).map(({ event }) => event),
    handle: (name: string, run: StepHandler, more: HandlerOptions = {}) => handlers.register(name, run, more),
    dispatch: (...tasks: Parameters<typeof taskOf>[]) => storage.dispatch(tasks.map((task) => taskOf(...task))),
    answers: async () => (await storage.peek(1_000)).answers,
    /** All answers, once there are that many. */
    answered: async (count: number) => {
      const { answers } = await storage.peek(1_000);
      return answers.length === count ? answers.sort((a, b) => a.seq - b.seq) : undefined;
    },
  };
}

/** A promise and the way to end it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((ok, no) => ((resolve = ok), (reject = no)));
  return { promise, resolve, reject };
}
