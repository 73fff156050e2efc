import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import {
  type DurableModuleOptions,
  type EngineModuleOptions,
  MODULE_OPTIONS,
  type Transport,
  type WorkerModuleOptions,
} from './durable-options.interface.js';
import {
  checkDuration,
  checkKeepInputs,
  checkOnExhausted,
  checkRetry,
  checkWhole,
  checkWorkerOptions,
} from '../decorators/option-checks.js';
import { checkOverrides } from '../decorators/decorator-options.js';
import { checkStepOverrides, checkWorkflowOverrides } from '../decorators/override-checks.js';
import { type EffectsSettings, effectsSettings } from './effects-options.js';
import { checkName } from '../engine/model/names.js';
import type { OnHistoryLost } from '../engine/residency/give-backs.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { type OutboxSettings, outboxSettings } from './outbox-options.js';
import { type Codec, jsonCodec } from '../protocol/codec.js';
import type { ErrorRules } from '../protocol/error-rules.js';
import { retentionOf, type RetentionSettings } from './retention-options.js';
import { validatePrefix } from '../sql/migrations/migrator.js';
import { type Duration, toMs } from '../time/duration.js';
import { checkedOptions } from '../options/known-options.js';

export interface EngineSettings {
  residencyMs: number;
  maxResident: number;
  batchSize: number;
  nodeLeaseMs: number;
  pollMs: number;
  crashCap: number;
  shutdownMs: number;
  onHistoryLost: OnHistoryLost;
  retention: RetentionSettings;
}

export interface WorkerSettings {
  groups: readonly string[] | undefined;
  concurrency: number;
  leaseMs: number;
  pollMs: number;
  batchSize: number;
  shutdownTimeoutMs: number;
  maxClaims: number;
}

/** The module's options, checked and with all defaults. */
export interface DurableSettings extends Pick<
  DurableModuleOptions,
  | 'orm'
  | 'connection'
  | 'executor'
  | 'backend'
  | 'retry'
  | 'onExhausted'
  | 'keepInputs'
  | 'clock'
  | 'build'
  | 'contextFrom'
> {
  prefix: string;
  namespace: string;
  migrate: boolean;
  engine: EngineSettings | false;
  worker: WorkerSettings | false;
  overrides: Required<Pick<DurableModuleOptions, 'workflows' | 'workers' | 'steps'>>;
  transport: 'db' | Transport;
  outbox: OutboxSettings | false;
  effects: EffectsSettings | false;
  codec: Codec;
  errors: ErrorRules;
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  autoStart: boolean;
  strict: boolean;
  determinism: NonNullable<DurableModuleOptions['determinism']>;
}

function checkAttempts({ retry, onExhausted, keepInputs }: DurableModuleOptions): void {
  checkRetry(retry, 'retry');
  checkOnExhausted(onExhausted, 'onExhausted');
  checkKeepInputs(keepInputs, 'keepInputs');
}

