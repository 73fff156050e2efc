import { tracingChannel } from 'node:diagnostics_channel';
import type { TracedWork } from './tracing.js';

const STEP = tracingChannel<TracedWork>('nest-durable:step');
const PUBLISH = tracingChannel<TracedWork>('nest-durable:publish');
const EFFECT = tracingChannel<TracedWork>('nest-durable:effect');

/** The tracing channels around work of the app. Their names, and what `TracedWork` names, are public API. */
export const WORK_CHANNELS = {
  process: STEP,
  step: STEP,
  transaction: STEP,
  publish: PUBLISH,
  effect: EFFECT,
} as const;
