import type { AbandonmentListener } from './abandonment-listener.js';
import type { CompletionListener } from './completion-listener.js';

/** Who is told how operations end, in the order of registration. */
export class EffectListeners {
  private readonly completion: CompletionListener[] = [];
  private readonly abandonment: AbandonmentListener[] = [];

  onComplete(listener: CompletionListener): void {
    this.completion.push(listener);
  }

  onAbandoned(listener: AbandonmentListener): void {
    this.abandonment.push(listener);
  }

  completionOf(operation: string): readonly CompletionListener[] {
    return this.completion.filter((listener) => listener.operation === operation);
  }

  abandonmentOf(operation: string): readonly AbandonmentListener[] {
    return this.abandonment.filter((listener) => listener.operation === operation);
  }
}
