import { taskOf } from '../../../../lib/conformance/transport.js';
import { withToldDispatches } from '../../../../lib/engine/tasks.js';
import { memoryBackend } from '../../../../lib/memory-backend.js';
import { inMemoryTransaction, type Transaction } from '../../../../lib/core/transaction.js';
import { Telemetry } from '../../../../lib/core/telemetry.js';

describe('dispatches', () => {
  const told: { group: string; count: number }[] = [];
  const telemetry = new Telemetry();
  telemetry.on('tasks.dispatched', (event) => told.push(event));
  const dispatcher = withToldDispatches(memoryBackend().engine.dispatcher, telemetry);
  const tasks = [taskOf(1, { group: 'a' }), taskOf(2, { group: 'b' }), taskOf(3, { group: 'a' })];
  const expected = [
    { group: 'a', count: 2 },
    { group: 'b', count: 1 },
  ];
  afterEach(() => void told.splice(0));

  it('are told once for each group', async () => {
    await dispatcher.dispatch(tasks);
    expect(told).toEqual(expected);
  });

  it('are told once they are committed, and not if they are not', async () => {
    await inMemoryTransaction(undefined, async (tx: Transaction) => {
      await dispatcher.dispatch(tasks, tx);
      expect(told).toEqual([]);
    });
    expect(told).toEqual(expected);
    const failing = inMemoryTransaction(undefined, async (tx: Transaction) => {
      await dispatcher.dispatch(tasks, tx);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(told).toEqual(expected);
  });
});
