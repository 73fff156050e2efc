import assert from 'node:assert/strict';
import { Intake, NOTHING_HELD } from '../../../lib/acts/holds.js';
import type { ConformanceCase } from '../../../lib/conformance/case.js';
import { RequeueOffError } from '../../../lib/core/errors.js';
import { jsonCodec } from '../../../lib/core/codec.js';
import { Effects } from '../../../lib/effects/effects.js';
import type { EffectAttempt } from '../../../lib/effects/runner.js';
import { effectsOn } from '../../support/effect-runners.js';
import type { EffectsFixture } from './effects.js';

const MINUTE = 60_000;

const only = <T>(all: readonly T[]): T => {
  assert.equal(all.length, 1);
  return all[0]!;
};

const erase = (refs: readonly string[], subject = 'ada') => ({
  operation: 'erase',
  subject,
  calls: refs.map((ref) => ({ handler: 'crm', ref, payload: { of: ref } })),
});

/** Code that makes calls by itself, beside runners of the package. */
export const effectEntriesConformance: readonly ConformanceCase<EffectsFixture>[] = [
  {
    name: 'hands out what is due to code that makes calls by itself, and completes with the last success',
    run: async ({ storage }) => {
      const completed: string[] = [];
      const onComplete = { erase: (subject: string) => completed.push(subject) };
      const { effects, runner } = effectsOn(storage, { onComplete });
      const ids = await effects.enqueue(erase(['a', 'b']));
      const { entries } = runner;
      assert.deepEqual(await entries.claimBatch({ handlers: ['another'] }), []);
      const [first, second] = (await entries.claimBatch({ handlers: ['crm'] })) as [EffectAttempt, EffectAttempt];
      assert.deepEqual([first.entryId, second.entryId].sort(), [...ids].sort());
      const { handler, operation, subject, attempt, exhausted, lastError, ref, payload } = first;
      const told = { handler, operation, subject, attempt, exhausted, lastError, payload };
      const known = {
        handler: 'crm',
        operation: 'erase',
        subject: 'ada',
        attempt: 1,
        exhausted: false,
        lastError: null,
      };
      assert.deepEqual(told, { ...known, payload: { of: ref } });
      assert.deepEqual(await entries.claimBatch({ handlers: ['crm'] }), []);
      assert.equal(await entries.markSucceeded(first), 'settled');
      assert.deepEqual(completed, []);
      assert.equal(await entries.markSucceeded(second, { alreadyAbsent: true }), 'completed');
      assert.deepEqual(completed, ['ada']);
      const log = await effects.auditLog({ operation: 'erase', subject: 'ada' });
      const types = log.map(({ type }) => type);
      assert.deepEqual(types, ['effect_succeeded', 'effect_succeeded', 'operation_completed']);
    },
  },
  {
    name: 'makes an attempt again when it says so, and tells of the end of the lease while one is made',
    run: async ({ storage, clock }) => {
      const { effects, runner } = effectsOn(storage);
      await effects.enqueue(erase(['a']));
      const { entries } = runner;
      const group = { operation: 'erase', subject: 'ada' };
      const first = only(await entries.claimBatch({ handlers: ['crm'], lease: '2m' }));
      const inFlight = only(await effects.listOpen(group));
      assert.equal(inFlight.status, 'in_flight');
      assert.equal(inFlight.nextAttemptAt?.getTime(), clock.now() + 2 * MINUTE);
      assert.equal(await entries.markFailed(first, { error: new RangeError('secret'), retryIn: '1m' }), 'settled');
      const failed = only(await effects.listOpen(group));
      assert.equal(failed.lastError, 'RangeError');
      assert.equal(failed.nextAttemptAt?.getTime(), clock.now() + MINUTE);
      assert.deepEqual(await entries.claimBatch({ handlers: ['crm'] }), []);
      clock.advance(MINUTE);
      const second = only(await entries.claimBatch({ handlers: ['crm'] }));
      assert.deepEqual([second.attempt, second.lastError], [2, 'RangeError']);
      await entries.release([second]);
      await assert.rejects(entries.release([second]), { code: 'INVALID_ARGUMENT' });
      const third = only(await entries.claimBatch({ handlers: ['crm'] }));
      assert.equal(third.attempt, 2);
      await entries.markFailed(third, { error: 'again', retryIn: '1m' });
      await assert.rejects(entries.release([third]), { code: 'INVALID_ARGUMENT' });
      clock.advance(MINUTE);
      assert.equal(only(await entries.claimBatch({ handlers: ['crm'] })).attempt, 3);
    },
  },
  {
    name: 'writes nothing for a claim that another has taken over, and keeps one that was extended',
    run: async ({ storage, clock }) => {
      const { effects, runner } = effectsOn(storage);
      await effects.enqueue(erase(['a', 'b']));
      const { entries } = runner;
      const [kept, left] = (await entries.claimBatch({ handlers: ['crm'], lease: '1m' })) as [
        EffectAttempt,
        EffectAttempt,
      ];
      clock.advance(MINUTE / 2);
      assert.deepEqual(await entries.extend([kept], '2m'), [kept]);
      clock.advance(MINUTE);
      const taken = only(await entries.claimBatch({ handlers: ['crm'] }));
      assert.equal(taken.entryId, left.entryId);
      assert.deepEqual(await entries.extend([kept, left]), [kept]);
      assert.equal(await entries.markSucceeded(left), 'lost');
      assert.deepEqual(await entries.extend([left, kept]), [kept]);
      assert.equal(await entries.markSucceeded(kept), 'settled');
      assert.equal(await entries.markSucceeded(taken), 'completed');
    },
  },
  {
    name: 'says of a call whose processes have died in every attempt that it must be abandoned',
    run: async ({ storage, clock }) => {
      const abandoned: string[] = [];
      const onAbandoned = { erase: ({ error }: { error: string }) => abandoned.push(error) };
      const { effects, runner } = effectsOn(storage, { onAbandoned });
      await effects.enqueue(erase(['a']));
      const { entries } = runner;
      const claim = () => entries.claimBatch({ handlers: ['crm'], lease: '1m', attempts: 2 });
      for (const attempt of [1, 2]) {
        assert.equal(only(await claim()).attempt, attempt);
        clock.advance(MINUTE);
      }
      const last = only(await claim());
      assert.deepEqual([last.attempt, last.exhausted], [2, true]);
      await entries.release([last]);
      assert.deepEqual(await claim(), []);
      assert.equal(await entries.markAbandoned(last, { error: new Error('it died') }), 'settled');
      assert.deepEqual(abandoned, ['Error']);
      assert.equal((await effects.listAbandoned()).length, 1);
    },
  },
  {
    name: 'hands out nothing of a handler that is held, nor anything once the process ends',
    run: async ({ storage }) => {
      const heldNames = new Set(['effect crm']);
      const intake = new Intake({ ...NOTHING_HELD, isHeld: (kind, name) => heldNames.has(`${kind} ${name}`) });
      const { effects, runner } = effectsOn(storage, { options: { held: intake } });
      await effects.enqueue(erase(['a']));
      const { entries } = runner;
      assert.deepEqual(await entries.claimBatch({ handlers: ['crm'] }), []);
      heldNames.clear();
      const claimed = only(await entries.claimBatch({ handlers: ['crm'] }));
      await entries.release([claimed]);
      intake.end();
      assert.deepEqual(await entries.claimBatch({ handlers: ['crm'] }), []);
    },
  },
  {
    name: 'refuses to bring an abandoned call back where that is turned off, and changes nothing',
    run: async ({ storage, rows }) => {
      const { effects, runner } = effectsOn(storage);
      const calls = [{ handler: 'crm', ref: 'a' }];
      const ids = await effects.enqueue({ operation: 'erase', subject: 'ada', calls });
      const { entries } = runner;
      const claimed = only(await entries.claimBatch({ handlers: ['crm'] }));
      await entries.markAbandoned(claimed, { error: 'gone' });
      const before = await rows();
      const final = new Effects(storage, { codec: jsonCodec, payloadBytes: 1_000, requeues: false });
      const by = { actor: 'ada', reason: 'once more' };
      for (const options of [{}, by]) await assert.rejects(final.requeue(ids, options), RequeueOffError);
      assert.deepEqual(await rows(), before);
      assert.deepEqual(await effects.requeue(ids), ids);
    },
  },
  {
    name: 'refuses what it has not handed out, and options that nobody serves',
    run: async ({ storage }) => {
      const { effects, runner } = effectsOn(storage);
      const { entries } = runner;
      const strange = { entryId: 'x' } as EffectAttempt;
      await assert.rejects(entries.markSucceeded(strange), { code: 'INVALID_ARGUMENT' });
      await effects.enqueue(erase(['a']));
      const held = only(await entries.claimBatch({ handlers: ['crm'] }));
      for (const next of [{ retryIn: 'soon' as never }, { nextAttemptAt: new Date(NaN) }])
        await assert.rejects(
          entries.markFailed(held, { error: 'no', ...next }),
          /^TypeError: (retryIn|nextAttemptAt) is /,
        );
      await assert.rejects(entries.claimBatch({ handlers: 'crm' as never }), { code: 'INVALID_ARGUMENT' });
      for (const wrong of [{ limit: 0 }, { lease: 0 }, { attempts: -1 }, { size: 3 }])
        await assert.rejects(entries.claimBatch({ handlers: ['crm'], ...wrong }), {
          code: /INVALID_ARGUMENT|UNKNOWN_OPTION/,
        });
    },
  },
];
