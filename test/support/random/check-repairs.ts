import assert from 'node:assert/strict';
import { isFinal, type RunRecord } from '../../../lib/engine/run.js';
import type { Act as RecordedAct } from '../../../lib/acts/acts.js';
import type { StepRecord } from '../../../lib/engine/step.js';
import { stepIdOf } from '../../../lib/core/protocol.js';
import type { Done } from './operators.js';
import { outcomeOf } from './play.js';
import { flat, isCertain, type Op } from './programs.js';
import type { RepairedCase } from './repairs.js';
import { ON_DUTY, type Repaired } from './repaired-life.js';

/** Below them is only the count of log lines. */
const LAST_COMPENSATION = -1_000_000_000;

/** What must hold of every run, whatever operators have done to it. */
export function checkRepairs(one: RepairedCase, lived: Repaired): void {
  assert.deepEqual(lived.again, [], 'nothing is done again once it is recorded');
  assert.deepEqual(lived.whileHeld, [], 'nothing is begun while it is held');
  assert.deepEqual(lived.left, [], 'nothing of an erased run is left');
  checkOutcomes(lived);
  checkKeys(lived);
  checkAttempts(one, lived);
  checkActs(lived);
  checkNews(lived);
  for (const run of lived.runs) {
    const history = lived.histories.get(run.id)!;
    assert.ok(isFinal(run.status), `${run.id} has ended`);
    checkPlaces(history);
    checkUndone(run, history);
    checkDone(run, history, lived);
    checkOutput(one.body, run, lived);
  }
}

const acceptedOn = (lived: Repaired, run: string, ...acts: Done['act'][]): Done[] =>
  lived.done.filter((done) => done.run === run && acts.includes(done.act) && !done.refused);

/** A completed step keeps its outcome, whatever is retried; only an erasure removes it. */
function checkOutcomes({ histories, outcomes }: Repaired): void {
  for (const { runId, seq, status, output } of [...histories.values()].flat()) {
    const first = outcomes.get(stepIdOf(runId, seq));
    if (first === undefined) continue;
    assert.equal(status, 'completed', `step ${runId}:${seq} stays completed`);
    if (output !== null) assert.equal(output, first, `step ${runId}:${seq} keeps its outcome`);
  }
}

/** What is done outside for a step is done under one key; each restart may add one. */
function checkKeys(lived: Repaired): void {
  const keys = new Map<string, Set<string>>();
  for (const { what, run, id, key } of lived.deeds) {
    if (key === undefined) continue;
    const name = `${what} ${id} of ${run}`;
    keys.set(name, (keys.get(name) ?? new Set()).add(key));
  }
  for (const [name, all] of keys) {
    const run = name.split(' of ')[1]!;
    const lives = 1 + acceptedOn(lived, run, 'restart').length;
    assert.ok(all.size <= lives, `${name} under the keys ${[...all].join(', ')} in ${lives} lives`);
  }
  for (const { fork, run, seq, refused } of lived.done) {
    if (fork === undefined || refused) continue;
    // A retry of the fork gives a failed step that it shares more attempts.
    const first = lived.deeds.filter(({ key, attempt }) => key?.startsWith(`${fork}:`) && attempt === 1);
    const shared = first.filter(({ key }) => seqOf(key!) < seq! && seqOf(key!) >= 0);
    assert.deepEqual(shared, [], `${fork} does nothing that ${run} has done before ${seq}`);
  }
}

const seqOf = (key: string): number => Number(key.slice(key.lastIndexOf(':') + 1));

