import { randomUUID } from 'node:crypto';
import { type OperationRules, checkedOperation } from '../effects/checked-operation.js';
import { EntryIds, type NewEffect } from '../effects/effect-entry.js';
import type { EffectSettlements, EffectStorage, EffectStore } from '../effects/effect-storage.js';
import type { EffectCompletions } from '../engine/effects/effect-completions.js';
import {
  type CheckedOperation,
  type RunOperation,
  type StepEffects,
  type StepEvents,
} from '../engine/model/outgoing.js';
import type { OutboxStorage } from '../outbox/compose/outbox-storage.js';
import { type EventLimits, checkedEvent } from '../outbox/events/checked-event.js';
import type { OutboxWriter } from '../outbox/events/outbox-writer.js';
import type { WrittenEvent } from '../outbox/model/outbox-event.js';
import { type Clock, systemClock } from '../time/clock.js';

/** The target of events of executed or replayed code; empty if the app has no outbox. */
export const eventsOf = (outbox: OutboxStorage | undefined, limits: EventLimits): { events?: StepEvents } =>
  outbox ? { events: outboxStepEvents(outbox.writer, limits) } : {};

/** Adapts the outbox to the engine: the target of `ctx.publish`. */
export const outboxStepEvents = (writer: Pick<OutboxWriter, 'writeIn'>, limits: EventLimits): StepEvents => ({
  check: (event, context) => checkedEvent(event, limits, randomUUID, context),
  // The engine passes only events that `check` returned.
  write: (events, tx) => writer.writeIn(tx, events as readonly WrittenEvent[]),
});

interface OperationToWrite extends CheckedOperation {
  readonly effects: readonly NewEffect[];
}

/** The target of effect calls of executed or replayed code; empty if the app has no effects. */
export const callsOf = (
  effects: Pick<EffectStorage, 'store'> | undefined,
  rules: OperationRules,
  clock: Clock,
): { effects?: StepEffects } => (effects ? { effects: effectsOfSteps(effects.store, rules, clock) } : {});

/** Adapts effects to the engine: the target of `ctx.effects`. */
export function effectsOfSteps(
  store: Pick<EffectStore, 'writeIn'>,
  rules: OperationRules,
  clock: Clock = systemClock,
): StepEffects {
  const ids = new EntryIds(clock);
  // The engine passes only operations that `check` returned.
  const of = (operations: readonly RunOperation[]) =>
    operations.flatMap(({ runId, operation }) =>
      (operation as OperationToWrite).effects.map((effect) => ({ ...effect, runId })),
    );
  return {
    check: (given, context): OperationToWrite => {
      const { operation, subject } = given ?? {};
      const effects = checkedOperation(given, rules, context).map((effect) => ({ entryId: ids.next(), ...effect }));
      const size = effects.reduce((sum, { ref, payload }) => sum + ref.length + (payload?.length ?? 0), 0);
      return { operation, subject, entryIds: effects.map(({ entryId }) => entryId), size, effects };
    },
    write: (operations, tx) => store.writeIn(tx, of(operations)),
  };
}

/** The same settlements; a completion also notifies waiting runs in its transaction. */
export function tellingRuns(
  { settlements, insight }: Pick<EffectStorage, 'settlements' | 'insight'>,
  completions: Pick<EffectCompletions, 'complete'>,
): EffectSettlements {
  return {
    settle: async (claimed, settlement, onCompletion) => {
      if (settlement.status !== 'succeeded') return settlements.settle(claimed, settlement, onCompletion);
      return settlements.settle(claimed, settlement, async (group, handle, tx) => {
        await completions.complete(group, tx, () => insight.isComplete(group, tx));
        await onCompletion?.(group, handle, tx);
      });
    },
  };
}
