import type { WorkflowContext } from '../../../lib/engine/context.js';
import { StatementTooLargeError } from '../../../lib/core/errors.js';
import { describeSmallPackets } from '../../support/small-packets.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('makes tables of its own');

const asks = async (ctx: WorkflowContext) => String(await ctx.remote('far')).length;
/** So many quotes fit into the row of an answer, but not into a statement that records the step. */
const QUOTES = 300_000;

describeSmallPackets('answers to runs that nobody owns, one of which cannot be recorded', (on) => {
  it('are brought to their runs but for that one, which is tried again', async () => {
    const { house } = on();
    const { query } = house.backend!;
    const first = await house.boot({ workflows: { asks } });
    const ids = ['a', 'b', 'too-large', 'c', 'd', 'late'];
    const stepIds = ids.map((id) => `${id}:0`);
    await Promise.all(ids.map((id) => first.client.start('asks', null, { id })));
    await until('all are asked', async () => (await first.storage.dispatcher.lost(stepIds)).length === 0);
    await first.stop();
    first.kill();
    /** As a worker of another kind writes it. */
    const answer = (id: string, output: string) =>
      query(
        `INSERT INTO durable_transport_results (step_id, run_id, seq, status, output, created_at)
         VALUES ('${id}:0', '${id}', 0, 'completed', ${output}, 1)`,
      );
    for (const id of ids.slice(0, 5))
      await answer(id, id === 'too-large' ? `CONCAT('"', REPEAT('\\\\"', ${QUOTES}), '"')` : `'"x"'`);

    const second = await house.boot({ engine: false, workflows: { asks } });
    const errors: unknown[] = [];
    second.telemetry.on('loop.error', ({ error }) => errors.push(error));
    await second.start();
    const { client } = second;
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((id) => client.result(id, { timeout: '120s' })));
    expect(others).toEqual([1, 1, 1, 1]);
    await until('that one is told of', () => errors.some((error) => error instanceof StatementTooLargeError));
    await answer('late', `'"x"'`);
    expect(await client.result('late', { timeout: '120s' })).toBe(1);
    expect((await client.getStatus('too-large')).status).toBe('suspended');
    await query(`UPDATE durable_transport_results SET output = '"xx"' WHERE step_id = 'too-large:0'`);
    expect(await client.result('too-large', { timeout: '120s' })).toBe(2);
  });
});
