/** Lets so many pieces of work go on at once; the others follow in the order in which they came. */
export class Turns {
  private readonly queue: (() => void)[] = [];

  constructor(private free: number) {}

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.free++;
    }
  }
}
