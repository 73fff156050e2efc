import type { MemoryBackend } from '../memory-backend/memory-backend.js';
import type {
  DurableModuleOptions,
  EngineModuleOptions,
  Transport,
  WorkerModuleOptions,
} from './durable-options.interface.js';
import {
  checkDuration,
  checkRetry,
  checkStepOptions,
  checkWhole,
  checkWorkerOptions,
  checkWorkflowOptions,
} from '../decorators/option-checks.js';
import { checkOverrides } from '../decorators/decorator-options.js';
import { type EffectsSettings, effectsSettings } from './effects-options.js';
import { checkName } from '../engine/model/names.js';
import type { RetentionPolicy } from '../engine/endings/retention.js';
import type { OnHistoryLost } from '../engine/residency/give-backs.js';
import { InvalidArgumentError } from '../errors.js';
import { type OutboxSettings, outboxSettings } from './outbox-options.js';
import { type Codec, jsonCodec } from '../protocol/codec.js';
import { retentionOf } from './retention-options.js';
import { validatePrefix } from '../sql/migrations/migrator.js';
import { type Duration, toMs } from '../time/duration.js';

export interface EngineSettings {
  residencyMs: number;
  maxResident: number;
  batchSize: number;
  nodeLeaseMs: number;
  pollMs: number;
  crashCap: number;
  shutdownMs: number;
  onHistoryLost: OnHistoryLost;
  retention: RetentionPolicy;
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
  'orm' | 'connection' | 'executor' | 'backend' | 'retry' | 'clock'
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
  limits: { payloadBytes: number; warnPayloadBytes: number; steps: number; warnSteps: number };
  autoStart: boolean;
}

/** @throws InvalidArgumentError that names the option. */
export function settingsOf(options: DurableModuleOptions): DurableSettings {
  const { orm, connection, executor, backend, retry, codec = jsonCodec, autoStart = true } = options;
  const clock = options.clock ?? backend?.clock;
  const { prefix = 'durable', namespace = 'default', engine = {}, worker = {}, transport = 'db' } = options;
  const { workflows = {}, workers = {}, steps = {}, limits = {}, outbox = {}, effects = {} } = options;
  validatePrefix(prefix);
  checkNames(options);
  checkRetry(retry, 'retry');
  checkOverrides(workflows, 'workflows', checkWorkflowOptions);
  checkOverrides(workers, 'workers', checkWorkerOptions);
  checkOverrides(steps, 'steps', checkStepOptions);
  checkTransport(transport);
  checkBackend(options);
  return {
    ...(orm && { orm }),
    ...(connection !== undefined && { connection }),
    ...(executor && { executor }),
    ...(retry !== undefined && { retry }),
    ...(clock && { clock }),
    ...(backend && { backend }),
    prefix,
    namespace,
    codec,
    transport,
    autoStart,
    migrate: options.migrate ?? process.env['NODE_ENV'] !== 'production',
    engine: engine && { ...engineSettings(engine), retention: retentionOf(options.retention ?? {}) },
    worker: worker && workerSettings(worker),
    outbox: outbox && outboxSettings(outbox, prefix),
    effects: effects && effectsSettings(effects),
    overrides: { workflows, workers, steps },
    limits: limitsOf(limits),
  };
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

function checkNames({ orm, connection, namespace }: DurableModuleOptions): void {
  if (orm !== undefined && orm !== 'typeorm' && orm !== 'mikro-orm') {
    throw new InvalidArgumentError('orm', orm, "'typeorm' or 'mikro-orm'");
  }
  if (connection !== undefined) checkName(connection, 'connection');
  if (namespace !== undefined && checkName(namespace, 'namespace').length > 64) {
    throw new InvalidArgumentError('namespace', namespace, 'a string of at most 64 characters');
  }
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
