import type { StepRow } from '../../lib/dashboard/run-rows.js';
import { Act, jsonIn } from './act.js';
import type { Sent } from './api.js';
import { Payload } from './payload.js';
import { Status, Table } from './parts.js';
import { span, Time } from './times.js';

const took = (ms: number | null) => (ms === null ? '–' : span(ms));

/** A step: its attempts, what it was given and what came of it. */
export function StepPanel({ runId, step, again }: { runId: string; step: Sent<StepRow>; again: () => void }) {
  const at = `runs/${encodeURIComponent(runId)}/steps/${step.seq}`;
  const isPending = step.status === 'pending';
  return (
    <section class="panel" aria-label={`Step ${step.seq}`}>
      <h2>
        {step.seq} {step.name} <Status status={step.status} />
      </h2>
      <p class="dim">
        {step.kind}, asked <Time at={step.askedAt} />
        {step.worker && ` by ${step.worker}`}
        {step.wakeAt && (
          <>
            , next <Time at={step.wakeAt} />
          </>
        )}
      </p>
      <Table
        caption={`Attempts of step ${step.seq}`}
        head={['Attempt', 'Backed off', 'Waited', 'Ran', 'Worker', 'Outcome']}
        none="No attempt has ended."
        rows={step.attempts.map((attempt) => (
          <tr key={attempt.attempt}>
            <td>{attempt.attempt}</td>
            <td>{took(attempt.backedOffMs)}</td>
            <td>{took(attempt.waitedMs)}</td>
            <td>{took(attempt.ranMs)}</td>
            <td>{attempt.worker ?? '–'}</td>
            <td>{attempt.error?.message ?? attempt.outcome}</td>
          </tr>
        ))}
      />
      {isPending && step.kind === 'remote' && (
        <div class="actions">
          <Act
            verb="Run now"
            permission="retry"
            address={`${at}/now`}
            done={again}
            text="Its next attempt is due at once."
          />
          <Act
            verb="Complete"
            permission="complete"
            address={`${at}/complete`}
            done={again}
            text="The run goes on with this output, as if a worker had answered."
            body={(form) => ({ output: jsonIn(form, 'output') })}
          >
            <label>
              Output, as JSON <textarea name="output" rows={4} />
            </label>
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
        </div>
      )}
      <Payload
        title="What it was given, and what came of it"
        address={`runs/${encodeURIComponent(runId)}/payloads?seq=${step.seq}`}
        parts={['input', 'output', 'error', 'logs']}
      />
    </section>
  );
}
