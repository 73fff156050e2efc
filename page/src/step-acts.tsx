import type { RunRow, StepRow } from '../../lib/dashboard/options.js';
import { Act } from './act.js';
import type { Sent } from './api.js';
import { JsonField, jsonIn } from './json-field.js';
import { awaitsAttempt, isResolvable, isWithWorker } from './step-state.js';
import { now } from './times.js';

interface StepActsProps {
  run: Sent<RunRow>;
  step: Sent<StepRow>;
  /** Of the step, below `api/`. */
  at: string;
  again: () => void;
}

/** What can be done to a step. */
export function StepActs({ run, step, at, again }: StepActsProps) {
  const isLater = awaitsAttempt(run, step, now.value);
  const [withWorker, resolvable] = [isWithWorker(step), isResolvable(run, step)];
  if (!isLater && !withWorker && !resolvable) return null;
  return (
    <div class="actions">
      {isLater && (
        <Act
          verb="Run now"
          permission="retry"
          address={`${at}/now`}
          done={again}
          text="Its next attempt is due at once."
        />
      )}
      {withWorker && <WorkerActs at={at} again={again} />}
      {resolvable && step.kind !== 'sleep' && <Resolve at={at} again={again} />}
      {resolvable && (step.kind === 'sleep' || step.kind === 'signal') && (
        <Act
          verb="Skip"
          permission="complete"
          address={`${at}/resolve`}
          done={again}
          text="The run waits for it no more, and its code gets undefined."
          body={() => ({ skip: true })}
        />
      )}
    </div>
  );
}

function Resolve({ at, again }: Pick<StepActsProps, 'at' | 'again'>) {
  return (
    <Act
      verb="Resolve"
      permission="complete"
      address={`${at}/resolve`}
      done={again}
      text="The code gets this output, and the run goes on. What was done outside is not undone."
      body={(form) => ({ output: jsonIn(form, 'output') })}
    >
      <JsonField label="Output" name="output" />
    </Act>
  );
}

function WorkerActs({ at, again }: Pick<StepActsProps, 'at' | 'again'>) {
  return (
    <>
      <Act
        verb="Complete"
        permission="complete"
        address={`${at}/complete`}
        done={again}
        text="The run goes on with this output, as if a worker had answered."
        body={(form) => ({ output: jsonIn(form, 'output') })}
      >
        <JsonField label="Output" name="output" />
      </Act>
      <Act
        verb="Fail"
        permission="complete"
        address={`${at}/fail`}
        done={again}
        text="The attempt fails, and is retried as the step says."
        body={(form) => ({ message: form.get('message') })}
      >
        <label>
          Message <input name="message" required autocomplete="off" />
        </label>
      </Act>
    </>
  );
}
