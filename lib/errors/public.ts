export {
  InvalidArgumentError,
  InvalidTransactionError,
  UnknownOptionError,
  ValidationError,
  type ValidationIssue,
} from './argument-errors.js';
export {
  ContextMisuseError,
  HistoryLimitError,
  NonDeterminismError,
  UnawaitedCallsError,
  UnknownStepError,
  UnknownWorkflowError,
} from './code-errors.js';
export { DatabaseError, QuestionTimeoutError, TransactionLostError } from './database-errors.js';
export { DurableError } from './durable-error.js';
export {
  AuditTimeoutError,
  EffectAttemptsExhaustedError,
  EffectTimeoutError,
  NonRetryableEffectError,
  UnknownAuditEventError,
  UnknownEffectHandlerError,
} from './effect-errors.js';
export { NonRetryablePublishError, OutboxOccupiedError, PublishTimeoutError } from './outbox-errors.js';
export {
  BrokenSealError,
  PayloadTooLargeError,
  SerializationError,
  UnknownKeyError,
  UnreadablePayloadError,
} from './payload-errors.js';
export {
  EditRefusedError,
  StepNotEditableError,
  WorkflowErasedError,
  WorkflowForkRefusedError,
  WorkflowNotEndedError,
  WorkflowNotResumableError,
  WorkflowNotRetryableError,
} from './repair-errors.js';
export {
  CompensationFailedError,
  DependencyFailedError,
  ResultAbandonedError,
  ResultTimeoutError,
  ScheduleConflictError,
  NodeNotFoundError,
  ScheduleNotFoundError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowFailure,
  WorkflowIdConflictError,
  WorkflowNotFoundError,
  WorkflowTerminatedError,
  WorkflowTimeoutError,
} from './run-errors.js';
export {
  AsyncSchemaError,
  ConfigurationError,
  MissingRightsError,
  MissingTableError,
  SchemaError,
  UnsupportedServerError,
} from './setup-errors.js';
export {
  NonRetryableStepError,
  RetryAfterError,
  TooManyDeferralsError,
  StepAlreadySettledError,
  StepFailedError,
  StepNotFoundError,
  StepNotPendingError,
  StepTimeoutError,
} from './step-errors.js';
