import type { NodeIdentity } from '../engine/model/node-record.js';
import type { NodeRoster } from '../engine/model/node-roster.js';
import { requireOneWriter } from '../engine/nodes/writer-watch.js';
import { type Loops, PollLoop } from '../time/poll-loop.js';

/** How long a process without an engine counts as alive after its last heartbeat: it has no option for it. */
export const PRESENCE_LEASE_MS = 10_000;

/** Signs in a process without an engine: an engine's heartbeat signs in its process, whatever else that serves. */
export class Presence {
  private readonly beats: PollLoop;

  constructor(
    private readonly roster: NodeRoster,
    private readonly node: NodeIdentity,
    private readonly on: { draining: (draining: boolean) => void; error: (error: unknown) => void },
  ) {
    this.beats = new PollLoop(() => this.beat(), { maxMs: PRESENCE_LEASE_MS / 3, onError: on.error });
  }

  get loops(): Loops {
    return { 'node.beats': this.beats };
  }

  /** @throws UnsupportedServerError when another process writes through another server of the cluster. */
  async start(): Promise<void> {
    await requireOneWriter(this.roster, PRESENCE_LEASE_MS / 10);
    await this.beat();
    // Where no process has an engine, nobody else does.
    await this.roster.strikeOff();
    this.beats.start();
  }

  async stop(): Promise<void> {
    await this.beats.stop();
    await this.roster.leave(this.node.id).catch(this.on.error);
  }

  private async beat(): Promise<'idle'> {
    this.on.draining((await this.roster.beat(this.node, PRESENCE_LEASE_MS)).draining);
    return 'idle';
  }
}
