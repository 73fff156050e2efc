import { MINUTE_MS, type SampleStore } from '../engine/model/sample-store.js';
import { lastSamples } from './samples.js';

/** The mean of the last five whole minutes, of all namespaces, which share their groups. */
export interface PerMinute {
  /** Attempts that engines have dispatched. */
  in: number;
  /**
   * Attempts that workers of processes with this module have ended. Not those of workers in other languages, and not
   * what was answered from outside, or was withdrawn.
   */
  out: number;
}

const MINUTES = 5;

type Flows = (group: string) => PerMinute | null;

/** What comes into groups and leaves them, as processes have counted. Read once a minute. */
export class GroupFlow {
  private known: { end: number; flows: Promise<Flows> } | undefined;

  constructor(
    private readonly store: Pick<SampleStore, 'range'>,
    private readonly now: () => number,
  ) {}

  /** Each process writes a row in every minute: those of whole minutes are of all processes. */
  of(): Promise<Flows> {
    const end = this.now() - (this.now() % MINUTE_MS);
    if (this.known?.end !== end) {
      const flows = this.read(end);
      this.known = { end, flows };
      flows.catch(() => (this.known = undefined));
    }
    return this.known.flows;
  }

  private async read(end: number): Promise<Flows> {
    const { samples } = await lastSamples(this.store, undefined, end - MINUTES * MINUTE_MS, end - 1);
    const minutes = new Set(samples.map(({ at }) => at.getTime())).size;
    const sums = new Map<string, number>();
    for (const { counts } of samples)
      for (const [key, count] of Object.entries(counts))
        if (key.startsWith('group.')) sums.set(key, (sums.get(key) ?? 0) + count);
    // Of many names some are counted as one: then a group without a count of its own may be among them.
    const isCut = sums.has('group.in other') || sums.has('group.out other');
    const mean = (key: string) => (sums.get(key) ?? 0) / minutes;
    return (group) => {
      const [into, out] = [`group.in ${group}`, `group.out ${group}`];
      if (minutes === 0 || (isCut && !(sums.has(into) && sums.has(out)))) return null;
      return { in: mean(into), out: mean(out) };
    };
  }
}
