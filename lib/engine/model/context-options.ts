import type { KnownOptions } from '../../options/known-options.js';
import { BACKOFF_OPTIONS } from '../../time/backoff.js';
import type { ChildOptions, FanInMode, FanOutOptions, SignalWaitOptions } from './workflow-context.js';
import type { LocalStepOptions, RemoteOptions, RetryOptions, StepOptions, TransactionOptions } from './step-options.js';
import type { Duration } from '../../time/duration.js';

/* What the functions of `WorkflowContext` take. */

export const RETRY_OPTIONS = {
  attempts: true,
  backoff: BACKOFF_OPTIONS,
  retryIf: true,
  deferrals: true,
} satisfies KnownOptions<RetryOptions>;

const STEP_OPTIONS = { retry: RETRY_OPTIONS, onExhausted: true, timeout: true } satisfies KnownOptions<StepOptions>;

export const LOCAL_STEP_OPTIONS = { ...STEP_OPTIONS, compensate: true } satisfies KnownOptions<LocalStepOptions>;

export const TRANSACTION_OPTIONS = { ...STEP_OPTIONS, compensate: true } satisfies KnownOptions<TransactionOptions>;

export const REMOTE_OPTIONS = {
  ...STEP_OPTIONS,
  group: true,
  partition: true,
  compensate: true,
  keepInputs: true,
  priority: true,
} satisfies KnownOptions<RemoteOptions>;

export const SIGNAL_WAIT_OPTIONS = { key: true, match: true } satisfies KnownOptions<SignalWaitOptions>;

export const TIMED_WAIT_OPTIONS = { ...SIGNAL_WAIT_OPTIONS, timeout: true } satisfies KnownOptions<
  SignalWaitOptions & { timeout?: Duration }
>;

export const FAN_OUT_OPTIONS = {
  mode: true,
  version: true,
  parentClose: true,
  timeout: true,
  delay: true,
  attributes: true,
  priority: true,
  concurrencyKey: true,
} satisfies KnownOptions<FanOutOptions<FanInMode>>;

const { mode: _, ...OF_ONE } = FAN_OUT_OPTIONS;

export const CHILD_OPTIONS = { id: true, ...OF_ONE } satisfies KnownOptions<ChildOptions>;
