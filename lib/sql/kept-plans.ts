import { unplanned } from './key-list.js';

/**
 * Whether servers keep plans whatever they cost. What a role or a database sets for its sessions is theirs to choose, so
 * ours ask once for each connection of PostgreSQL, and write their statements for it.
 */
export class KeptPlans {
  private forced = false;
  private readonly asked = new WeakSet<object>();

  /** Asks once for each connection; undefined where that was done. */
  learn(connection: object, ask: () => Promise<string | undefined>): Promise<void> | undefined {
    if (this.asked.has(connection)) return undefined;
    this.asked.add(connection);
    return ask().then(
      (mode) => void (this.forced ||= mode === 'force_generic_plan'),
      // In a transaction that has failed nothing can be asked; what comes next says so.
      () => void this.asked.delete(connection),
    );
  }

  /** The statement as it should be sent. */
  textOf(text: string): string {
    return this.forced ? unplanned(text) : text;
  }
}

/** Shared by all connections of this process. */
export const keptPlans = new KeptPlans();
