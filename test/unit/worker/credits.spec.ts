import { taskOf } from '../../../lib/conformance/transport.js';
import { claimedSince, type StepAnswer, workerOf } from '../../../lib/core/protocol.js';
import { HandOver } from '../../../lib/engine/tasks.js';
import { answersIn, isSent, tasksIn } from '../../../lib/worker/claims.js';
import { CREDIT_MS, Credits, GivenCredits, LONGEST_SENT, OPEN_MS } from '../../../lib/worker/credits.js';
import type { Credit } from '../../../lib/worker/task-source.js';

const AT = 1_000_000;

const answerOf = (runId: string, createdAt = AT): StepAnswer => ({
  stepId: `${runId}:0`,
  runId,
  seq: 0,
  status: 'completed',
  output: '1',
  error: null,
  startedAt: createdAt,
  createdAt,
});

const given = (runs = 1) => {
  const credits = new GivenCredits('w', 30_000);
  for (const name of ['pay', 'refund']) credits.serve({ group: 'pay', name });
  return { credits, credit: credits.give(runs, 5, () => true)! };
};

const pay = (seq: number, fields = {}) => taskOf(seq, { name: 'pay', ...fields });

describe('the engine, with a credit of a worker of another process', () => {
  function granted(...runIds: string[]) {
    const credits = new Credits();
    const { credit } = given();
    credits.grant(
      runIds.map((runId) => answerOf(runId)),
      credit,
    );
    return { credits, credit };
  }

  it('sends it one task of the run, as claimed at this time', () => {
    const { credits, credit } = granted('run');
    const claimedBy = credits.accept(pay(1), AT + CREDIT_MS)?.claimedBy ?? '';
    expect(claimedBy).toBe(`${credit.mark}.${(AT + CREDIT_MS).toString(16)}`);
    expect([workerOf(claimedBy), claimedSince(claimedBy), isSent(claimedBy)]).toEqual(['w', AT + CREDIT_MS, true]);
    expect(credits.accept(pay(2), AT)).toBeUndefined();
  });

  it.each<[string, object, number]>([
    ['of another run', { runId: 'other' }, AT],
    ['of another group', { group: 'other' }, AT],
    ['of a name without a handler in the group', { name: 'other', group: 'pay' }, AT],
    ['with a priority', { priority: -1 }, AT],
    ['after its end', {}, AT + CREDIT_MS + 1],
    ['that no notification has room for', { input: JSON.stringify('x'.repeat(LONGEST_SENT)) }, AT],
    ['whose quotes leave no room for it', { input: JSON.stringify('"'.repeat(LONGEST_SENT / 5)) }, AT],
  ])('sends it no task %s', (_, fields, at) => {
    const { credits } = granted('run');
    expect(credits.accept(pay(1, fields), at)).toBeUndefined();
    expect(credits.accept(pay(1, { name: 'refund', group: 'pay' }), AT)).toBeDefined();
  });

  it('sends it nothing after another answer of the run, which had no credit', () => {
    const { credits } = granted('run');
    credits.grant([answerOf('run', AT + 1)], undefined);
    expect(credits.accept(pay(1), AT + 1)).toBeUndefined();
    const other = granted('run').credits;
    other.clear();
    expect(other.accept(pay(1), AT)).toBeUndefined();
  });

  it('forgets what runs of other processes were given', () => {
    const { credits, credit } = granted('run');
    credits.grant([answerOf('other', AT + CREDIT_MS + 1)], credit);
    expect(credits.accept(pay(1), AT)).toBeUndefined();
  });

  it('sends no more than one notification has room for', () => {
    const { credits } = granted('a', 'b', 'c');
    const input = JSON.stringify('x'.repeat(LONGEST_SENT / 3));
    const tasks = ['a', 'b', 'c'].map((runId) => pay(1, { runId, stepId: `${runId}:1`, input }));
    const handOver = new HandOver();
    const end = handOver.offer(tasks, AT, credits.accept);
    expect([...handOver.marksOf(tasks, LONGEST_SENT).keys()]).toEqual(tasks.slice(0, 2));
    expect(handOver.begin(tasks)).toEqual(tasks.slice(2));
    end();
  });
});

