import assert from 'node:assert/strict';
import type { RunRecord } from '../../../lib/engine/run.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import type { Lived } from './life.js';
import { outcomeOf } from './play.js';
import { type Case, flat, isCertain, type Op } from './programs.js';

/** What must hold of every run, however its processes fared. */
export function check({ body, mishaps }: Case, lived: Lived): void {
  assert.deepEqual(lived.again, [], 'nothing is done again once it is recorded');
  for (const run of lived.runs) {
    const history = lived.histories.get(run.id) ?? [];
    assert.equal(run.reason, null, `${run.id} is not blocked: ${run.reasonDetail}`);
    checkOrder(history);
    checkUndone(run, history, lived);
  }
  checkRaces(lived.root, flat(body), lived.histories.get(lived.root.id) ?? []);
  if (mishaps.cancelAt === null && isCertain(body)) checkOutcome(body, lived.root);
  if (mishaps.cancelAt === null) assert.notEqual(lived.root.status, 'cancelled');
}

/**
 * Each outcome has a place of its own. One may be left out: a transaction takes its place with its own commit, and what
 * was settled just before it may be lost with its process.
 */
function checkOrder(history: readonly StepRecord[]): void {
  const places = history.flatMap(({ settled }) => settled ?? []);
  assert.equal(new Set(places).size, places.length, 'no place is taken twice');
}

function checkOutcome(body: readonly Op[], root: RunRecord): void {
  const expected = outcomeOf(body);
  if ('output' in expected) {
    assert.equal(root.status, 'completed', `it failed with ${root.error}`);
    return assert.deepEqual(JSON.parse(root.output!), expected.output);
  }
  assert.equal(root.status, 'failed');
  if (expected.error !== '?') assert.equal((JSON.parse(root.error!) as { message: string }).message, expected.error);
}

/** What is undone is what was completed behind the last point of no return, the last first; and only when it ended early. */
function checkUndone(run: RunRecord, history: readonly StepRecord[], { deeds }: Lived): void {
  const undone = deeds.filter(({ what, run: of }) => what === 'undid' && of === run.id).map(({ id }) => id);
  const inOrder = undone.filter((id, i) => id !== undone[i - 1]);
  if (run.status === 'completed') return assert.deepEqual(undone, [], 'nothing of a completed run is undone');
  const noReturn = Math.max(-1, ...history.filter(({ name }) => name.startsWith('commit:')).map(({ seq }) => seq));
  const recorded = history.filter(({ seq }) => seq < 0).sort((a, b) => a.seq - b.seq);
  assert.deepEqual(
    inOrder,
    recorded.map((step) => history.find(({ seq }) => seq === -1 - step.seq)!.name),
    'the last is undone first',
  );
  for (const { seq, status } of recorded) {
    assert.equal(status, 'completed');
    const step = history.find((one) => one.seq === -1 - seq);
    assert.equal(step?.status, 'completed', 'only what was completed is undone');
    assert.ok(step.seq > noReturn, 'nothing is undone across a point of no return');
  }
}

/** The branch that won is the one whose last outcome has the first place. */
function checkRaces(root: RunRecord, ops: readonly Op[], history: readonly StepRecord[]): void {
  if (root.status !== 'completed') return;
  const text = root.output ?? '';
  for (const op of ops) {
    if (op.do !== 'race' || !text.includes('branch')) continue;
    const ends = op.branches.map((branch) => endOf(branch, history));
    const first = Math.min(...ends);
    const winner = ends.indexOf(first);
    if (first === Number.POSITIVE_INFINITY || !isTop(op, root)) continue;
    const position = Number(op.id.slice(1));
    const said = (JSON.parse(text) as unknown[])[position];
    assert.equal(said, `branch ${winner}`, `race ${op.id} was decided as recorded`);
  }
}

const isTop = ({ id }: Op, root: RunRecord): boolean => root.id === 'root' && /^o\d+$/.test(id);

/** The place at which a branch came to its end, successful or not. */
function endOf(branch: readonly Op[], history: readonly StepRecord[]): number {
  const steps = branch.map(({ id }) => history.find(({ name }) => name === id));
  const failed = steps.find((step) => step?.status === 'failed');
  const last = failed ?? steps.at(-1);
  return last?.settled ?? Number.POSITIVE_INFINITY;
}
