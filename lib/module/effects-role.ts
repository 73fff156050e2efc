import type { EffectsSettings } from './effects-options.js';
import type { OperationRules } from '../effects/checked-operation.js';
import type { EffectHandlers } from '../effects/effect-handlers.js';
import type { EffectListeners } from '../effects/effect-listeners.js';
import type { Effects } from '../effects/effects.js';
import type { EffectRunner } from '../effects/runner/effect-runner.js';

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

  /** Waits for calls to end or be abandoned. */
  stop(): Promise<void> {
    return this.parts.runner.stop();
  }
}