describe('a worker that has given a credit', () => {
  const claim = (stepId: string, claimedBy: string) => ({ stepId, claimedBy, claimedAt: AT });

  it('begins what is sent for it once, under a lease from the moment at which it gave it', () => {
    const { credits, credit } = given();
    const sent = claim('run:1', `${credit.mark}.f4240`);
    expect([credits.isOpen(5), credits.hear(sent), credits.hear(sent), credits.isOpen(5)]).toEqual([
      true,
      5,
      undefined,
      false,
    ]);
  });

  it('begins one task for each run that has got it', () => {
    const { credits, credit } = given(2);
    const hear = (stepId: string) => credits.hear(claim(stepId, `${credit.mark}.f4240`));
    expect([hear('a:1'), hear('a:1'), hear('b:1'), hear('c:1')]).toEqual([5, undefined, 5, undefined]);
  });

  it('takes what it has served last, of what it would claim now', () => {
    const credits = new GivenCredits('w', 30_000);
    expect(credits.give(1, 5, () => true)).toBeUndefined();
    for (let n = 0; n < 30; n++) credits.serve({ group: 'g', name: String(n) });
    credits.serve({ group: 'g', name: '15' });
    const takes = credits.give(1, 5, (_, name) => Number(name) % 5 === 0)?.takes;
    expect(takes).toEqual(['10', '20', '25', '15'].map((name) => ['g', name]));
    expect(credits.give(1, 5, () => false)).toBeUndefined();
  });

  it('waits at its end for what may still be sent', () => {
    const { credits } = given();
    credits.beginRest(5);
    expect([credits.restMs(5), credits.restMs(5 + OPEN_MS), new GivenCredits('w', 1).restMs(5)]).toEqual([
      OPEN_MS,
      0,
      0,
    ]);
  });

  it('begins nothing that it has given no credit for, or whose lease is over', () => {
    const { credits, credit } = given();
    const others = ['w#abc.0.f4240', 'w#~abc.0.f4240', '', 'w#~'].map((mark) => credits.hear(claim('run:1', mark)));
    expect(others).toEqual([undefined, undefined, undefined, undefined]);
    expect([credits.isOpen(30_005), credits.isOpen(30_006)]).toEqual([true, false]);
    expect(credits.hear(claim('run:1', `${credit.mark}.f4240`))).toBeUndefined();
  });
});

describe('what comes with notifications', () => {
  const fields = ['run:1', 'run', 1, 'pay', 'pay', '{}', 1, 'w#~a.0', AT];

  it('is read as tasks that are claimed already', () => {
    const heard = tasksIn(JSON.stringify({ from: 'x', since: null, groups: [], sent: [fields] }), 'me');
    const claimed = { claim: { stepId: 'run:1', claimedBy: 'w#~a.0', claimedAt: AT }, reclaimed: false, waitedMs: 0 };
    expect(heard).toMatchObject({ groups: [], sent: [{ ...pay(1), input: '{}', ...claimed }] });
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['an object', {}],
    ['nothing', null],
    ['tasks that are none', [null, 1, 'x', {}, [], ['run:1']]],
    ['fields of other types', [fields.map(String), fields.map(() => null)]],
  ])('is not begun if anybody has sent %s', (_, sent) => {
    expect(tasksIn(JSON.stringify({ sent }), 'me')).toMatchObject({ sent: [] });
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['a mark alone', { mark: 'w#~a.0' }],
    ['the mark of a claim', { mark: 'w#a.0', takes: [] }],
    ['no groups', { mark: 'w#~a.0', takes: [null] }],
    ['a mark that no column has room for', { mark: `${'w'.repeat(200)}#~a.0`, takes: [] }],
    ['a mark that no column takes', { mark: 'w\0#~a.0', takes: [] }],
  ])('gives no credit if anybody has sent %s', (_, credit) => {
    expect(answersIn(JSON.stringify({ answers: [], credit }), 'me')).toEqual({ answers: [], credit: undefined });
  });

  it('gives the credit of a worker', () => {
    const credit: Credit = given().credit;
    expect(answersIn(JSON.stringify({ answers: null, credit }), 'me')).toEqual({ answers: undefined, credit });
    expect(answersIn(JSON.stringify({ from: 'me', credit }), 'me')).toBe('ours');
  });
});