/** Attempts are counted on, over crashes and retries; and a retry gives all of them again. */
function checkAttempts({ body }: RepairedCase, { deeds, histories, attempts, exhausted, done }: Repaired): void {
  const last = new Map<string, number>();
  for (const { key, attempt } of deeds) {
    // A compensation that is retried begins to count anew.
    if (key === undefined || attempt === undefined || seqOf(key) < 0) continue;
    assert.ok(attempt >= (last.get(key) ?? 1), `attempt ${attempt} of ${key} comes after ${last.get(key)}`);
    last.set(key, attempt);
  }
  for (const { runId, seq, attempt } of [...histories.values()].flat()) {
    const numbers = attempts.get(runId)!.flatMap((own) => (own.seq === seq ? [own.attempt] : []));
    assert.equal(new Set(numbers).size, numbers.length, `each attempt of ${runId}:${seq} has its own number`);
    assert.ok(
      seq < 0 || Math.max(0, ...numbers) <= attempt,
      `${runId}:${seq} has made ${attempt} attempts, not ${numbers.join()}`,
    );
  }
  const ops = new Map(everyOp(body).map((op) => [op.id, op]));
  const resolved = new Set(done.flatMap(({ act, run, seq }) => (act === 'resolve' ? [`${run}:${seq}`] : [])));
  for (const { id, key } of deeds) {
    const op = ops.get(id);
    if (key === undefined || seqOf(key) < 0 || resolved.has(key) || !op || !('failures' in op) || op.gaveUp) continue;
    const times = exhausted.get(`${key}/${id}`)?.size ?? 0;
    if (typeof op.laterMs === 'number') assert.equal(times, 0, `${key} asks for later, which is no failure`);
    assert.ok(
      times <= Math.floor(op.failures / 3),
      `${key} fails ${op.failures} times, and had none left ${times} times`,
    );
  }
}

/** Each act that was accepted has its rows in the log, and no other act has any. */
function checkActs({ acts, done, runs }: Repaired): void {
  for (const { actor, act, rows, run } of done) {
    const own = acts.filter((row) => row.actor === actor && !(act.endsWith('All') && row.outcome === 'over'));
    assert.equal(own.length, rows, `${actor} has ${rows} rows for ${act} of ${run}`);
  }
  const known = new Set([ON_DUTY, ...done.map(({ actor }) => actor)]);
  for (const { actor } of acts) assert.ok(known.has(actor), `${actor} is known`);
  for (const { fork, refused } of done)
    if (fork !== undefined)
      assert.equal(
        runs.some(({ id }) => id === fork),
        !refused,
        `${fork} exists if it was accepted`,
      );
}

/** Hooks hear once of each end, and of each time that a run is blocked. Erasures have removed what acts tell. */
function checkNews(lived: Repaired): void {
  const { runs, acts, news, done } = lived;
  const timed = new Set(done.flatMap(({ actor, timed }) => (timed ? [actor] : [])));
  for (const { runId, reason = 'exhausted' } of news) assert.equal(reason, 'exhausted', `the history of ${runId} fits`);
  for (const run of runs) {
    const told = news.filter(({ runId }) => runId === run.id);
    const ends = told.filter(({ reason }) => reason === undefined);
    assert.ok(ends.length > 0, `hooks hear of the end of ${run.id}`);
    assert.equal(ends.at(-1)!.status, run.status, `hooks hear how ${run.id} has ended`);
    const own = acts.filter(({ kind, target, outcome }) => kind === 'run' && target === run.id && outcome !== 'over');
    const isErased = own.some(({ details }) => Object.keys(details).length === 0);
    // Children go on with their parents.
    if (!/^(root|fork-\d+)$/.test(run.id)) continue;
    if (isErased) continue;
    const restarts = own.filter(({ action }) => action === 'restart').length;
    const retries = own.filter(({ action }) => action === 'retry');
    // What an act tells of the run before may be over when others act at the same time: the storage has no locks.
    const isSure = ({ actor, details }: RecordedAct) => !timed.has(actor) && isFinal(before(details).status);
    const isNone = ({ actor, details }: RecordedAct) => !timed.has(actor) && !isFinal(before(details).status);
    // A failed run goes on when one of its steps is resolved.
    const resumed = own.filter(({ action, details }) => action === 'resolve step' && details['retried']).length;
    const fewest = restarts + resumed + retries.filter(isSure).length + 1;
    const most = restarts + resumed + retries.filter((act) => !isNone(act)).length + 1;
    assert.ok(
      ends.length >= fewest && ends.length <= most,
      `hooks hear once of each end of ${run.id}: ${fewest} <= ${ends.length} <= ${most}`,
    );
    const retried = retries.filter(({ actor, details }) => timed.has(actor) || before(details).reason);
    const blocks = told.length - ends.length;
    // Until it is played, a blocked run may be retried again; at the end nobody does so.
    const least = retried.filter(({ actor }) => actor === ON_DUTY).length;
    const blocked = retried.length + own.filter(({ action }) => action !== 'retry').length;
    assert.ok(
      blocks >= least && blocks <= blocked,
      `hooks hear once that ${run.id} is blocked: ${least} <= ${blocks} <= ${blocked}`,
    );
  }
}