/** @throws InvalidArgumentError that names the option. */
export function settingsOf(given: DurableModuleOptions): DurableSettings {
  const options = checkedShape(given);
  const { orm, connection, executor, backend, retry, onExhausted, keepInputs } = options;
  const { codec = jsonCodec, autoStart = true } = options;
  const clock = options.clock ?? backend?.clock;
  const { prefix = 'durable', namespace = 'default', engine = {}, worker = {}, transport = 'db' } = options;
  const { workflows = {}, workers = {}, steps = {}, limits = {}, outbox = {}, effects = {} } = options;
  checkNames(options);
  checkAttempts(options);
  checkOverrides(workflows, 'workflows', checkWorkflowOverrides);
  checkOverrides(workers, 'workers', checkWorkerOptions);
  checkOverrides(steps, 'steps', checkStepOverrides);
  checkContextFrom(options);
  checkTransport(transport);
  checkBackend(options);
  return {
    ...(orm && { orm }),
    ...(connection !== undefined && { connection }),
    ...(executor && { executor }),
    ...(retry !== undefined && { retry }),
    ...(onExhausted !== undefined && { onExhausted }),
    ...(keepInputs !== undefined && { keepInputs }),
    ...(clock && { clock }),
    ...(backend && { backend }),
    ...(options.build !== undefined && { build: options.build }),
    ...(options.contextFrom && { contextFrom: options.contextFrom }),
    prefix,
    namespace,
    codec,
    errors: errorsOf(options.errors ?? {}),
    transport,
    autoStart,
    migrate: options.migrate ?? process.env['NODE_ENV'] !== 'production',
    engine: engine && { ...engineSettings(engine), retention: retentionOf(options.retention ?? {}) },
    worker: worker && workerSettings(worker),
    outbox: outbox && outboxSettings(outbox, prefix),
    effects: effects && effectsSettings(effects),
    ...strictnessOf(options),
    overrides: { workflows, workers, steps },
    limits: limitsOf(limits),
  };
}

function strictnessOf(options: DurableModuleOptions): Pick<DurableSettings, 'strict' | 'determinism'> {
  const { strict = false, determinism = process.env['NODE_ENV'] === 'production' ? 'off' : 'warn' } = options;
  if (typeof strict !== 'boolean') throw new InvalidArgumentError('strict', strict, 'true or false');
  if (!['warn', 'error', 'off'].includes(determinism))
    throw new InvalidArgumentError('determinism', determinism, "'warn', 'error' or 'off'");
  return { strict, determinism };
}

const GROUPS = ['engine', 'worker', 'outbox', 'effects', 'errors', 'limits'] as const;

/** @throws InvalidArgumentError, UnknownOptionError */
function checkedShape(options: DurableModuleOptions): DurableModuleOptions {
  checkedOptions(options, MODULE_OPTIONS, 'DurableModule');
  for (const name of GROUPS) {
    const { [name]: group } = options;
    if (group === undefined || group === false || (typeof group === 'object' && group !== null)) continue;
    const expected = `an object: { ${Object.keys(MODULE_OPTIONS[name]).join(', ')} }`;
    throw new InvalidArgumentError(name, group, expected);
  }
  return options;
}

function errorsOf(given: NonNullable<DurableModuleOptions['errors']>): ErrorRules {
  const { stack = process.env['NODE_ENV'] !== 'production', redact } = given ?? {};
  if (typeof stack !== 'boolean') throw new InvalidArgumentError('errors.stack', stack, 'true or false');
  if (redact !== undefined && typeof redact !== 'function')
    throw new InvalidArgumentError('errors.redact', redact, 'a function that returns the error as it may be seen');
  return { stack, redact };
}

function limitsOf(limits: NonNullable<DurableModuleOptions['limits']>): DurableSettings['limits'] {
  const { payload = 1_048_576, warnPayload = 262_144, steps = 10_000, warnSteps = 1_000 } = limits;
  for (const [name, value] of Object.entries({ payload, warnPayload, steps, warnSteps }))
    checkWhole(value, `limits.${name}`);
  return { payloadBytes: payload, warnPayloadBytes: warnPayload, steps, warnSteps };
}

function engineSettings(options: EngineModuleOptions): Omit<EngineSettings, 'retention'> {
  const { maxResident = 10_000, batchSize = 100, crashCap = 10, onHistoryLost = 'replay' } = options;
  checkWhole(maxResident, 'engine.maxResident');
  checkWhole(batchSize, 'engine.batchSize');
  checkWhole(crashCap, 'engine.crashCap');
  if (onHistoryLost !== 'replay' && onHistoryLost !== 'block')
    throw new InvalidArgumentError('engine.onHistoryLost', onHistoryLost, "'replay' or 'block'");
  return {
    maxResident,
    batchSize,
    crashCap,
    onHistoryLost,
    residencyMs: ms(options.residency ?? '30s', 'engine.residency'),
    nodeLeaseMs: ms(options.nodeLease ?? '10s', 'engine.nodeLease'),
    pollMs: ms(options.pollInterval ?? '1s', 'engine.pollInterval'),
    shutdownMs: ms(options.shutdownTimeout ?? '10s', 'engine.shutdownTimeout'),
  };
}

