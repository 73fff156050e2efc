import { useState } from 'preact/hooks';
import type { CheckReport, DoctorReport } from '../../lib/doctor/check.js';
import { ask, may } from './api.js';
import { View } from './parts.js';

/** What the doctor finds in the database; it is asked when somebody wants to know. */
export function Doctor() {
  const [report, setReport] = useState<DoctorReport>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const examine = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      setReport(await ask<DoctorReport>('doctor'));
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <View title="Doctor">
      <p class="dim">Looks at the settings of the database, the tables, and what holds them up. It only reads.</p>
      {may('doctor') ? (
        <button type="button" disabled={busy} onClick={() => void examine()}>
          {report ? 'Examine again' : 'Examine the database'}
        </button>
      ) : (
        <p>You may not run it: it needs "doctor".</p>
      )}
      <p role="status">{busy ? 'Examining …' : ''}</p>
      {problem && (
        <p role="alert" class="alert">
          {problem}
        </p>
      )}
      {report && <Report report={report} />}
    </View>
  );
}

function Report({ report: { server, checks, counts } }: { report: DoctorReport }) {
  const well = checks.filter(({ outcome }) => outcome === 'well');
  return (
    <>
      <p>
        {server}: <b>{counts.error}</b> errors, <b>{counts.warning}</b> warnings, {counts.info} remarks, {counts.untold}{' '}
        not told.
      </p>
      {checks
        .filter(({ outcome }) => outcome !== 'well')
        .map((check) => (
          <Check key={check.id} check={check} />
        ))}
      <details>
        <summary>{well.length} checks found nothing</summary>
        <ul>
          {well.map(({ id, meaning }) => (
            <li key={id}>
              <b>{id}</b>: {meaning}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Check({ check: { id, meaning, page, findings, reason, mend = [] } }: { check: CheckReport }) {
  return (
    <section class="panel" aria-label={id}>
      <h2>{id}</h2>
      <p class="dim">
        {meaning} See {page}.
      </p>
      {reason && (
        <p>
          <span class="status pending">not told</span> {reason}
        </p>
      )}
      {findings.map((finding) => (
        <div key={finding.text}>
          <p>
            <span class={`status ${LOOKS[finding.level]}`}>{finding.level}</span> {finding.text}
          </p>
          <Statements of={id} statements={finding.mend} />
        </div>
      ))}
      <Statements of={id} statements={mend} />
    </section>
  );
}

const LOOKS = { error: 'failed', warning: 'pending', info: 'cancelled' } as const;

function Statements({ of, statements }: { of: string; statements: readonly string[] }) {
  const [told, tell] = useState('');
  if (statements.length === 0) return null;
  const text = statements.join('\n');
  // Without TLS browsers have no clipboard: the text can be selected.
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => tell('Copied.'),
      () => tell('The browser does not let the page copy.'),
    );
  return (
    <div class="statements">
      <pre tabIndex={0} role="region" aria-label={`Mends ${of}`}>
        {text}
      </pre>
      {'clipboard' in navigator && (
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
      )}
      <span role="status">{told}</span>
    </div>
  );
}
