import { type ActedBy, requiredOperator } from '../acts/act.js';
import type { AuditReader, RecordedAuditEvent } from '../effects/audit-log.js';
import type { EffectEntry, EffectGroup, EffectStatus } from '../effects/effect-entry.js';
import type { EffectInsight, UnclaimedEffects } from '../effects/effect-storage.js';
import type { Effects, ListEffects, PurgeEffects, PurgeEndedEffects } from '../effects/effects.js';
import type { Duration } from '../time/duration.js';
import { checkedOptions } from '../options/known-options.js';
import { checkedLimit, type Count, countOf, MOST_COUNTED, type Questions } from './questions.js';
import { PAGE_OPTIONS, type PageOptions } from './queues.js';

export interface AuditEventsPage {
  /** In the order in which they were recorded. */
  events: RecordedAuditEvent[];
  /** For the next page. */
  cursor?: string;
}

interface Ports {
  effects: Effects;
  insight: Pick<EffectInsight, 'counts'>;
  audit: AuditReader;
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

  /** The number of calls with this status, counted up to 10,000. @throws QuestionTimeoutError */
  async count(status: EffectStatus): Promise<Count> {
    return countOf((await this.ask('count', () => this.ports.insight.counts(MOST_COUNTED, [status])))[status]);
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

  /**
   * What happened to the calls of an operation for a subject, oldest first, page by page; nothing if the app has an audit
   * sink of its own. @throws InvalidArgumentError, UnknownAuditEventError, QuestionTimeoutError
   */
  async audit(group: EffectGroup, options: PageOptions = {}): Promise<AuditEventsPage> {
    const { limit = 100, cursor } = checkedOptions(options, PAGE_OPTIONS, 'OperatorEffects.audit');
    const page = { limit: checkedLimit(limit, 1_000) + 1, ...(cursor !== undefined && { after: cursor }) };
    const found = await this.ask('audit', () => this.ports.audit.read(group, page));
    const events = found.slice(0, limit);
    return { events, ...(found.length > limit && { cursor: events.at(-1)!.eventId }) };
  }

  /** Makes abandoned calls pending again and returns their ids. @throws InvalidArgumentError */
  async requeue(entryIds: readonly string[], by: ActedBy): Promise<string[]> {
    return this.ports.effects.requeue(entryIds, requiredOperator(by ?? {}));
  }

  /** Deletes calls that ended long ago, as `Effects.purge`; with acts as `runs.purge`. @throws InvalidArgumentError */
  async purge(options: ActedBy & PurgeEndedEffects): Promise<number> {
    return this.ports.effects.purge({ ...options, ...requiredOperator(options ?? {}) });
  }

  /** Deletes old events of the audit log, as `Effects.purgeAuditLog`. @throws InvalidArgumentError */
  async purgeAuditLog(options: ActedBy & PurgeEffects): Promise<number> {
    return this.ports.effects.purgeAuditLog({ ...options, ...requiredOperator(options ?? {}) });
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`effects.${question}`, look);
  }
}