function workerSettings(options: WorkerModuleOptions): WorkerSettings {
  const { groups, concurrency = 50, batchSize = concurrency, maxClaims = 10 } = options;
  if (groups !== undefined && (!Array.isArray(groups) || groups.length === 0)) {
    throw new InvalidArgumentError(
      'worker.groups',
      groups,
      'a list of at least one group, or omit it to serve all groups',
    );
  }
  for (const group of groups ?? []) checkName(group, 'worker.groups');
  checkWhole(concurrency, 'worker.concurrency');
  checkWhole(batchSize, 'worker.batchSize');
  checkWhole(maxClaims, 'worker.maxClaims');
  return {
    groups,
    concurrency,
    batchSize,
    maxClaims,
    leaseMs: ms(options.leaseDuration ?? '30s', 'worker.leaseDuration'),
    pollMs: ms(options.pollInterval ?? '500ms', 'worker.pollInterval'),
    shutdownTimeoutMs: ms(options.shutdownTimeout ?? '10s', 'worker.shutdownTimeout'),
  };
}

function ms(duration: Duration, what: string): number {
  checkDuration(duration, what);
  return toMs(duration, what);
}

function checkNames({ prefix, orm, connection, namespace, build }: DurableModuleOptions): void {
  if (prefix !== undefined) validatePrefix(prefix);
  if (orm !== undefined && orm !== 'typeorm' && orm !== 'mikro-orm') {
    throw new InvalidArgumentError('orm', orm, "'typeorm' or 'mikro-orm'");
  }
  if (connection !== undefined) checkName(connection, 'connection');
  if (namespace !== undefined && checkName(namespace, 'namespace').length > 64) {
    throw new InvalidArgumentError('namespace', namespace, 'a string of at most 64 characters');
  }
  if (build !== undefined && checkName(build, 'build').length > 64)
    throw new InvalidArgumentError('build', build, 'a string of at most 64 characters');
}

const REPLACED = ['executor', 'orm', 'connection', 'clock'] as const;

function checkBackend({ backend, ...others }: DurableModuleOptions): void {
  if (backend === undefined) return;
  const known = backend as Partial<MemoryBackend> | null;
  if (typeof known !== 'object' || !known?.engine || !known.source || !known.clock)
    throw new InvalidArgumentError('backend', backend, 'the result of memoryBackend()');
  const excluded = REPLACED.find((name) => others[name] !== undefined);
  if (excluded === undefined) return;
  const instead = excluded === 'clock' ? 'memoryBackend({ clock })' : 'no database together with a backend';
  throw new InvalidArgumentError(excluded, others[excluded], instead);
}

function checkTransport(transport: unknown): void {
  const needed = [
    'dispatch',
    'peek',
    'take',
    'withdraw',
    'lost',
    'onAnswers',
    'answer',
    'claim',
    'extend',
    'report',
    'release',
  ];
  if (transport === 'db') return;
  const methods = (typeof transport === 'object' && transport !== null ? transport : {}) as Record<string, unknown>;
  const missing = needed.filter((method) => typeof methods[method] !== 'function');
  if (missing.length === 0) return;
  const expected = `'db', or an object that implements TaskDispatcher and TaskSource (it lacks ${missing.join(', ')})`;
  throw new InvalidArgumentError('transport', transport, expected);
}

function checkContextFrom({ contextFrom }: DurableModuleOptions): void {
  if (contextFrom !== undefined && typeof contextFrom !== 'function')
    throw new InvalidArgumentError('contextFrom', contextFrom, 'a function');
}
