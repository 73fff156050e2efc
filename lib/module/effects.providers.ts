import type { Provider } from '@nestjs/common';
import type { DurableSettings } from './durable-options.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE, TRACE_API } from './durable.tokens.js';
import { type TraceApi, traceContextOf } from './trace-context.js';
import { tellingRuns } from './outgoing-of-steps.js';
import { type EffectsSettings, effectsSettings } from './effects-options.js';
import { EffectHandlers } from '../effects/effect-handlers.js';
import { EffectListeners } from '../effects/effect-listeners.js';
import type { EffectStorage } from '../effects/effect-storage.js';
import { Effects } from '../effects/effects.js';
import { EffectCompletions } from '../engine/effects/effect-completions.js';
import { EffectRunner } from '../effects/runner/effect-runner.js';
import type { Held } from '../holds/held-names.js';
import { Intake } from '../holds/intake.js';
import { nodeName } from './node-name.js';
import { refusing } from './refusing-port.js';
import type { Storage } from './storage.providers.js';
import { contextsOf } from './worker.providers.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { systemClock } from '../time/clock.js';
import type { Loops } from '../time/poll-loop.js';
import type { OperationRules } from '../effects/checked-operation.js';

export interface EffectsParts {
  effects: Effects;
  runner: EffectRunner;
  /** Complete once the container has been explored. */
  handlers: EffectHandlers;
  listeners: EffectListeners;
  /** The rules for enqueued operations. */
  rules: OperationRules;
}

/** The effects of a process: enqueues calls, and makes those that it has handlers for. */
export class EffectsRole {
  constructor(
    readonly parts: EffectsParts,
    /** False: effects are turned off. */
    private readonly settings: EffectsSettings | false,
  ) {}

  start(): void {
    const { runner, handlers } = this.parts;
    if (this.settings !== false && this.settings.run && handlers.all().length > 0) runner.start();
  }

  get loops(): Loops {
    return this.parts.runner.loops;
  }

  /** Waits for calls to end or be abandoned. */
  stop(): Promise<void> {
    return this.parts.runner.stop();
  }
}

export const effectsProviders: Provider[] = [
  {
    provide: EffectsRole,
    inject: [DURABLE_SETTINGS, DURABLE_STORAGE, Telemetry, Intake, TRACE_API],
    useFactory: createEffects,
  },
  { provide: Effects, inject: [EffectsRole], useFactory: ({ parts }: EffectsRole) => parts.effects },
  { provide: EffectRunner, inject: [EffectsRole], useFactory: ({ parts }: EffectsRole) => parts.runner },
];

function createEffects(
  settings: DurableSettings,
  storage: Storage,
  telemetry: Telemetry,
  held: Intake,
  traces: TraceApi | undefined,
): EffectsRole {
  // Without effects its classes can still be injected; they throw when they are used.
  const ports = storage.effects ?? NO_EFFECTS;
  const effects = settings.effects || effectsSettings({});
  const { clock = systemClock, codec, limits } = settings;
  const [handlers, listeners] = [new EffectHandlers(), new EffectListeners()];
  const knows = (name: string) => !settings.effects || handlers.has(name) || isKnownElsewhere(name, effects);
  // A getter, because the start may lower the limit.
  const rules = {
    codec,
    knows,
    clock,
    caller: () => traceContextOf(traces),
    get payloadBytes() {
      return limits.payloadBytes;
    },
  };
  const runner = createEffectRunner(settings, storage, telemetry, { handlers, listeners }, held);
  const parts = { effects: new Effects(ports, rules), runner, handlers, listeners, rules };
  return new EffectsRole(parts, settings.effects);
}

/** Completions resume waiting runs in the same transaction. */
export function createEffectRunner(
  settings: DurableSettings,
  storage: Pick<Storage, 'effects' | 'engine'>,
  telemetry: Telemetry,
  { handlers, listeners }: Pick<EffectsParts, 'handlers' | 'listeners'>,
  held?: Held,
): EffectRunner {
  const ports = storage.effects ?? NO_EFFECTS;
  const { clock = systemClock, codec, errors } = settings;
  const { concurrency, batchSize, pollMs, shutdownTimeoutMs } = settings.effects || effectsSettings({});
  const settlements = tellingRuns(ports, new EffectCompletions(storage.engine));
  return new EffectRunner({ ...ports, settlements }, handlers, listeners, {
    nodeId: nodeName(settings).id,
    concurrency,
    batchSize,
    pollMs,
    shutdownTimeoutMs,
    codec,
    errors,
    clock,
    telemetry,
    held,
    carriedBy: contextsOf(storage.engine.catalog),
  });
}

const isKnownElsewhere = (name: string, { handlers, remoteHandlers }: EffectsSettings): boolean =>
  remoteHandlers === 'any' || remoteHandlers.has(name) || Object.hasOwn(handlers, name);

const refused = <Port extends object>() => refusing<Port>('This app has no effects: its module sets `effects: false`');

/** Ports of effects that were turned off. */
const NO_EFFECTS: EffectStorage = {
  store: refused(),
  claims: refused(),
  settlements: refused(),
  insight: refused(),
  story: refused(),
  requeue: refused(),
  removal: refused(),
  erasure: refused(),
  audit: refused(),
  acts: refused(),
};
