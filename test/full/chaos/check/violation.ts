/** Something that must not be. */
export interface Violation {
  /** A sentence. */
  text: string;
  /** Of the run, where it is about one. */
  run?: string;
  /** When it was noticed, on the machine's monotonic clock; for that which is noticed at the end alone, undefined. */
  at?: number;
}

/** While these processes had troubles made for them, what they did may be done again. Undefined stands for all. */
export interface Trouble {
  fault: string;
  from: number;
  to: number;
  pids: ReadonlySet<number> | undefined;
}
