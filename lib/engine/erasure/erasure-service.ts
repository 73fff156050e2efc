import { ErasureTally } from './erasure-report.js';
import { Eraser, type EraserPorts } from './eraser.js';
import type { BackgroundService } from '../model/background-service.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';

export interface ErasureServicePorts extends EraserPorts {
  telemetry: Telemetry;
  namespace: string;
}

/** How soon a run that has ended is erased; and how soon calls and events are that had to be kept until then. */
const [EVERY_MS, KEPT_EVERY_MS] = [5_000, 60_000];

/**
 * Erases marked runs when they have ended, and continues erasures that were interrupted. It reads one
 * table, which is empty while nothing is being erased. Any number of processes may do so at the same time.
 */
export class ErasureService implements BackgroundService {
  private readonly loop: PollLoop;
  private readonly eraser: Eraser;
  private begun = false;
  private keeps = false;

  constructor(private readonly ports: ErasureServicePorts) {
    const onError = (error: unknown) => ports.telemetry.emit('loop.error', { loop: 'erasure', error });
    this.eraser = new Eraser(ports);
    this.loop = new PollLoop(() => this.tick(), { maxMs: () => (this.keeps ? KEPT_EVERY_MS : EVERY_MS), onError });
  }

  get loops(): Loops {
    return { erasure: this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** The first tick only naps, since a starting process has more urgent work. */
  private async tick(): Promise<'idle'> {
    if (this.begun) await this.look();
    this.begun = true;
    return 'idle';
  }

  /** Erases what can be erased now. */
  async look(): Promise<void> {
    const tally = new ErasureTally();
    await this.eraser.work({ namespace: this.ports.namespace }, tally);
    this.keeps = !tally.isComplete;
  }
}
