import { Telemetry } from '../../lib/core/telemetry.js';

const AS_IT_IS = Object.getOwnPropertyDescriptors(Telemetry.prototype);

const SILENT = {
  hears: () => false,
  emit: () => {},
  around: <T>(_kind: string, _told: () => unknown, run: () => T): T => run(),
  quietly: <T>(work: () => T): T => work(),
  openly: <T>(work: () => T): T => work(),
};

/** Takes out of this process whatever telemetry does in the hot path, or puts it back: one process shows both costs. */
export function tellNobody(silent: boolean): void {
  if (silent) Object.assign(Telemetry.prototype, SILENT);
  else Object.defineProperties(Telemetry.prototype, AS_IT_IS);
}
