import { Inject, Injectable } from '@nestjs/common';
import { Observable, type Observer, type Operator, Subscriber, type Subscription } from 'rxjs';
import { DurableLog } from './durable.log.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { EVENT_NAMES } from '../telemetry/event-names.js';
import type { TelemetryEvents } from '../telemetry/telemetry-events.js';

/** The name of an event; `docs/events.md` lists all of them. */
export type DurableEventName = keyof TelemetryEvents;

/** An event of this process: its name as `type`, and its fields. */
export type DurableEvent<Name extends DurableEventName = DurableEventName> = {
  [Each in Name]: { readonly type: Each } & Readonly<TelemetryEvents[Each]>;
}[Name];

/**
 * What engine, workers, relay and effects of this process report while they run, for metrics, alerts and tests. Inputs,
 * outputs and other payloads are not part of it. Events are not stored: whoever must not miss the end of a run declares
 * a hook. Without subscribers no event is built. A subscriber that throws is logged, and nobody else notices.
 *
 * The same events go to `node:diagnostics_channel`, as `nest-durable:<name>`, from all apps of the process.
 *
 * @example
 * constructor(events: DurableEvents) {
 *   events.on('run.left').subscribe(({ workflow, status }) => counter.add(1, { workflow, status }));
 * }
 */
@Injectable()
export class DurableEvents {
  /** All events. Narrow them by `type`, or subscribe with {@link on} to the events that you need. */
  readonly events$: Observable<DurableEvent>;
  readonly #telemetry: Telemetry;
  readonly #onError: (error: unknown) => void;

  constructor(@Inject(Telemetry) telemetry: Telemetry, @Inject(DurableLog) log: DurableLog) {
    this.#telemetry = telemetry;
    this.#onError = (error) => log.subscriberFailed(error);
    this.events$ = this.on(...EVENT_NAMES);
  }

  /** The events of these names only. */
  on<Name extends DurableEventName>(...names: readonly Name[]): Observable<DurableEvent<Name>> {
    return new IsolatedObservable<DurableEvent<Name>>(this.#onError, (subscriber) => {
      const stops = names.map((type) =>
        this.#telemetry.on(type, (event) => {
          // A listener gets the fields of its own event.
          const named = { type, ...event } as unknown as DurableEvent<Name>;
          this.#telemetry.openly(() => subscriber.next(named));
        }),
      );
      return () => stops.forEach((stop) => stop());
    });
  }
}

/**
 * RxJS throws what a subscriber throws into the event loop, which ends the process. Here it is given to `onError`, also
 * behind operators.
 */
class IsolatedObservable<T> extends Observable<T> {
  constructor(
    private readonly onError: (error: unknown) => void,
    subscribe?: (subscriber: Subscriber<T>) => () => void,
  ) {
    super(subscribe);
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new IsolatedObservable<R>(this.onError);
    lifted.source = this;
    lifted.operator = operator as Operator<unknown, R>;
    return lifted;
  }

  override subscribe(
    given?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    if (given instanceof Subscriber) return super.subscribe(given);
    const own = typeof given === 'function' || !given ? { next: given, error, complete } : given;
    return super.subscribe({
      next: (value) => this.guarded(() => own.next?.(value)),
      error: (thrown: unknown) => this.guarded(() => (own.error ?? this.onError).call(own, thrown)),
      complete: () => this.guarded(() => own.complete?.()),
    });
  }

  private guarded(work: () => unknown): void {
    try {
      // Rejections of async subscribers are reported like errors.
      void Promise.resolve(work()).catch(this.onError);
    } catch (error) {
      this.onError(error);
    }
  }
}
