import type { EffectsSettings } from './effects-options.js';
import type { OperationRules } from '../effects/checked-operation.js';
import type { EffectHandlers } from '../effects/effect-handlers.js';
import type { EffectListeners } from '../effects/effect-listeners.js';
import type { Effects } from '../effects/effects.js';
import type { EffectRunner } from '../effects/runner/effect-runner.js';

export interface EffectsParts {
  effects: Effects;
  runner: EffectRunner;
  /** Known once the container has been explored. */
  handlers: EffectHandlers;
  listeners: EffectListeners;
  /** What may be enqueued. */
  rules: OperationRules;
}

/** What a process does with effects: enqueues them, makes the calls that it has handlers for. */
export class EffectsRole {
  constructor(
    readonly parts: EffectsParts,
    /** False: there are none. */
    private readonly settings: EffectsSettings | false,
  ) {}

  start(): void {
    const { runner, handlers } = this.parts;
    if (this.settings !== false && this.settings.run && handlers.all().length > 0) runner.start();
  }

  /** Calls end or are given up. */
  stop(): Promise<void> {
    return this.parts.runner.stop();
  }
}
