import { WriteRefusedError } from '../../errors/database-errors.js';
import { boundedText } from '../../protocol/log-line.js';
import { toWireError, type WireError } from '../../protocol/wire-error.js';
import type { Activation } from '../activation/activation.js';
import { stepOf } from './left-at-step.js';
import type { Payloads } from '../model/payloads.js';
import { isFinal, type RunTransition } from '../model/run.js';
import { contextIn } from '../model/run-context.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { LeftAtStep } from '../../telemetry/telemetry-events.js';
import type { Standstill } from '../model/run-store.js';

/** If the database refuses the run's write, the run is blocked: a replay would fail again. */
export function refusedOf(error: unknown, { texts, context }: Payloads): Standstill | undefined {
  if (!(error instanceof WriteRefusedError)) return undefined;
  const { name = 'Error', message } = toWireError(error, texts.rules);
  return { reason: 'write_refused', detail: texts.text(boundedText(`${name}: ${message}`), context) };
}

/** Why a run left memory, for people, and how long it took if it has ended: what is stored may be sealed. */
export function whyOf(
  activation: Activation,
  left: RunTransition | Standstill,
): { reason?: string; detail?: string; error?: WireError; step?: LeftAtStep; durationMs?: number } {
  const { texts, context } = activation.payloads;
  const none = { reason: undefined, detail: undefined, error: undefined };
  const { reason, detail, error } = { ...none, ...left };
  const step = error && stepOf(activation, left);
  const isOver = 'status' in left && isFinal(left.status);
  return {
    ...(reason && { reason }),
    ...(detail && { detail: texts.readText(detail, context) }),
    ...(error && { error: texts.readable(error, context) }),
    ...(step && { step }),
    ...(isOver && { durationMs: Math.max(0, activation.shared.clock.now() - activation.run.since) }),
  };
}

/** Tells of a run that left memory. If it has ended, also by a span from its start, or its last `continueAsNew`. */
export function tellLeft(telemetry: Telemetry, activation: Activation, transition: RunTransition): void {
  const { id: runId, workflow, version, since: startedAt, context } = activation.run;
  const { status } = transition;
  if (!telemetry.hears('run.left') && !telemetry.tracing) return;
  const why = whyOf(activation, transition);
  telemetry.emit('run.left', { runId, workflow, status, ...why });
  if (!isFinal(status) || !telemetry.tracing) return;
  const outcome = { outcome: status, error: why.error };
  const carrier = contextIn(context);
  telemetry.tracing.told({ kind: 'end', name: workflow, workflow, version, runId, startedAt, carrier, ...outcome });
}
