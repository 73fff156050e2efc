import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Request {
  id: number;
  method: string;
  argument?: unknown;
}

export interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

type Method = (argument: never) => unknown;

/** Answers the benchmark's main process until it says `stop`, which ends this one. */
export function serve(methods: { open: Method; stop: Method } & Record<string, Method>): void {
  const answer = async ({ id, method, argument }: Request): Promise<void> => {
    let reply: Reply;
    try {
      const call = methods[method];
      if (!call) throw new Error(`There is no ${method}`);
      reply = { id, value: await call(argument as never) };
    } catch (error) {
      reply = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    process.send?.(reply, () => method === 'stop' && process.exit(0));
  };
  process.on('message', (request: Request) => void answer(request));
  process.on('disconnect', () => process.exit(1));
}

/** Milliseconds since the epoch, to the microsecond, comparable between the processes of one machine. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** The processor time of this process since its start, in ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export interface Memory {
  /** Of the whole process, in MB. */
  residentMb: number;
  /** The most it has had. */
  peakMb: number;
  /** What the code holds, once garbage is collected. */
  heapMb: number;
}

export function memory(): Memory {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { rss, heapUsed } = process.memoryUsage();
  return { residentMb: rss / 2 ** 20, peakMb: process.resourceUsage().maxRSS / 2 ** 10, heapMb: heapUsed / 2 ** 20 };
}
