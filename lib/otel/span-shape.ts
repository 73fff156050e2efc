import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { TracedWork } from '../telemetry/tracing.js';

/** `operation`: what the conventions for messaging call it. */
interface Shape {
  kind: SpanKind;
  operation?: 'create' | 'send' | 'process';
}

export const SHAPES: Readonly<Record<TracedWork['kind'], Shape>> = {
  start: { kind: SpanKind.PRODUCER, operation: 'create' },
  process: { kind: SpanKind.CONSUMER, operation: 'process' },
  step: { kind: SpanKind.INTERNAL },
  transaction: { kind: SpanKind.INTERNAL },
  end: { kind: SpanKind.INTERNAL },
  signal: { kind: SpanKind.PRODUCER, operation: 'send' },
  publish: { kind: SpanKind.PRODUCER, operation: 'send' },
  effect: { kind: SpanKind.CONSUMER, operation: 'process' },
  fire: { kind: SpanKind.INTERNAL },
};

/** Names, ids and numbers; never a payload. */
export function attributesOf(work: TracedWork, process: { namespace: string; nodeId: string | undefined }): Attributes {
  return {
    'durable.namespace': process.namespace,
    'durable.node.id': process.nodeId,
    'durable.run.id': work.runId,
    'durable.workflow.name': work.workflow,
    'durable.workflow.version': work.version,
    'durable.group': work.group,
    'durable.outcome': work.outcome,
    ...(work.seq !== undefined && stepAttributes(work)),
    ...ownName(work),
    ...messagingAttributes(work),
  };
}

const stepAttributes = ({ kind, name, seq, attempt }: TracedWork): Attributes => ({
  'durable.step.name': name,
  'durable.step.seq': seq,
  'durable.step.kind': kind === 'process' ? 'remote' : kind,
  'durable.step.attempt': attempt,
});

function ownName({ kind, name, attempt }: TracedWork): Attributes {
  if (kind === 'effect') return { 'durable.effect.handler': name, 'durable.effect.attempt': attempt };
  if (kind === 'signal') return { 'durable.signal.name': name };
  if (kind === 'fire') return { 'durable.schedule.id': name };
  return kind === 'publish' ? { 'durable.outbox.destination': name } : {};
}

function messagingAttributes({ kind, name, group, stepId, runId, count }: TracedWork): Attributes {
  const { operation } = SHAPES[kind];
  if (!operation) return {};
  return {
    'messaging.system': 'nest_durable',
    'messaging.operation.name': kind,
    'messaging.operation.type': operation,
    'messaging.destination.name': group ?? name,
    'messaging.message.id': stepId,
    'messaging.message.conversation_id': runId,
    'messaging.batch.message_count': count,
  };
}

/** What is told of an error: its code or its class. */
export function errorTypeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '_OTHER';
  const { code, name } = error as { code?: unknown; name?: unknown };
  return [code, name].find((one): one is string => typeof one === 'string' && one !== '') ?? '_OTHER';
}
