import type { RunExtras, RunWrite } from '../model/run-store.js';
import type { CheckedEvent } from '../model/step-events.js';

const sizeOfEvents = (events: readonly CheckedEvent[]): number =>
  events.reduce((size, { data, headers }) => size + (data?.length ?? 0) + (headers?.length ?? 0), 0);

const sizeOfExtras = ({ children = [], logs = [], attempts = [], publishes = [], enqueues = [] }: RunExtras): number =>
  enqueues.reduce((size, { operation }) => size + operation.size, 0) +
  publishes.reduce((size, { events }) => size + sizeOfEvents(events), 0) +
  children.reduce((size, { input }) => size + input.length, 0) +
  logs.reduce((size, { message, fields }) => size + message.length + (fields?.length ?? 0), 0) +
  attempts.reduce((size, { error }) => size + error.length, 0);

/** In characters: how long the texts are that it carries. */
export const sizeOfWrite = ({ steps, tasks, transition, extras }: RunWrite): number =>
  (extras ? sizeOfExtras(extras) : 0) +
  steps.reduce((size, { output, error }) => size + (output?.length ?? 0) + (error?.length ?? 0), 0) +
  tasks.reduce((size, { input }) => size + input.length, 0) +
  (transition?.status === 'completed' ? transition.output.length : 0);
