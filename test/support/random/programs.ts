import fc from 'fast-check';

/** A step of a made-up workflow. `id` names it in histories and ledgers. */
export type Op =
  | ({ do: 'step' | 'transaction' | 'remote'; id: string; failures: number; gaveUp: boolean; undo: boolean } & Mendable)
  | { do: 'sleep'; id: string; ms: number }
  | { do: 'signal'; id: string; timeoutMs: number | null }
  | { do: 'any'; id: string; timerMs: number }
  | { do: 'race' | 'all'; id: string; branches: Op[][] }
  | { do: 'child'; id: string; body: Op[] }
  | { do: 'children'; id: string; bodies: Op[][] }
  | { do: 'caught'; id: string; body: Op[] }
  | { do: 'note' | 'commit'; id: string };

/** How a step fails that operators can mend. */
interface Mendable {
  /** It fails in its first `failures` attempts only, also where it `gaveUp`. */
  mends?: true;
  /** Its failures ask for an attempt this many ms later. */
  laterMs?: number | null;
  /** It blocks its run when it has no attempts left. */
  blocks?: boolean;
  /** How many attempts to undo it fail. */
  undoFailures?: number;
}

/** What happens around it. */
export interface Mishaps {
  /** Before or after which write of an engine the process that makes it dies. */
  crashes: { write: number; when: 'before' | 'after' }[];
  /** After which write it is cancelled. */
  cancelAt: number | null;
  /** Answers come twice. */
  twice: boolean;
  /** Calls of ports are held up by so many turns of the event loop, in turn. */
  delays: number[];
  /** Signals are sent before it starts, or while it runs. */
  early: boolean;
}

export interface Case {
  body: Op[];
  mishaps: Mishaps;
}

const DO = fc.constantFrom('step' as const, 'step' as const, 'transaction' as const, 'remote' as const);

const plainActs = fc.record({
  do: DO,
  id: fc.constant(''),
  failures: fc.constantFrom(0, 0, 0, 1),
  gaveUp: fc.constantFrom(false, false, false, false, false, true),
  undo: fc.boolean(),
});

/** They fail often, but none for ever. */
const mendableActs = fc.record({
  do: DO,
  id: fc.constant(''),
  failures: fc.constantFrom(0, 0, 1, 2, 4, 5),
  gaveUp: fc.constantFrom(false, false, false, true),
  undo: fc.constantFrom(false, false, false, true),
  mends: fc.constant(true as const),
  laterMs: fc.constantFrom(null, null, null, 1, 60_000),
  blocks: fc.boolean(),
  undoFailures: fc.constantFrom(0, 0, 4),
});

const leaf = (acts: fc.Arbitrary<Op>, deep: boolean): fc.Arbitrary<Op> => {
  const sleeps = fc.record({
    do: fc.constant('sleep' as const),
    id: fc.constant(''),
    ms: fc.integer({ max: 3, min: 0 }),
  });
  const signals = fc.record({
    do: fc.constant('signal' as const),
    id: fc.constant(''),
    timeoutMs: fc.constantFrom(null, null, 2),
  });
  const firsts = fc.record({
    do: fc.constant('any' as const),
    id: fc.constant(''),
    timerMs: fc.integer({ max: 5, min: 0 }),
  });
  const marks = fc.record({ do: fc.constantFrom('note' as const, 'commit' as const), id: fc.constant('') });
  const kinds: fc.WeightedArbitrary<Op>[] = [
    { weight: 8, arbitrary: acts },
    { weight: 1, arbitrary: sleeps },
    { weight: 2, arbitrary: signals },
    { weight: 1, arbitrary: firsts },
  ];
  return fc.oneof(...kinds, ...(deep ? [{ weight: 1, arbitrary: marks }] : []));
};

function bodies(acts: fc.Arbitrary<Op>): fc.Arbitrary<Op[]> {
  const branch = fc.array(leaf(acts, false), { minLength: 1, maxLength: 3 });
  const nested: fc.Arbitrary<Op> = fc.oneof(
    fc.record({
      do: fc.constantFrom('race' as const, 'all' as const),
      id: fc.constant(''),
      branches: fc.array(branch, { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ do: fc.constantFrom('child' as const, 'caught' as const), id: fc.constant(''), body: branch }),
    fc.record({
      do: fc.constant('children' as const),
      id: fc.constant(''),
      bodies: fc.array(branch, { minLength: 2, maxLength: 4 }),
    }),
  );
  return fc.array(fc.oneof({ weight: 4, arbitrary: leaf(acts, true) }, { weight: 1, arbitrary: nested }), {
    minLength: 1,
    maxLength: 6,
  });
}

/** A workflow whose steps fail until operators have mended them, every part of it with a name of its own. */
export const mendableBodies: fc.Arbitrary<Op[]> = bodies(mendableActs).map((body) => named(body, 'o'));

export const mishaps: fc.Arbitrary<Mishaps> = fc.record({
  crashes: fc.array(fc.record({ write: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before', 'after') }), {
    maxLength: 2,
  }),
  cancelAt: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }) },
  ),
  twice: fc.boolean(),
  delays: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 5 }),
  early: fc.boolean(),
});

/** A made-up workflow, every part of it with a name of its own, and what happens to it. */
export const cases: fc.Arbitrary<Case> = fc
  .record({ body: bodies(plainActs), mishaps })
  .map(({ body, mishaps }) => ({ body: named(body, 'o'), mishaps }));

function named(ops: readonly Op[], prefix: string): Op[] {
  return ops.map((op, i) => {
    const id = `${prefix}${i}`;
    if ('branches' in op) return { ...op, id, branches: op.branches.map((ops, b) => named(ops, `${id}.${b}`)) };
    if ('bodies' in op) return { ...op, id, bodies: op.bodies.map((ops, b) => named(ops, `${id}.${b}`)) };
    if ('body' in op) return { ...op, id, body: named(op.body, `${id}.`) };
    return { ...op, id };
  });
}

/** All of it, what is nested included; children not, since they are runs of their own. */
export const flat = (ops: readonly Op[]): Op[] =>
  ops.flatMap((op) => [
    op,
    ...('branches' in op ? op.branches.flatMap(flat) : []),
    ...(op.do === 'caught' ? flat(op.body) : []),
  ]);

/** Whether what becomes of it depends on nothing but itself. */
export const isCertain = (ops: readonly Op[]): boolean =>
  flat(ops).every(
    (op) =>
      op.do !== 'race' &&
      op.do !== 'any' &&
      !(op.do === 'signal' && op.timeoutMs !== null) &&
      !(op.do === 'child' && !isCertain(op.body)) &&
      !(op.do === 'children' && !op.bodies.every(isCertain)),
  );
