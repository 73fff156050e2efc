import { sleep } from './sleep.js';

/** When unfinished work passes its permit on. */
export interface Overtime {
  /** How long work may hold its permit before it passes it on. */
  afterMs: number;
  /** How many works may be in overtime at once; further late ones keep their permits. */
  most: number;
}

/** Limits how much work runs at once; the rest waits in the order of arrival. */
export class Semaphore {
  private readonly queue: (() => void)[] = [];
  /** Holders that have held their permit too long, while `most` others are in overtime. */
  private readonly late = new Set<object>();
  private readonly inOvertime = new Set<object>();

  constructor(
    private free: number,
    /** Default: no overtime, work keeps its permit until it ends. */
    private readonly overtime?: Overtime,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    const holder = {};
    const done = new AbortController();
    void this.watch(holder, done.signal);
    try {
      return await work();
    } finally {
      done.abort();
      this.ended(holder);
    }
  }

  private async watch(holder: object, done: AbortSignal): Promise<void> {
    if (!this.overtime) return;
    await sleep(this.overtime.afterMs, done);
    if (done.aborted) return;
    this.late.add(holder);
    this.beginOvertime();
  }

  private ended(holder: object): void {
    this.late.delete(holder);
    if (this.inOvertime.delete(holder)) this.beginOvertime();
    else this.handOn();
  }

  private beginOvertime(): void {
    const { most = 0 } = this.overtime ?? {};
    for (const holder of this.late) {
      if (this.inOvertime.size >= most) return;
      this.late.delete(holder);
      this.inOvertime.add(holder);
      this.handOn();
    }
  }

  private handOn(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}
