// @ts-check
// Breaks one promise after the other in a copy of the checkout, and looks whether the suite that guards it fails.
//   npm run test:mutants [-- --list | --only id,id | --jobs 2 | --why | --by default]
// `--by default`: first by what `npm test` runs of the suite, then by all of it where that has let a mutant live. Says how
// many of each promise `npm test` kills by itself, and fails if these are too few.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup, { stopServers } from '../../support/servers/global-setup.mjs';
import { mutants as all } from './all.mjs';
import { endAll, runTests } from './jest-run.mjs';
import { mutated, patternOf } from './mutant.mjs';
import { Scratch } from './scratch.mjs';
import { ROOT } from '../../support/root.mjs';
import { writeReport } from '../reports.mjs';

const SCRATCH = join(ROOT, '.cache/mutants');
/** Of one suite without a mutant. */
const LIMIT_MS = 300_000;
/**
 * With a mutant: what takes so much longer than the whole suite took without it, on the same machine, is not merely slow.
 *
 * @param {number} tookMs
 */
const limitsAfter = (tookMs) => ({ ofRunMs: LIMIT_MS + 5 * tookMs, ofTestMs: 30_000 + 5 * tookMs });
/** What `npm test` has to kill by itself: so much of all mutants, and so many of each promise. */
const BY_DEFAULT = { share: 0.91, ofPromise: 3 };

/**
 * @typedef {import('./mutant.mjs').Mutant} Mutant
 * @typedef {{ mutant: Mutant, verdict: 'killed' | 'survived' | 'does not apply' | 'not tested', seconds: number, why: string }} Outcome
 */

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    why: { type: 'boolean', default: false },
    by: { type: 'string' },
    outputFile: { type: 'string' },
  },
});
if (values.by !== undefined && values.by !== 'default') throw new Error('--by knows only "default"');

const mutants = chosen(values.only?.split(','));
if (values.list) {
  for (const { id, promise, spec, test } of mutants)
    console.log(`${id.padEnd(42)}  ${promise.padEnd(4)}  ${spec}: ${test}`);
  process.exit(0);
}
/** The last ones, by the ids of the mutants. @type {Map<string, Outcome['verdict']>} */
const verdicts = new Map();
const isFine = await inTime(mutants);
const passed = [...verdicts.values()].filter((verdict) => verdict === 'killed').length;
const suites = new Set(mutants.map(({ spec }) => spec)).size;
writeReport(values.outputFile, { suites, passed, failed: mutants.length - passed });
process.exit(isFine ? 0 : 1);

/** @param {string[] | undefined} ids */
function chosen(ids) {
  const unknown = (ids ?? []).filter((id) => !all.some((mutant) => mutant.id === id));
  if (unknown.length > 0) throw new Error(`No such mutant: ${unknown.join(', ')}. --list shows them all`);
  return ids ? all.filter(({ id }) => ids.includes(id)) : all;
}

/**
 * Whether all were killed. Ends what it has started, however it ends.
 *
 * @param {readonly Mutant[]} tested
 */
async function inTime(tested) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  process.once('exit', endAll);
  // Its file is named from here, and read from the copies.
  if (process.env['DURABLE_TEST_SERVERS'])
    process.env['DURABLE_TEST_SERVERS'] = resolve(process.env['DURABLE_TEST_SERVERS']);
  await globalSetup();
  try {
    return values.by === 'default' ? await testByDefault(tested) : await testAll(tested);
  } finally {
    await stopServers();
  }
}

/**
 * All of a suite, on the pair that the mutant names.
 *
 * @param {readonly Mutant[]} tested
 */
async function testAll(tested) {
  process.env['DURABLE_TEST_FULL'] = 'true';
  const outcomes = await outcomesOf(tested);
  const alive = outcomes.filter(({ verdict }) => verdict !== 'killed');
  console.log(`\n${outcomes.length - alive.length} of ${outcomes.length} killed`);
  for (const outcome of alive) console.log(row(outcome));
  return alive.length === 0;
}

/**
 * What `npm test` runs of a suite, on whatever pair it chooses.
 *
 * @param {readonly Mutant[]} tested
 */
async function testByDefault(tested) {
  delete process.env['DURABLE_TEST_FULL'];
  const inDefault = tested.filter(({ spec }) => !spec.startsWith('test/full/'));
  const outcomes = await outcomesOf(inDefault.map((mutant) => ({ ...mutant, on: undefined })));
  const killed = new Set(outcomes.filter(({ verdict }) => verdict === 'killed').map(({ mutant: { id } }) => id));
  const rest = tested.filter(({ id }) => !killed.has(id));
  console.log(`\nnot killed by npm test: ${rest.map(({ id }) => id).join(', ') || 'none'}`);
  const isDead = rest.length === 0 || (await testAll(rest));
  console.log(`\n${killed.size} of ${tested.length} killed by npm test alone`);
  const promises = [...new Set(all.map(({ promise }) => promise))].filter((promise) => /^P\d$/.test(promise)).sort();
  const few = promises.filter((promise) => {
    const its = tested.filter((mutant) => mutant.promise === promise);
    const count = its.filter(({ id }) => killed.has(id)).length;
    console.log(`  ${promise}  ${count} of ${its.length}`);
    return count < BY_DEFAULT.ofPromise;
  });
  // Of some mutants that were asked for it says nothing.
  const isEnough = values.only || (few.length === 0 && killed.size >= tested.length * BY_DEFAULT.share);
  if (!isEnough) console.log(`too few: ${BY_DEFAULT.ofPromise} of each promise, and ${BY_DEFAULT.share} of all`);
  return isDead && Boolean(isEnough);
}

