import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** What methods call an argument, and the option that it was given as. */
const OPTIONS: Readonly<Record<string, string>> = {
  actor: '--actor',
  attributes: '--attribute',
  batchSize: '--batch-size',
  createdAfter: '--created-after',
  createdBefore: '--created-before',
  cursor: '--cursor',
  destination: '--destination',
  export: '--export',
  from: '--from',
  id: '--id',
  kind: '--kind',
  limit: '--limit',
  module: '--module',
  olderThan: '--older-than',
  reason: '--reason',
  runner: '--runner',
  since: '--since',
  status: '--status',
  until: '--until',
  version: '--workflow-version',
};

/** The message of an error, in the words of the command line. */
export function saidHere(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const option = error instanceof InvalidArgumentError ? OPTIONS[error.argument] : undefined;
  const named = error instanceof InvalidArgumentError ? `${error.argument} is ` : '';
  return option !== undefined && message.startsWith(named) ? `${option} is ${message.slice(named.length)}` : message;
}
