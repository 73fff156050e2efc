import { PollLoop } from '../time/poll-loop.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { TaskRevocations } from './task-source.js';

const EVERY_MS = 1_000;

/**
 * Where no notification tells of withdrawn tasks, a handler would notice only when its lease is renewed. So claims are
 * compared with their rows in between: one look by key, and only while some are held.
 */
export class ClaimWatch {
  private readonly loop: PollLoop;

  constructor(
    private readonly revocations: Pick<TaskRevocations, 'live' | 'lostClaims'>,
    private readonly keeper: LeaseKeeper,
    onError: (error: unknown) => void,
  ) {
    this.loop = new PollLoop(() => this.tick(), { minMs: EVERY_MS, maxMs: EVERY_MS, onError });
  }

  start(): void {
    this.loop.start();
  }

  /** Resolves when the look in progress has ended. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async tick(): Promise<'idle'> {
    if (!this.revocations.live) await this.keeper.compare((claims) => this.revocations.lostClaims(claims));
    return 'idle';
  }
}
