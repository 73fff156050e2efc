import type { WorkflowClient } from '../../../lib/engine/client/client.js';
import { WorkflowNotFoundError } from '../../../lib/core/run-errors.js';
import { newRun } from '../../contract/conformance/fixtures.js';
import { describeHouses } from '../../support/processes.js';

const BY = { actor: 'ada', reason: 'a test' };

const ACTS: readonly [string, (client: WorkflowClient, id: string) => Promise<unknown>][] = [
  ['getStatus', (client, id) => client.getStatus(id)],
  ['getStatus with history', (client, id) => client.getStatus(id, { history: true, children: true })],
  ['explain', (client, id) => client.explain(id)],
  ['cancel', (client, id) => client.cancel(id)],
  ['cancel by an operator', (client, id) => client.cancel(id, BY)],
  ['terminate', (client, id) => client.terminate(id, BY)],
  ['retry', (client, id) => client.retry(id)],
  ['restart', (client, id) => client.restart(id, BY)],
  ['restart with another input', (client, id) => client.restart(id, { ...BY, input: 2 })],
  ['fork', (client, id) => client.fork(id, { ...BY, from: 0 })],
  ['fork with another input', (client, id) => client.fork(id, { ...BY, from: 0, input: 2 })],
];

describeHouses('a run of another namespace', (house) => {
  it('is not found by its id, and nobody changes it', async () => {
    const { client, storage } = await house().boot({ workflows: { order: async () => undefined } });
    await storage.catalog.create([newRun('elsewhere', { namespace: 'other', workflow: 'order', delayMs: 3_600_000 })]);
    const before = await storage.catalog.find(['elsewhere']);
    for (const [name, act] of ACTS) {
      const answer = await act(client, 'elsewhere').catch((error: unknown) => error);
      expect({ name, refused: answer instanceof WorkflowNotFoundError }).toEqual({ name, refused: true });
    }
    expect(await client.delete('elsewhere', BY)).toBe(false);
    expect(await storage.catalog.find(['elsewhere'])).toEqual(before);
    expect((await storage.acts.list({ namespace: 'other', limit: 10 })).acts).toEqual([]);
    expect((await storage.acts.list({ namespace: '', limit: 10 })).acts).toMatchObject([{ outcome: 'missing' }]);
  });
});
