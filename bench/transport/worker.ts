import { jsonCodec } from '../../lib/core/codec.js';
import { Telemetry } from '../../lib/core/telemetry.js';
import { systemClock } from '../../lib/core/time.js';
import { SqlTaskSource } from '../../lib/worker/transport.sql.js';
import { HandlerRegistry } from '../../lib/worker/handlers.js';
import { Worker } from '../../lib/worker/worker.js';
import { BATCH, GROUP } from '../floor/statements.js';
import { serve } from '../serve.js';
import type { Address } from '../server.js';
import { listening, openStorage, type Storage } from './storage.js';

let storage: Storage;
let worker: Worker;

serve({
  open: async ({ address }: { address: Address }) => {
    storage = await openStorage(address);
    const { executor, tables, notifier } = storage;
    const handlers = new HandlerRegistry();
    handlers.register(GROUP, async (input) => ({ n: (input as { n: number }).n + 1 }));
    const telemetry = new Telemetry();
    telemetry.on('loop.error', console.error);
    worker = new Worker(new SqlTaskSource(executor, tables, notifier), handlers, {
      workerId: `bench-${process.pid}`,
      concurrency: BATCH,
      batchSize: BATCH,
      leaseMs: 30_000,
      pollMs: 500,
      shutdownTimeoutMs: 5_000,
      payloadLimit: 1 << 20,
      maxClaims: 10,
      codec: jsonCodec,
      clock: systemClock,
      telemetry,
    });
    worker.start();
    await listening(storage);
  },
  stop: async () => {
    await worker.stop();
    await storage.close();
  },
});
