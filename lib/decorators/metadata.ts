// For whoever loads this before NestJS.
import 'reflect-metadata';

/** Metadata keys: written by decorators, read by the `*declarations.ts`. Plain texts, so that they are the same in every copy of this package. */
export const WORKFLOW_METADATA = 'durable:workflow';
export const WORKER_METADATA = 'durable:worker';
export const REMOTE_STEP_METADATA = 'durable:remote-step';
export const OUTBOX_PUBLISHER_METADATA = 'durable:outbox-publisher';
export const ON_OUTBOX_MESSAGE_METADATA = 'durable:on-outbox-message';
export const EFFECT_METADATA = 'durable:effect';
export const ON_OPERATION_COMPLETE_METADATA = 'durable:on-operation-complete';
export const ON_ABANDONED_METADATA = 'durable:on-abandoned';
