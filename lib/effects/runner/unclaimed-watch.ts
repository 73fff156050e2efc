import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import type { EffectInsight } from '../effect-insight.js';

/** How long an entry may wait for a process that serves it: a rolling deploy is over by then. */
const PATIENCE_MS = 300_000;
const EVERY_MS = 60_000;

/** Now and then looks for entries that wait for a handler which nobody serves, or not enough, and says so. */
export class UnclaimedWatch {
  private lookedAt: number;

  constructor(
    private readonly insight: Pick<EffectInsight, 'unclaimed'>,
    private readonly options: { clock: Clock; telemetry: Telemetry },
  ) {
    this.lookedAt = options.clock.now();
  }

  async look(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.lookedAt < EVERY_MS) return;
    this.lookedAt = now;
    for (const found of await this.insight.unclaimed(PATIENCE_MS))
      this.options.telemetry.emit('effects.unclaimed', found);
  }
}
