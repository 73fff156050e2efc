import { remedyOf } from '../sql/table-protection.js';
import type { TelemetryEvents } from '../telemetry/telemetry-events.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** Of an error whose text is our own. */
const LONGEST_ADVICE = 2_000;

interface Target {
  warn(line: string): void;
  error(line: string): void;
}

/** Logs mistakes in the code of workflows and in the configuration of the ORM: what is wrong, where, and what to do. */
export function logMistakes(
  telemetry: Telemetry,
  target: Target,
  textOf: (error: unknown, longest?: number) => string,
): void {
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
