import type { NodeIdentity } from '../engine/model/node-record.js';
import type { NodeRoster } from '../engine/model/node-roster.js';
import { DatabaseError } from '../errors/database-errors.js';
import { PollLoop } from '../time/poll-loop.js';

/** How long this process counts as alive after its last heartbeat. */
const LEASE_MS = 10_000;

/**
 * Signs in a worker beside the processes of an engine, so that nobody is told that its groups are not served. The roster
 * is not part of the table contract: where there is none, or this user may not write to it, the worker does without.
 */
export class WorkerPresence {
  private readonly beats: PollLoop;
  private isAbsent = false;

  constructor(
    private readonly roster: Pick<NodeRoster, 'beat' | 'leave'>,
    /** What it serves now. */
    private readonly identity: () => NodeIdentity,
    private readonly on: { draining: (draining: boolean) => void; error: (error: unknown) => void },
  ) {
    this.beats = new PollLoop(() => this.beat(), { maxMs: LEASE_MS / 3, onError: on.error });
  }

  start(): void {
    this.beats.start();
  }

  /** Call it when it serves more. */
  renew(): void {
    this.beats.wake();
  }

  async stop(): Promise<void> {
    await this.beats.stop();
    if (!this.isAbsent) await this.roster.leave(this.identity().id).catch(this.on.error);
  }

  private async beat(): Promise<'idle'> {
    if (this.isAbsent) return 'idle';
    try {
      this.on.draining((await this.roster.beat(this.identity(), LEASE_MS)).draining);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.transient) throw error;
      this.isAbsent = true;
    }
    return 'idle';
  }
}
