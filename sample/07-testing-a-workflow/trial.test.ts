import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestingDurable, type StepSpy, type TestingDurable } from 'nest-durable/testing';
import { MailSteps, TrialWorkflow } from './trial.workflow.js';

void describe('a trial', () => {
  let durable: TestingDurable;
  let mail: StepSpy;
  before(async () => {
    // No database and no waiting: everything is in memory, and time goes when the test says so.
    durable = await createTestingDurable({ workflows: [TrialWorkflow], providers: [MailSteps] });
    mail = durable.spy(MailSteps, 'send');
    mail.replace(() => 'sent');
  });
  after(() => durable.close());

  void it('ends after two weeks, with a mail', async () => {
    const { id } = await durable.client.start(TrialWorkflow, 'Ada');
    assert.equal((await mail.called()).input, 'welcome, Ada');
    await durable.clock.advance('13d');
    assert.equal(mail.calls.length, 1);
    await durable.clock.advance('1d');
    assert.equal((await mail.called(2)).input, 'your trial is over, Ada');
    assert.deepEqual(await durable.client.result(id), { endedAt: new Date('2026-01-15T00:00:00Z') });
  });

  void it('ends the same whenever its process dies', async () => {
    const { writes, crashes } = await durable.exploreCrashes((client) =>
      client.start(TrialWorkflow, 'Ada', { id: 'ada' }),
    );
    assert.equal(crashes, 2 * writes);
  });

  void it('can still be played from what an older version recorded', async () => {
    const { id } = await durable.client.start(TrialWorkflow, 'Grace');
    await durable.drain();
    // In a real test: a JSON file beside it, written once by `durable.history(id)`.
    const recorded = await durable.history(id);
    assert.deepEqual(await durable.replay(recorded), { verdict: 'fits', then: 'waits' });
  });
});
