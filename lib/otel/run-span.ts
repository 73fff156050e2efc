import { type Span, type SpanContext, TraceFlags } from '@opentelemetry/api';

/**
 * Stands for the run while its code is played: the parent of what the code makes. Nothing is recorded of it. While
 * history is played again it says that nothing is sampled, so that spans of code are not made a second time.
 */
export class RunSpan implements Span {
  constructor(
    private readonly run: SpanContext,
    private readonly replays: () => boolean,
  ) {}

  spanContext(): SpanContext {
    return this.replays() ? { ...this.run, traceFlags: TraceFlags.NONE } : this.run;
  }

  isRecording(): boolean {
    return false;
  }

  setAttribute(): this {
    return this;
  }

  setAttributes(): this {
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus(): this {
    return this;
  }

  updateName(): this {
    return this;
  }

  end(): void {}

  recordException(): void {}
}
