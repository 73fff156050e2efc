/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Paint = (format: 'bold' | 'red' | 'dim', text: string) => string;

/** What a command has of the process that runs it. */
export interface CliEnvironment {
  /** Contains `DATABASE_URL` and the variables of the outbox table names. */
  env: Environment;
  /** Prints a result. */
  out: (line: string) => void;
  /** Prints words about it. */
  err: (line: string) => void;
  /** Where ids and answers come from. Default: nothing comes. */
  input?: NodeJS.ReadableStream;
  /** Whether a person can answer. Default false. */
  asks?: boolean;
  /** Whether results are drawn on a terminal. Default false. */
  draws?: boolean;
  /** Colours a result, if the terminal has colours. Default: it does not. */
  paint?: Paint;
  /** The same for words, which may go elsewhere. */
  paintError?: Paint;
  /** Aborted when the command is to end: by Ctrl+C. */
  interrupted?: AbortSignal;
  /** Called by a command that, when it is interrupted, ends by itself what it has begun. */
  finishes?: () => void;
  /** Whether nobody reads the results any more. Default: somebody does. */
  isUnread?: () => boolean;
}

/** The exit codes of all commands. */
export const EXIT = {
  done: 0,
  /** It is behind, would stand still, or something was refused. */
  behind: 1,
  /** It could not be told, or the arguments are wrong. */
  failed: 2,
  /** There are warnings, with `--strict`. */
  warned: 3,
  /** There is no such run, step or schedule. */
  missing: 4,
  interrupted: 130,
} as const;
