import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { EffectEntry, EffectStatus } from '../effects/effect-entry.js';
import type { EffectInsight, UnclaimedEffects } from '../effects/effect-storage.js';
import type { Effects, ListEffects } from '../effects/effects.js';
import type { Duration } from '../time/duration.js';
import { type Count, countOf, MOST_COUNTED, type Questions } from './questions.js';

interface Ports {
  effects: Effects;
  insight: Pick<EffectInsight, 'counts'>;
  questions: Questions;
}

/** What operators see of effects, and do to them. In an app without effects, everything throws a ConfigurationError. */
export class OperatorEffects {
  constructor(private readonly ports: Ports) {}

  /** The number of calls by status, each counted up to 10,000. @throws QuestionTimeoutError */
  async counts(): Promise<Record<EffectStatus, Count>> {
    const counts = await this.ask('counts', () => this.ports.insight.counts(MOST_COUNTED));
    const capped = Object.entries(counts).map(([status, counted]) => [status, countOf(counted)]);
    return Object.fromEntries(capped) as Record<EffectStatus, Count>;
  }

  /** Abandoned calls, oldest first. @throws InvalidArgumentError, QuestionTimeoutError */
  abandoned(options: ListEffects = {}): Promise<EffectEntry[]> {
    return this.ask('abandoned', () => this.ports.effects.listAbandoned(options));
  }

  /** Calls that wait for a time their handler named, soonest first. @throws InvalidArgumentError, QuestionTimeoutError */
  scheduled(options: ListEffects = {}): Promise<EffectEntry[]> {
    return this.ask('scheduled', () => this.ports.effects.listScheduled(options));
  }

  /** Handlers whose calls nobody has made for this long. @throws InvalidArgumentError, QuestionTimeoutError */
  unclaimed(options: { olderThan?: Duration } = {}): Promise<UnclaimedEffects[]> {
    return this.ask('unclaimed', () => this.ports.effects.listUnclaimed(options));
  }

  /** Makes abandoned calls pending again and returns their ids. @throws InvalidArgumentError */
  async requeue(entryIds: readonly string[], by: ActedBy): Promise<string[]> {
    return this.ports.effects.requeue(entryIds, requiredOperator(by ?? {}));
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`effects.${question}`, look);
  }
}
