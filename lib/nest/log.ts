import { Inject, Injectable, Logger } from '@nestjs/common';
import { Observable, type Observer, type Operator, Subscriber, type Subscription } from 'rxjs';
import {
  type EffectEvent,
  EVENT_NAMES,
  type LeftAtStep,
  type TaskEvent,
  Telemetry,
  type TelemetryEvents,
} from '../core/telemetry.js';
import type { Clock } from '../core/time.js';
import { errorLine, type ErrorRules, toWireError } from '../core/wire-error.js';
import { remedyOf } from '../sql/table-protection.js';

/** Nest's `Logger`, or any other target for log lines. */
interface LogTarget {
  log(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  debug?(line: string): void;
  /** Whether it prints debug lines; if not, they are not built. Default: true. */
  debugs?(): boolean;
}

/** Repeated failures of a loop are logged once in this time. */
const REPEAT_MS = 10_000;

const LEVELS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

/** The limit for each message of an error, in characters. */
const LONGEST = 300;

const task = ({ name, stepId, attempt }: TaskEvent): string => `step "${name}" (${stepId}, attempt ${attempt})`;

const iso = (ms: number): string => new Date(ms).toISOString();

const stepText = (step: LeftAtStep | undefined): string =>
  step ? ` at ${step.undoing ? 'the compensation of ' : ''}step "${step.name}" (position ${step.seq})` : '';

/** The most names in a line. */
const MOST_NAMED = 3;

const named = (names: readonly string[]): string =>
  names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`
    : names.join(', ');

function codeDiffers({ nodes, workflows }: TelemetryEvents['code.differs']): string {
  const who = `${nodes.length === 1 ? 'Process' : 'Processes'} ${named(nodes.map((id) => `"${id}"`))}`;
  const what = named(workflows.map(({ workflow, version }) => `"${workflow}" (version ${version})`));
  return (
    `${who} and this process have different code for ${what}. While a deploy replaces processes, that is as it should ` +
    'be: runs go on wherever the code fits their histories. If these are two apps, give each its own `namespace`, since ' +
    "they play each other's runs"
  );
}

const effect = ({ handler, operation, entryId, attempt }: EffectEvent): string =>
  `effect "${handler}" of "${operation}" (${entryId}, attempt ${attempt})`;

/**
 * Converts events into log lines. All log texts of this library are here. They contain no payloads and no stacks.
 */
export class DurableLog {
  private readonly saidAt = new Map<string, number>();

  constructor(
    private readonly target: LogTarget,
    private readonly clock: Clock,
    /** Applied to every error before it is logged. */
    private readonly errors: ErrorRules = {},
  ) {}

  subscribe(telemetry: Telemetry): void {
    this.subscribeToRuns(telemetry);
    logMistakes(telemetry, this.target, (error, longest) => this.textOf(error, longest));
    this.subscribeToOperators(telemetry);
    this.subscribeToTasks(telemetry);
    this.subscribeToSchedules(telemetry);
    logOutbox(telemetry, this.target, (line, more) => this.nowAndThen(line, more));
    this.subscribeToEffects(telemetry);
    logConnections(telemetry, (line, more) => this.nowAndThen(line, more));
    telemetry.on('loop.error', (event) => this.loopError(event));
    telemetry.on('step.log', (event) => this.stepLog(event));
    telemetry.on('step.log-dropped', ({ lines, error }) =>
      this.target.warn(`${lines} step log lines were dropped: ${this.textOf(error)}`),
    );
  }

  started(roles: string, storage: string): void {
    this.target.log(`Started as ${roles || 'client'} on ${storage}`);
  }

  migrated(ids: readonly string[]): void {
    if (ids.length > 0) this.target.log(`Tables brought up to date: ${ids.join(', ')}`);
  }

  payloadsLimited(configured: number, largest: number): void {
    this.target.warn(
      `limits.payload is ${configured} bytes, more than the database accepts: payloads are limited to ${largest} bytes. Raise max_allowed_packet of the server to more than four times limits.payload, or lower limits.payload`,
    );
  }

  databaseAway(error: unknown, retryInMs: number): void {
    this.target.warn(`The database is unavailable, retrying in ${retryInMs} ms: ${this.textOf(error)}`);
  }

  ending({ steps, residents }: { steps: number; residents: number }): void {
    this.target.log(`Ending: begins nothing new, with ${steps} remote steps and ${residents} runs in work`);
  }

  stopFailed(what: string, error: unknown): void {
    this.target.warn(`Stopping ${what} failed: ${this.textOf(error)}`);
  }

  noShutdownHooks(): void {
    this.target.warn(
      'No handler for SIGTERM: call app.enableShutdownHooks(); otherwise other processes take over runs and steps of a stopped process only after their leases expire',
    );
  }

  nobodyPublishes(): void {
    this.target.warn(
      'This process has neither @OutboxPublisher nor @OnOutboxMessage, so it publishes no events; events that no process publishes are kept forever. Set `outbox: { relay: false }` if other processes publish them, or provide a publisher that does nothing if you only use streams',
    );
  }

  overridesNothing(option: string, { name, meant }: { name: string; meant: string }): void {
    this.target.warn(
      `The option ${option} of DurableModule has "${name}", which no class of this app declares: did you mean ${meant}?`,
    );
  }

  namedByBundler(locations: readonly string[]): void {
    if (locations.length === 0) return;
    this.target.warn(
      `A bundler seems to have renamed the classes by which these are named: ${locations.join(', ')}. What a consumer, hook or ` +
        'publisher has handled is kept by its name, so that it would begin anew if the next bundle has another one: give each the ' +
        "name that it has today, or have class names kept (esbuild's keepNames, Terser's keep_classnames)",
    );
  }

  overridesRenamed(classes: readonly string[]): void {
    if (classes.length === 0) return;
    this.target.warn(
      `The option workers of DurableModule is by the names of classes, and a bundler seems to have renamed ${classes.join(', ')}: ` +
        "have class names kept (esbuild's keepNames, Terser's keep_classnames), or set the options in @Worker",
    );
  }

  requestEnhancers(kinds: readonly string[]): void {
    if (kinds.length === 0) return;
    this.target.warn(
      `Global ${kinds.join(', ').toLowerCase()} that are request-scoped or transient are not called for steps, effects, consumers and hooks, which have no request: make them singletons if they should be`,
    );
  }

  filterFailed(method: string, error: unknown): void {
    this.nowAndThen(
      `A filter of ${method} failed, so the error that it was given counts as it is: ${this.textOf(error)}`,
    );
  }

  subscriberFailed(error: unknown): void {
    this.nowAndThen(`A subscriber of DurableEvents failed: ${this.textOf(error)}`);
  }

  private subscribeToRuns(telemetry: Telemetry): void {
    telemetry.on('run.left', ({ runId, workflow, status, reason, detail = '', at, again, error, step }) => {
      const run = `Run "${runId}" of "${workflow}"`;
      const why = `(${reason}): ${detail}${at === undefined ? '' : `, ${at}`}`;
      if (reason && again)
        this.nowAndThen(`Runs of "${workflow}" are still blocked ${why}`, `, for example "${runId}"`);
      else if (reason) this.target.warn(`${run} is blocked ${why}`);
      else if (error && status !== 'cancelled')
        this.target.warn(`${run} is ${status}${stepText(step)}: ${this.textOf(error)}`);
      else this.debug(() => `${run} is ${status}`);
    });
    telemetry.on('run.lost', ({ runId, workflow }) =>
      this.debug(() => `Run "${runId}" of "${workflow}" is no longer executed by this process`),
    );
    telemetry.on('run.broken', ({ runId, workflow, error }) =>
      this.target.error(
        `Run "${runId}" of "${workflow}" was released by this process after an error: ${this.textOf(error)}`,
      ),
    );
    telemetry.on('run.unserved', ({ workflow, version, since, why }) =>
      this.target.warn(
        `Runs of "${workflow}" (version ${version}) have been due since ${iso(since)}: ${why}. Start a process that has it, or terminate them`,
      ),
    );
    telemetry.on('code.differs', (event) => this.target.warn(codeDiffers(event)));
    telemetry.on('history.lost', ({ runs, runIds }) =>
      this.target.error(
        `The database lost commits: ${runs} runs in this process had newer state, for example "${runIds.join('", "')}"`,
      ),
    );
    telemetry.on('transaction.lost', ({ stepId, name, workflow, error, retryInMs }) =>
      // A server that goes down ends all of them.
      this.nowAndThen(
        `Step transactions are retried; this does not count as an attempt: ${this.textOf(error)}`,
        `, for example "${name}" (${stepId}) of "${workflow}", next try in ${retryInMs} ms`,
      ),
    );
    telemetry.on('writers.split', ({ nodeId, server, here }) =>
      this.nowAndThen(
        `Process "${nodeId}" writes through ${server}, this process through ${here}: the two servers do not share row locks. Route all processes to one writer, and close connections to the old one after a failover`,
      ),
    );
    telemetry.on('runs.reaped', ({ runs }) => this.target.warn(`${runs} runs of dead processes were released`));
  }

  private subscribeToOperators(telemetry: Telemetry): void {
    telemetry.on('hold.begun', ({ kind, name, actor, reason, until }) =>
      this.target.warn(`${actor} holds ${kind} "${name}"${until ? ` until ${until}` : ''}: ${reason}`),
    );
    telemetry.on('hold.lifted', ({ kind, name, actor, reason }) =>
      this.target.warn(`${actor} has lifted the hold of ${kind} "${name}": ${reason}`),
    );
    telemetry.on('node.draining', ({ draining }) =>
      this.target.warn(
        draining ? 'This process drains: it begins nothing new until it is resumed' : 'It begins new work again',
      ),
    );
  }

  private subscribeToTasks(telemetry: Telemetry): void {
    telemetry.on('task.claimed', (event) => {
      if (event.reclaimed) this.target.warn(`Taken over from a dead worker: ${task(event)}`);
    });
    telemetry.on('task.completed', (event) =>
      this.debug(() => `Done in ${Math.round(event.durationMs)} ms: ${task(event)}`),
    );
    telemetry.on('task.failed', (event) => this.target.warn(`Failed: ${task(event)}: ${this.textOf(event.error)}`));
    telemetry.on('task.deferred', (event) =>
      this.debug(() => `Deferred for ${Math.round(event.retryInMs)} ms: ${task(event)}: ${this.textOf(event.error)}`),
    );
    telemetry.on('task.lease-lost', (event) => this.target.warn(`Lease lost, the result is discarded: ${task(event)}`));
    telemetry.on('task.released', (event) => this.debug(() => `Released (${event.reason}): ${task(event)}`));
    telemetry.on('task.report-refused', ({ stepId, error }) =>
      this.target.error(
        `The database rejected the result of step ${stepId}, reporting a failure instead: ${this.textOf(error)}`,
      ),
    );
    telemetry.on('task.unserved', ({ name, group, count, since, runId, why }) =>
      this.target.warn(
        `${count === 1 ? '1 task' : `${count} tasks`} "${name}" waiting in group "${group}" since ${iso(since)}, first of run "${runId}": ${why}. Start a worker of that group with @RemoteStep('${name}'), or correct the name`,
      ),
    );
  }

  private subscribeToSchedules(telemetry: Telemetry): void {
    telemetry.on('schedule.fired', ({ scheduleId, runIds }) =>
      this.debug(() => `Schedule "${scheduleId}" started ${runIds.length} runs, the last one is "${runIds.at(-1)}"`),
    );
    telemetry.on('schedule.skipped', ({ scheduleId, times, runId }) =>
      this.target.warn(`Schedule "${scheduleId}" skipped ${times} scheduled times: its run "${runId}" has not ended`),
    );
    telemetry.on('schedule.removed', ({ scheduleId, workflow, stood, continuesAs }) => {
      const was = `Schedule "${scheduleId}" of "${workflow}"${stood ? `, which was ${stood},` : ''}`;
      if (continuesAs !== undefined) this.target.log(`${was} goes on as "${continuesAs}"`);
      else if (stood) this.target.warn(`${was} was removed: the code does not declare it any more`);
      else this.target.log(`${was} was removed: the code does not declare it any more`);
    });
    telemetry.on('schedule.failed', ({ scheduleId, workflow, error, retryInMs }) => {
      const then = retryInMs === undefined ? '' : `, retrying in ${retryInMs} ms`;
      this.target.error(`Schedule "${scheduleId}" of "${workflow}" cannot start a run${then}: ${this.textOf(error)}`);
    });
  }

  private subscribeToEffects(telemetry: Telemetry): void {
    telemetry.on('effects.failed', ({ error, retryInMs, ...event }) =>
      // An unavailable service fails all calls at once.
      this.nowAndThen(
        `Calls of "${event.handler}" fail: ${error}`,
        `, for example ${effect(event)}, next try in ${retryInMs} ms`,
      ),
    );
    telemetry.on('effects.abandoned', ({ error, ...event }) =>
      this.target.error(`Abandoned, and not called again until it is requeued: ${effect(event)}: ${error}`),
    );
    telemetry.on('effects.lease-lost', (event) =>
      this.target.warn(`Lease lost, the result is discarded: ${effect(event)}`),
    );
    telemetry.on('effects.settle-failed', ({ error, ...event }) =>
      this.target.error(
        `The result could not be written; the call is made again after its lease: ${effect(event)}: ${error}`,
      ),
    );
    telemetry.on('effects.listener-failed', ({ error, ...event }) =>
      this.target.error(`@OnAbandoned('${event.operation}') failed: ${effect(event)}: ${error}`),
    );
    telemetry.on('effects.unclaimed', ({ handler, since, why }) =>
      this.target.warn(
        `Calls of "${handler}" have waited since ${iso(since)}: ${why}. Start a process with @Effect('${handler}'), or more of them`,
      ),
    );
    telemetry.on('effects.scheduled', ({ until, ...event }) =>
      this.debug(() => `Called again at ${iso(until)}: ${effect(event)}`),
    );
    telemetry.on('effects.succeeded', (event) => this.debug(() => `Done: ${effect(event)}`));
  }

  private loopError({ loop, error }: TelemetryEvents['loop.error']): void {
    this.nowAndThen(`${loop} continues after an error: ${this.textOf(error)}`);
  }

  /** Logs the same line at most once per `REPEAT_MS`. */
  private nowAndThen(line: string, more = ''): void {
    const now = this.clock.now();
    if (now - (this.saidAt.get(line) ?? Number.NEGATIVE_INFINITY) < REPEAT_MS) return;
    // The number of different lines is unlimited, so the memory of old ones is cleared.
    if (this.saidAt.size > 100) this.saidAt.clear();
    this.saidAt.set(line, now);
    this.target.warn(line + more);
  }

  private stepLog({ level, message, fields, stepId, name }: TelemetryEvents['step.log']): void {
    this.target[LEVELS[level]]?.(`[${name} ${stepId}] ${message}${fields ? ` ${this.jsonOf(fields)}` : ''}`);
  }

  private jsonOf(fields: Record<string, unknown>): string {
    try {
      return JSON.stringify(fields);
    } catch (error) {
      return this.textOf(error);
    }
  }

  /** Each step has such lines, and most apps do not print them. */
  private debug(line: () => string): void {
    if (this.target.debug && this.target.debugs?.() !== false) this.target.debug(line());
  }

  /** With its causes, and without its stack. */
  private textOf(error: unknown, longest = LONGEST): string {
    return errorLine(toWireError(error, { redact: this.errors.redact }), longest);
  }
}

/** Of an error whose text is our own. */
const LONGEST_ADVICE = 2_000;

type Target = Pick<LogTarget, 'warn' | 'error'>;

/** Logs mistakes in the code of workflows and in the configuration of the ORM: what is wrong, where, and what to do. */
function logMistakes(telemetry: Telemetry, target: Target, textOf: (error: unknown, longest?: number) => string): void {
  telemetry.on('context.misused', ({ error }) => target.error(textOf(error, LONGEST_ADVICE)));
  telemetry.on('run.parted', ({ runId, workflow, position, expected, found, error }) =>
    target.warn(
      `Run "${runId}" of "${workflow}" is not deterministic: at position ${position} ${expected} was expected, and ${found} was found. ${textOf(error, LONGEST_ADVICE)}. determinism: 'error' blocks such runs, 'off' does not play them again`,
    ),
  );
  telemetry.on('calls.unawaited', ({ runId, workflow, calls }) =>
    target.warn(
      `Run "${runId}" of "${workflow}" ended without awaiting ${calls.join(', ')}: their outcomes are lost. Await each call; strict: true in DurableModule.forRoot makes this an error`,
    ),
  );
  telemetry.on('call.unhandled', ({ runId, workflow, call, error }) =>
    target.error(
      `${call} of run "${runId}" of "${workflow}" failed before anything awaited it, or in code that nothing awaits: ${textOf(error)}. Await each call, alone or with Promise.all`,
    ),
  );
  telemetry.on('tables.unprotected', (event) => tablesUnprotected(event, target));
}

function tablesUnprotected({ tables, lacking, here }: TelemetryEvents['tables.unprotected'], target: Target): void {
  const remedy = remedyOf(lacking);
  if (here)
    target.warn(
      `The MikroORM CLI would drop the tables ${tables} with all runs, since they have no entities; only this process is protected. ${remedy}`,
    );
  else
    target.error(
      `The schema commands of MikroORM would drop the tables ${tables} with all runs, also in this process: do not run any. ${remedy}`,
    );
}

/** `line` is logged at most once in a while; `more` follows it, and may differ. */
type NowAndThen = (line: string, more?: string) => void;

/** What the log says of the app's connections. */
function logConnections(telemetry: Telemetry, nowAndThen: NowAndThen): void {
  telemetry.on('connection.left-open', (event) => nowAndThen(...leftOpen(event)));
  telemetry.on('connection.waiting', (event) => nowAndThen(...waiting(event)));
  telemetry.on('transaction.apart', ({ what }) => nowAndThen(APART[what]));
  telemetry.on('connection.blocked', (event) => nowAndThen(...blocked(event)));
  telemetry.on('connection.ended', ({ session, process, nodeId }) =>
    nowAndThen(
      `Ended session ${session} (${process}), for whose locks others waited`,
      `: process "${nodeId}" has died or stands still`,
    ),
  );
}

function blocked(event: TelemetryEvents['connection.blocked']): [string, string] {
  const { session, process, statement = 'no statement', openMs, waitedMs } = event;
  const seconds = (ms: number) => `${Math.round(ms / 1_000)} s`;
  return [
    `Statements wait for locks of session ${session} (${process})`,
    `, for ${seconds(waitedMs)}; its transaction has been open for ${seconds(openMs)}, with ${statement}`,
  ];
}

const APART: Record<TelemetryEvents['transaction.apart']['what'], string> = {
  write:
    'A start, signal, event or effect was committed by itself inside a transaction of the app, and stays if that rolls back. Pass its EntityManager: { transaction: manager }',
  transaction:
    'A transaction of its own begins inside ctx.transaction, and stays if that rolls back. Write with the manager that ctx.transaction passes, or tell the library of your decorators: see the option ambient',
};

function leftOpen({ statement }: TelemetryEvents['connection.left-open']): [string, string] {
  const last = statement === undefined ? 'look for BEGIN or START TRANSACTION' : `the last statement was ${statement}`;
  return [
    'The app left a transaction open on a pooled connection, and it was rolled back. Every BEGIN needs a COMMIT or ROLLBACK, also when the code in between throws',
    `; ${last}`,
  ];
}

const WAIT = 'Statements wait for a connection of the pool';

const WHY: Record<NonNullable<TelemetryEvents['connection.waiting']['why']>, string> = {
  held: `${WAIT}. A transaction of the app that awaits a call of nest-durable has to pass itself to it ({ transaction }), and must not await results. Otherwise the pool is too small`,
  busy: `${WAIT}, and all of its connections run statements: the database is slow, or does not respond`,
  opening: `${WAIT}, which may open more: the database does not accept connections, or not in time`,
};

function waiting(event: TelemetryEvents['connection.waiting']): [string, string] {
  const { waitedMs, why = 'held' } = event;
  return [WHY[why], `${sizes(event)}; ${event.waiting} wait, the first for ${Math.round(waitedMs / 1_000)} s`];
}

function sizes({ why, most, enough, setting }: TelemetryEvents['connection.waiting']): string {
  if (most === undefined) return '';
  if (enough !== undefined) return `: it has ${most}, ${enough} would do (${setting})`;
  return why === 'held' ? `: it has ${most}, and no sensible size would do` : `; it may have ${most} (${setting})`;
}

/** What the log says of events that could not be published. */
function logOutbox(telemetry: Telemetry, target: Target, nowAndThen: NowAndThen): void {
  telemetry.on('outbox.failed', ({ destination, channel, error, retryInMs }) =>
    // An unavailable broker fails all channels at once.
    nowAndThen(
      `Publishing to "${destination}" fails: ${error}`,
      `, for example for channel "${channel}", next try in ${retryInMs} ms`,
    ),
  );
  telemetry.on('outbox.poisoned', ({ destination, channel, sequenceId, error, outcome }) =>
    target.error(
      `Event ${sequenceId} of channel "${channel}" could not be delivered to "${destination}" (${outcome}): ${error}`,
    ),
  );
  telemetry.on('outbox.late', ({ channel, sequenceId }) =>
    nowAndThen(
      `Events became visible after later events of their channel`,
      `, for example ${sequenceId} of "${channel}": another program assigns sequence_id itself, or ordering is 'none'`,
    ),
  );
  telemetry.on('outbox.numbers-stay', ({ why }) =>
    target.warn(
      why === 'denied'
        ? 'Another database server has taken over, and event numbers may be assigned again: the database role of this relay may not advance them. Run `npx nest-durable outbox-jump`'
        : 'Another database server has taken over, and event numbers may be assigned again: sequence_id is too narrow to advance them. Make it bigint, then run `npx nest-durable outbox-jump`',
    ),
  );
  telemetry.on('outbox.shards-lost', ({ shards }) =>
    target.warn(`Other processes took ${shards} outbox shards: this process was too slow to renew them`),
  );
}

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

/** Nest's logger, which also tells whether it prints debug lines. */
export class NestLogTarget extends Logger implements LogTarget {
  /** False only if what prints says so: loggers of the app need not know. */
  debugs(): boolean {
    const printing = this.localInstance as { isLevelEnabled?: (level: 'debug') => boolean } | undefined;
    return printing?.isLevelEnabled?.('debug') ?? true;
  }
}
