import type { EngineStorage } from '../engine/model/engine-storage.js';
import type { MemoryBackend } from '../memory-backend/memory-backend.js';

/** Called in place of each call of a port. */
export type Around = (name: string, call: () => unknown) => unknown;

/** The same ports, with `around` called in place of each of their methods. */
export function intercepted<Ports extends object>(ports: Ports, around: Around): Ports {
  const entries = Object.entries(ports).map(([name, port]) => [name, interceptedPort(port as object, around)]);
  return Object.fromEntries(entries) as Ports;
}

export function interceptedPort<Port extends object>(port: Port, around: Around): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function' || typeof name === 'symbol') return method;
      return (...args: unknown[]) =>
        around(name, () => (method as (...given: unknown[]) => unknown).apply(target, args));
    },
  });
}

/** When a process dies: at its n-th recorded write, counted from 1. */
export interface CrashPoint {
  write: number;
  /** `before`: the write is not done. `after`: it is done, but the process does not receive the result. */
  when: 'before' | 'after';
}

/** The recorded writes: of a run's engine, for runs without an owner, of a worker, and of an effect call. */
const WRITES = new Set(['commit', 'settleUnowned', 'report', 'settle']);

/** The backend of one process that can die: after that, its calls neither reach the backend nor return. */
export class MortalProcess {
  writes = 0;
  dead = false;
  readonly died: Promise<void>;
  readonly backend: MemoryBackend;
  private die!: () => void;
  private atRest = false;
  private readonly waiting: ((reason: Error) => void)[] = [];

  constructor(
    backend: MemoryBackend,
    private readonly point?: CrashPoint,
  ) {
    this.died = new Promise((resolve) => (this.die = resolve));
    const around = (name: string, call: () => unknown) => this.around(name, call);
    const { transactions, ...ports } = backend.engine;
    const engine: EngineStorage = { ...intercepted(ports, around), transactions };
    const effects: MemoryBackend['effects'] = (sink) => intercepted(backend.effects(sink), around);
    this.backend = { ...backend, engine, effects, source: interceptedPort(backend.source, around) };
  }

  /** Kills the process without a shutdown. */
  kill(): void {
    this.dead = true;
    this.die();
  }

  /** Rejects all calls that still wait once the process was stopped, so that they do not block the end of the test. */
  rest(): void {
    this.atRest = true;
    for (const reject of this.waiting.splice(0)) reject(new Error('This process has died'));
  }

  private never(): Promise<never> {
    const waits = new Promise<never>((_, reject) => this.waiting.push(reject));
    waits.catch(() => undefined);
    if (this.atRest) this.rest();
    return waits;
  }

  private around(name: string, call: () => unknown): unknown {
    if (this.dead) return this.never();
    const counts = WRITES.has(name);
    const isLast = counts && ++this.writes === this.point?.write;
    if (isLast && this.point?.when === 'before') {
      this.kill();
      return this.never();
    }
    const answer = call();
    if (!(answer instanceof Promise)) return answer;
    return answer.then((value: unknown) => {
      if (isLast) this.kill();
      return this.dead ? this.never() : value;
    });
  }
}
