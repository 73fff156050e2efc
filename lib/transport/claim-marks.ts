/** Adds to a worker's name what makes each of its claims another one, so that an old claim never passes for a new one. */
export class ClaimMarks {
  private readonly instance = Math.random().toString(36).slice(2, 8);
  private count = 0;

  next(workerId: string): string {
    return `${workerId}#${this.instance}.${(this.count++).toString(36)}`;
  }
}