/**
 * @param {readonly Mutant[]} tested
 * @returns {Promise<Outcome[]>}
 */
async function outcomesOf(tested) {
  const jobs = Math.max(1, Math.min(Number(values.jobs) || 1, tested.length));
  const scratches = Array.from({ length: jobs }, (_, n) => new Scratch(ROOT, join(SCRATCH, String(n))));
  const before = new Map((await shared(scratches, suitesOf(tested), withoutIn)).flatMap((found) => found));
  return shared(scratches, tested, async (scratch, mutant) => {
    const outcome = await tryOut(scratch, mutant, /** @type {Without} */ (before.get(mutant.id)));
    verdicts.set(mutant.id, outcome.verdict);
    console.log(row(outcome));
    return outcome;
  });
}

/**
 * Hands out `items` to the copies, each one at a time.
 *
 * @template Item, Answer
 * @param {readonly Scratch[]} scratches
 * @param {readonly Item[]} items
 * @param {(scratch: Scratch, item: Item) => Promise<Answer>} work
 */
async function shared(scratches, items, work) {
  /** @type {Answer[]} */
  const answers = [];
  const left = items.map((item, i) => ({ item, i }));
  await Promise.all(
    scratches.map(async (scratch) => {
      for (let next = left.shift(); next; next = left.shift()) answers[next.i] = await work(scratch, next.item);
    }),
  );
  return answers;
}

/**
 * The suites, each with all mutants that it has to kill.
 *
 * @param {readonly Mutant[]} tested
 */
function suitesOf(tested) {
  const specs = [...new Set(tested.map(({ spec }) => spec))];
  return specs.map((spec) => ({ spec, guards: tested.filter((mutant) => mutant.spec === spec) }));
}

/**
 * How a suite comes out without any mutant, by the ids of the mutants: what fails then, or is not there, kills everything
 * or nothing.
 *
 * @typedef {{ red: string, tookMs: number }} Without `red`: why its test says nothing, or empty
 * @param {Scratch} scratch
 * @param {{ spec: string, guards: Mutant[] }} suite
 * @returns {Promise<[string, Without][]>}
 */
async function withoutIn({ folder }, { spec, guards }) {
  const beganAt = performance.now();
  const limits = { ofRunMs: LIMIT_MS, ofTestMs: LIMIT_MS };
  const run = await runTests(folder, spec, [...new Set(guards.map(patternOf))], limits);
  const tookMs = performance.now() - beganAt;
  return guards.map((mutant) => [mutant.id, { red: redness(run, mutant), tookMs }]);
}

/**
 * Empty where the test of the mutant has passed.
 *
 * @param {import('./jest-run.mjs').TestRun} run
 * @param {Mutant} mutant
 */
function redness({ stoodStill, unloadable, passed, failed }, mutant) {
  if (stoodStill) return 'The suite is not over in time without the mutant';
  if (unloadable) return inShort(unloadable);
  const its = failed.find(({ title }) => isOf(mutant, title));
  if (its) return `Fails without the mutant: ${inShort(its.message)}`;
  return passed.some((title) => isOf(mutant, title)) ? '' : `There is no such test: ${mutant.test}`;
}

/**
 * @param {Mutant} mutant
 * @param {string} title
 */
function isOf(mutant, title) {
  return new RegExp(patternOf(mutant)).test(title);
}

/**
 * @param {Scratch} scratch
 * @param {Mutant} mutant
 * @param {Without} without
 * @returns {Promise<Outcome>}
 */
async function tryOut(scratch, mutant, { red, tookMs }) {
  const beganAt = Date.now();
  /** @type {(verdict: Outcome['verdict'], why: string) => Outcome} */
  const outcome = (verdict, why) => ({ mutant, verdict, why, seconds: (Date.now() - beganAt) / 1000 });
  if (red !== '') return outcome('not tested', red);
  try {
    mutated(readFileSync(join(scratch.folder, mutant.file), 'utf8'), mutant);
  } catch (error) {
    return outcome('does not apply', inShort(String(error)));
  }
  const limits = limitsAfter(tookMs);
  const run = await scratch.with(mutant, () => runTests(scratch.folder, mutant.spec, [patternOf(mutant)], limits));
  if (run.stoodStill) return outcome('killed', `not over after ${Math.round(limits.ofRunMs / 1_000)} s`);
  // What cannot be loaded is found by the compiler: nothing of the promise was tried.
  if (run.unloadable) return outcome('not tested', inShort(run.unloadable));
  if (run.passed.length + run.failed.length === 0) return outcome('not tested', 'Its test has not run');
  const failed = run.failed.find(({ title }) => isOf(mutant, title));
  return failed ? outcome('killed', inShort(failed.message)) : outcome('survived', mutant.test);
}

/** @param {Outcome} outcome */
function row({ mutant: { id, promise, spec }, verdict, seconds, why }) {
  const columns = [verdict.padEnd(14), id.padEnd(42), promise.padEnd(4), `${seconds.toFixed(1)} s`.padStart(8), spec];
  return columns.join('  ') + (values.why || verdict !== 'killed' ? `\n    ${why}` : '');
}

/**
 * Of what a test or Jest has to say.
 *
 * @param {string} text
 */
function inShort(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, 4)
    .join(' | ')
    .slice(0, 240);
}
