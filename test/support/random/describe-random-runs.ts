import fc from 'fast-check';
import { sized } from '../tiers.js';
import { check } from './check.js';
import { checkRepairs } from './check-repairs.js';
import { live } from './life.js';
import { cases } from './programs.js';
import { liveRepaired } from './repaired-life.js';
import { repairedCases } from './repairs.js';

/** Of each kind in all, over the files that share them. A night has time for ten thousand: `npm run test:histories`. */
const CASES = Number(process.env['DURABLE_CASES'] ?? sized(500, 200));
const AT_ONCE = 16;

/** `DURABLE_SEED` plays the same cases again, `DURABLE_CASE` one of them alone. */
const seed = Number(process.env['DURABLE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const alone = process.env['DURABLE_CASE'];

interface Part<Case> {
  title: string;
  /** The spec, without its ending. */
  spec: string;
  /** One of several files, so that they run side by side. */
  part: number;
  of: number;
  cases: fc.Arbitrary<Case>;
  /** Plays a case and checks it. */
  play(one: Case): Promise<void>;
}

export const describeRandomRuns = (part: number): void =>
  describePart({
    title: 'made-up workflows end as they should, whatever happens to their processes',
    spec: `random-runs-${part}`,
    part,
    of: 4,
    cases,
    play: async (one) => check(one, await live(one)),
  });

export const describeRandomRepairs = (part: number): void =>
  describePart({
    title: 'made-up workflows keep what they have done, whatever operators do to them',
    spec: `random-repairs-${part}`,
    part,
    of: 2,
    cases: repairedCases,
    play: async (one) => checkRepairs(one, await liveRepaired(one)),
  });

function describePart<Case extends object>({ title, spec, part, of, cases, play }: Part<Case>): void {
  it(`part ${part} of ${of}: ${title}`, async () => {
    const sample = fc.sample(cases, { numRuns: Math.ceil(CASES / of), seed: seed + part });
    process.stdout.write(`${spec}: ${sample.length} cases of seed ${seed}\n`);
    const numbers = alone === undefined ? sample.keys() : [Number(alone)].values();
    const failures: string[] = [];
    const player = async () => {
      for (const n of numbers) {
        if (failures.length > 0) return;
        const one = sample[n]!;
        const again = `DURABLE_SEED=${seed} DURABLE_CASE=${n} npm test -- test/unit/engine/${spec}.spec.ts`;
        await play(one).catch((error: Error) =>
          failures.push(`${error.message}\nagain: ${again}\n${JSON.stringify(one)}`),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, player));
    expect(failures).toEqual([]);
  }, 900_000);
}
