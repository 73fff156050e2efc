import fc from 'fast-check';
import { type Case, mendableBodies, mishaps } from './programs.js';

/** What operators do. `n` and `seq` choose the run and the step, among those that there are then. */
export type Act =
  | { do: 'retry' | 'restart' | 'cancel' | 'terminate' | 'erase'; n: number }
  | { do: 'fork' | 'runNow'; n: number; seq: number }
  | { do: 'resolve'; n: number; seq: number; how: 'output' | 'error' | 'skip' }
  | { do: 'hold' | 'lift' | 'retryAll' | 'cancelAll' };

export interface TimedAct {
  act: Act;
  /** After which write of an engine. */
  at: number;
  /** The engine hears of its write when the act is done; otherwise both go on at the same time. */
  waits: boolean;
}

export interface RepairedCase extends Case {
  acts: TimedAct[];
  /** What is done one by one, each when nothing moves any more. */
  later: Act[];
}

const n = fc.nat(5);
const seq = fc.nat(9);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('retry' as const), n }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restart' as const), n }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'terminate' as const), n }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), n }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('fork' as const, 'runNow' as const), n, seq }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      n,
      seq,
      how: fc.constantFrom('output' as const, 'error' as const, 'skip' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('hold' as const, 'lift' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('retryAll' as const, 'retryAll' as const, 'cancelAll') }) },
);

const timed: fc.Arbitrary<TimedAct> = fc.record({ act, at: fc.integer({ min: 1, max: 14 }), waits: fc.boolean() });

/** A workflow whose steps fail, what happens to its processes, and what operators do about it. */
export const repairedCases: fc.Arbitrary<RepairedCase> = fc.record({
  body: mendableBodies,
  mishaps: mishaps.map((one) => ({ ...one, cancelAt: null })),
  acts: fc.array(timed, { maxLength: 5 }),
  later: fc.array(act, { maxLength: 6 }),
});
