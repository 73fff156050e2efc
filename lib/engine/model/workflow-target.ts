import type { StepContext } from '../../protocol/step-context.js';
import type { Stored } from '../../protocol/stored.js';

/** The class of a workflow, of whatever input and output. */
type AnyWorkflow = abstract new (...args: never[]) => { run(...args: never[]): Promise<unknown> };

/** The input and output of a workflow, inferred from its class. The output is as it is stored. */
export type InputOf<W> = W extends { run(...args: infer Args): unknown } ? Args[1 & keyof Args] : unknown;
export type OutputOf<W> = W extends { run(...args: never[]): Promise<infer Output> } ? Stored<Output> : unknown;

/** A workflow that is named by its class or by its name. Of a name alone, the compiler knows neither type. */
export type WorkflowTarget = string | AnyWorkflow;
/** The arguments after the workflow: its input, unless its `run` can do without, and options. */
export type WorkflowArguments<W, Options> = W extends AnyWorkflow
  ? InputArguments<InputOf<InstanceType<W>>, Options>
  : [input?: unknown, options?: Options];
export type InputArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];
/** The output of a workflow; of one that is named by its name, `Named`. */
export type OutputOfTarget<W, Named> = W extends AnyWorkflow ? OutputOf<InstanceType<W>> : Named;

/** A method that can be a remote step: it takes an input, and the context of the step. */
export type StepLike = (input: never, step: StepContext) => unknown;

/** The output of a remote step: a worker answers null where its method returns undefined. */
export type RemoteOutput<T> = undefined extends T ? Stored<Exclude<T, undefined> | null> : Stored<T>;

/** The outputs of all remote steps of a worker class. */
export type RemoteOutputs<T> = {
  [Method in keyof T]: T[Method] extends StepLike ? RemoteOutput<Awaited<ReturnType<T[Method]>>> : never;
}[keyof T];