const before = (details: RecordedAct['details']) => details['before'] as Pick<RunRecord, 'status' | 'reason'>;

function checkPlaces(history: readonly StepRecord[]): void {
  const places = history.flatMap(({ settled }) => settled ?? []);
  assert.equal(new Set(places).size, places.length, 'no place is taken twice');
}

/** What is recorded was done under its own key, except what another run did for a fork, or an operator resolved. */
function checkDone(run: RunRecord, history: readonly StepRecord[], { deeds, done }: Repaired): void {
  const keys = new Set(deeds.map(({ key }) => key));
  const resolved = new Set(done.flatMap(({ act, run, seq }) => (act === 'resolve' ? [`${run}:${seq}`] : [])));
  for (const { seq, kind, status } of history) {
    const key = stepIdOf(run.id, seq);
    if (status !== 'completed' || (kind !== 'step' && kind !== 'remote') || resolved.has(key)) continue;
    if (seq < 0 || seq >= (run.forkedSeq ?? 0)) assert.ok(keys.has(key), `${key} was done`);
  }
}

/** Nothing of a completed run is undone, and nothing of another run. */
function checkUndone(run: RunRecord, history: readonly StepRecord[]): void {
  const undone = history.filter(({ seq }) => seq < 0 && seq > LAST_COMPENSATION);
  if (run.status === 'completed')
    assert.deepEqual(undone, [], `nothing of ${run.id} is undone, since it has completed`);
  for (const { seq } of undone) {
    assert.ok(-1 - seq >= (run.forkedSeq ?? 0), `${run.id} undoes what it did itself`);
    assert.equal(
      history.find((step) => step.seq === -1 - seq)?.status,
      'completed',
      'only what has completed is undone',
    );
  }
}

/** Without an operator's outcome, a workflow that completes has the outputs of all of its steps. */
function checkOutput(body: readonly Op[], run: RunRecord, lived: Repaired): void {
  if (run.id !== 'root' || run.status !== 'completed' || run.erasedAt !== null) return;
  const isPlain = flat(body).every((op) => op.do !== 'caught' && op.do !== 'children');
  if (!isPlain || !isCertain(body) || lived.done.some(({ act }) => act === 'resolve')) return;
  const expected = outcomeOf(mended(body));
  assert.ok('output' in expected);
  assert.deepEqual(JSON.parse(run.output!), expected.output, 'all of its steps are done');
}

/** As it is when nothing fails any more. */
const mended = (ops: readonly Op[]): Op[] =>
  ops.map((op) => {
    if ('failures' in op) return { ...op, gaveUp: false };
    if ('branches' in op) return { ...op, branches: op.branches.map(mended) };
    if ('bodies' in op) return { ...op, bodies: op.bodies.map(mended) };
    return 'body' in op ? { ...op, body: mended(op.body) } : op;
  });

const everyOp = (ops: readonly Op[]): Op[] =>
  flat(ops).flatMap((op) => [
    op,
    ...(op.do === 'child' ? everyOp(op.body) : []),
    ...(op.do === 'children' ? op.bodies.flatMap(everyOp) : []),
  ]);
