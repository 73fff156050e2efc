import { createHash } from 'node:crypto';

/** What a run waits for: that all calls of an operation for a subject have succeeded. */
export interface AwaitedOperation {
  operation: string;
  subject: string;
}

/** What steps listen to that wait for an operation: no channel of a signal, of which the text has four parts. */
export const effectChannel = ({ operation, subject }: AwaitedOperation): string =>
  createHash('sha256')
    .update(JSON.stringify(['effects', operation, subject]))
    .digest('base64url');
