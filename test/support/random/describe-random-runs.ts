import fc from 'fast-check';
import { check } from './check.js';
import { live } from './life.js';
import { cases } from './programs.js';

/** In all, over the files that share them. A night has time for ten thousand: `npm run test:histories`. */
const CASES = Number(process.env['DURABLE_CASES'] ?? 500);
const PARTS = 4;
const AT_ONCE = 16;

/** `DURABLE_SEED` plays the same cases again, `DURABLE_CASE` one of them alone. */
const seed = Number(process.env['DURABLE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const alone = process.env['DURABLE_CASE'];

/** One of several files of made-up workflows, so that they run side by side. */
export function describeRandomRuns(part: number): void {
  it(`part ${part} of ${PARTS}: made-up workflows end as they should, whatever happens to their processes`, async () => {
    const ours = Math.ceil(CASES / PARTS);
    const sample = fc.sample(cases, { numRuns: ours, seed: seed + part });
    process.stdout.write(`random runs, part ${part}: ${sample.length} cases of seed ${seed}\n`);
    const numbers = alone === undefined ? sample.keys() : [Number(alone)].values();
    const failures: string[] = [];
    const player = async () => {
      for (const n of numbers) {
        if (failures.length > 0) return;
        const one = sample[n]!;
        await live(one)
          .then((lived) => check(one, lived))
          .catch((error: Error) => failures.push(failureOf(part, n, error, one)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, player));
    expect(failures).toEqual([]);
  }, 900_000);
}

const failureOf = (part: number, n: number, { message }: Error, one: object): string =>
  `${message}\nagain: DURABLE_SEED=${seed} DURABLE_CASE=${n} npm test -- test/unit/engine/random-runs-${part}.spec.ts\n${JSON.stringify(one)}`;
