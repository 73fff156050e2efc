import { randomUUID } from 'node:crypto';
import { jsonCodec } from '../../lib/core/codec.js';
import { Telemetry } from '../../lib/core/telemetry.js';
import { Effects } from '../../lib/effects/effects.js';
import type { EffectStorage } from '../../lib/effects/entries.js';
import {
  type AbandonedEffect,
  type EffectContext,
  EffectHandlers,
  EffectListeners,
  type EffectPolicy,
} from '../../lib/effects/handlers.js';
import { EffectRunner, type EffectRunnerOptions } from '../../lib/effects/runner.js';

export type Call = (ref: never, context: EffectContext) => unknown;

export interface RunnerSetup {
  handlers?: Record<string, Call>;
  /** Of all handlers. */
  policy?: Partial<EffectPolicy>;
  onComplete?: Record<string, (subject: string, tx: unknown) => unknown>;
  onAbandoned?: Record<string, (entry: AbandonedEffect) => unknown>;
  options?: Partial<EffectRunnerOptions>;
}

export interface RunningEffects {
  effects: Effects;
  runner: EffectRunner;
  telemetry: Telemetry;
}

const POLICY: EffectPolicy = {
  attempts: 3,
  timeoutMs: 20_000,
  leaseMs: 300_000,
  backoff: { delay: '30s', factor: 2, maxDelay: '1h' },
};

/** A runner as a process has one. Whoever starts it stops it. */
export function effectsOn(storage: EffectStorage, setup: RunnerSetup = {}): RunningEffects {
  const { handlers = {}, policy, onComplete = {}, onAbandoned = {}, options = {} } = setup;
  const [known, listeners, telemetry] = [new EffectHandlers(), new EffectListeners(), new Telemetry()];
  for (const [name, call] of Object.entries(handlers))
    known.register({ name, policy: { ...POLICY, ...policy }, call: call });
  for (const [operation, listener] of Object.entries(onComplete))
    listeners.onComplete({ operation, onComplete: listener });
  for (const [operation, listener] of Object.entries(onAbandoned))
    listeners.onAbandoned({ operation, onAbandoned: listener });
  const runner = new EffectRunner(storage, known, listeners, {
    nodeId: randomUUID(),
    concurrency: 50,
    batchSize: 50,
    pollMs: 20,
    shutdownTimeoutMs: 5_000,
    codec: jsonCodec,
    telemetry,
    ...options,
  });
  return { effects: new Effects(storage, { codec: jsonCodec, payloadBytes: 1_000_000 }), runner, telemetry };
}
