// @ts-check
/** Calls to the outside: claims, settlements, completions. */

const EFFECTS = 'test/contract/effects/ports.spec.ts';
const POSTGRES = 'typeorm on postgres';

/** @type {import('./mutant.mjs').Mutant[]} */
export const effectMutants = [
  {
    id: 'effect-settled-without-its-token',
    promise: '11',
    file: 'lib/effects/tables.sql.ts',
    from: "AND status = 'in_flight' AND claim_token = ${token}",
    to: "AND status = 'in_flight'",
    spec: EFFECTS,
    test: 'I12 a lost claim writes neither the row nor a record',
    on: POSTGRES,
  },
  {
    id: 'group-completes-unlocked',
    promise: '11',
    file: 'lib/effects/tables.sql.ts',
    from: 'ORDER BY e.entry_id LIMIT ${raw(limit)} FOR UPDATE`',
    to: 'ORDER BY e.entry_id LIMIT ${raw(limit)}`',
    spec: EFFECTS,
    test: 'I19 if several settle the last entries of a group at the same time, exactly one completes it',
    on: POSTGRES,
  },
  {
    id: 'group-is-not-looked-at-again',
    promise: '11',
    file: 'lib/effects/entries.sql.ts',
    from: 'return Number(rows[0]?.open) === 0 ?',
    to: 'return Number(rows[0]?.open) >= 0 ?',
    spec: 'test/contract/effects/commits.spec.ts',
    test: 'I24 what is enqueued while a settlement waits for another of its group is one more to wait for',
    on: POSTGRES,
  },
  {
    id: 'effect-claim-counts-no-attempt',
    promise: '11',
    file: 'lib/effects/claims.sql.ts',
    from: 'FROM due WHERE exhausted)) THEN 0 ELSE 1 END',
    to: 'FROM due WHERE exhausted)) THEN 0 ELSE 0 END',
    spec: EFFECTS,
    test: 'I11 an entry that crashes its process each time ends without another call',
    on: POSTGRES,
  },
  {
    id: 'call-that-was-never-made-counts',
    promise: '11',
    file: 'lib/effects/claims.sql.ts',
    from: 'if (uncalled && lost.length > 0)',
    to: 'if (uncalled && lost.length < 0)',
    spec: EFFECTS,
    test: 'of a lost claim that was never called only the attempt is given back',
    on: POSTGRES,
  },
  {
    id: 'renewal-of-who-lost-the-effect',
    promise: '11',
    file: 'lib/effects/claims.sql.ts',
    from: 'e.claim_token = c.token FOR UPDATE SKIP LOCKED',
    to: 'e.claim_token IS NOT NULL FOR UPDATE SKIP LOCKED',
    spec: EFFECTS,
    test: 'I12 a renewal extends only held claims, each by its own duration',
    on: POSTGRES,
  },
];
