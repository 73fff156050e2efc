import { DatabaseError } from './database-errors.js';
import { DurableError } from './durable-error.js';

/** The module cannot start with this configuration; the message names the possible fixes. */
export class ConfigurationError extends DurableError {
  readonly code: string = 'CONFIGURATION';
}

/** A schema validates asynchronously, which cannot be awaited where values are checked. */
export class AsyncSchemaError extends ConfigurationError {
  override readonly code = 'ASYNC_SCHEMA';
  readonly retryable = false;

  constructor(
    readonly what: string,
    vendor: string,
  ) {
    super(
      `${what} has a schema (of ${vendor}) that validates asynchronously: remove its asynchronous checks, and do them in a step of the workflow`,
    );
  }
}

/** The server speaks the protocol of a supported database but is another one, or belongs to an unsupported cluster. */
export class UnsupportedServerError extends ConfigurationError {
  override readonly code = 'UNSUPPORTED_SERVER';
}

/** Tables are missing or outdated, and this process may not migrate them. */
export class SchemaError extends DurableError {
  readonly code: string = 'SCHEMA_BEHIND';
}

/** A table of nest-durable does not exist. */
export class MissingTableError extends DatabaseError {
  override readonly code = 'MISSING_TABLE';

  constructor(options?: ErrorOptions) {
    super(
      'A table of nest-durable is missing: run `npx nest-durable migrate`, or start once with `migrate: true`',
      false,
      options,
    );
  }
}

/**
 * The database user of the app may not create, or not use, the tables of nest-durable. The message has the statements
 * that their owner runs; `cause` is the error of the statement that was refused.
 */
export class MissingRightsError extends DatabaseError {
  override readonly code = 'MISSING_RIGHTS';

  constructor(
    /** The user that is connected. */
    readonly user: string,
    /** What its owner runs, so that the user has what it lacks. */
    readonly grants: readonly string[],
    message: string,
    options: { cause?: DatabaseError } = {},
  ) {
    super(message, false, options);
  }
}
