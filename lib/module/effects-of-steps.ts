import { checkedOperation, type OperationRules } from '../effects/checked-operation.js';
import type { NewEffect } from '../effects/effect-call.js';
import type { EffectSettlements } from '../effects/effect-settlements.js';
import type { EffectStorage } from '../effects/effect-storage.js';
import type { EffectStore } from '../effects/effect-store.js';
import { EntryIds } from '../effects/entry-ids.js';
import type { EffectCompletions } from '../engine/effects/effect-completions.js';
import type { CheckedOperation, StepEffects } from '../engine/model/step-effects.js';
import { type Clock, systemClock } from '../time/clock.js';

interface OperationToWrite extends CheckedOperation {
  readonly effects: readonly NewEffect[];
}

/** Where code that is played or replayed has calls made; nothing where the app has no effects. */
export const callsOf = (
  effects: Pick<EffectStorage, 'store'> | undefined,
  rules: OperationRules,
  clock: Clock,
): { effects?: StepEffects } => (effects ? { effects: effectsOfSteps(effects.store, rules, clock) } : {});

/** Effects as the engine knows them: where the calls of `ctx.effects` go. */
export function effectsOfSteps(
  store: Pick<EffectStore, 'writeIn' | 'announce'>,
  rules: OperationRules,
  clock: Clock = systemClock,
): StepEffects {
  const ids = new EntryIds(clock);
  // What it gets is what it has checked.
  const of = (operations: readonly CheckedOperation[]) =>
    (operations as readonly OperationToWrite[]).flatMap(({ effects }) => effects);
  return {
    check: (given): OperationToWrite => {
      const { operation, subject } = given ?? {};
      const effects = checkedOperation(given, rules).map((effect) => ({ entryId: ids.next(), ...effect }));
      const size = effects.reduce((sum, { ref, payload }) => sum + ref.length + (payload?.length ?? 0), 0);
      return { operation, subject, entryIds: effects.map(({ entryId }) => entryId), size, effects };
    },
    write: (operations, tx) => store.writeIn(tx, of(operations)),
    announce: (operations) => store.announce(of(operations)),
  };
}

/** The same settlements, of which runs that wait for an operation hear in the transaction that completes it. */
export function tellingRuns(
  { settlements, insight }: Pick<EffectStorage, 'settlements' | 'insight'>,
  completions: Pick<EffectCompletions, 'complete'>,
): EffectSettlements {
  return {
    settle: async (claimed, settlement, onCompletion) => {
      if (settlement.status !== 'succeeded') return settlements.settle(claimed, settlement, onCompletion);
      let announce = (): void => undefined;
      const settled = await settlements.settle(claimed, settlement, async (group, handle, tx) => {
        announce = await completions.complete(group, tx, () => insight.isComplete(group, tx));
        await onCompletion?.(group, handle, tx);
      });
      if (settled === 'completed') announce();
      return settled;
    },
  };
}
