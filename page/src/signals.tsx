import type { SignalsInSight, SignalsPage, SignalWaitsPage } from '../../lib/operate/limits-and-signals.js';
import { Act } from './act.js';
import { type Sent, useGrowing, useLive } from './api.js';
import { JsonField, jsonIn } from './json-field.js';
import { Filter, More, Pages, Problem, runHref, RunLink, Table, View } from './parts.js';
import { type Query, query, queryText, refined } from './router.js';
import { Time } from './times.js';

export function Signals() {
  const [name, key, workflowId] = [query('name'), query('key'), query('workflowId')];
  const live = useGrowing<Sent<SignalsPage>>(`signals?${queryText({ name, key, workflowId })}`);
  return (
    <View title="Signals" live={live}>
      <div class="filters">
        <Filter name="name" label="Signal" with={ANEW} />
        <Filter name="key" label="Key" with={ANEW} />
        <Filter name="workflowId" label="Run" with={ANEW} />
      </div>
      <div class="actions">
        <SendSignal done={live.again} />
      </div>
      <Waits wanted={{ name, key, workflowId }} />
      <h2>Never taken</h2>
      {live.data && (
        <Table
          caption="Signals that nobody took"
          head={['Signal', 'To', 'Count', 'Oldest', 'Runs that listen', '']}
          none={live.data.complete ? 'Every signal was taken.' : 'Those that were looked at were taken.'}
          rows={live.data.signals.map((one) => (
            <tr key={`${one.name} ${JSON.stringify(one.to)}`}>
              <td>{one.name}</td>
              <td>{'workflowId' in one.to ? <RunLink id={one.to.workflowId} /> : `key ${one.to.key}`}</td>
              <td>{one.count}</td>
              <td>
                <Time at={one.since} />
              </td>
              <td>
                {one.listening > 0 ? <a href={refined({ ...ANEW, name: one.name, ...one.to })}>{one.listening}</a> : 0}
              </td>
              <td>
                <DeleteSignals of={one} done={live.again} />
              </td>
            </tr>
          ))}
        />
      )}
      <More of={live} shown={live.data?.signals.length ?? 0} what="signals" />
      {live.data && !live.data.complete && <p class="dim">Only {live.data.lookedAt} signals were looked at.</p>}
    </View>
  );
}

/** Another filter begins with its first page. */
const ANEW: Query = { waits: undefined };

/** Runs that wait for signals: all, those for a name and a key, or of a run; nothing finds them by a name alone. */
function Waits({ wanted }: { wanted: Query }) {
  const isFound =
    wanted['workflowId'] !== undefined || (wanted['name'] === undefined) === (wanted['key'] === undefined);
  const address = `signals/waits?${queryText({ ...wanted, cursor: query('waits') })}`;
  const live = useLive<Sent<SignalWaitsPage>>(isFound ? address : undefined, 5_000);
  return (
    <section aria-label="Waiting">
      <h2>Waiting</h2>
      {!isFound && <p class="dim">Runs that wait are found by a run, or by a signal and its key together.</p>}
      <Problem live={live} what="Runs that wait" />
      {live.data && (
        <Table
          caption="Runs that wait for signals"
          head={['Run', 'Workflow', 'Step', 'Signal', 'Key', 'Since', 'Until']}
          none={live.data.cursor ? 'None on this page: go on.' : 'No run waits for a signal.'}
          rows={live.data.waits.map((one) => (
            <tr key={`${one.workflowId} ${one.seq} ${one.name} ${one.key}`}>
              <td>
                <RunLink id={one.workflowId} />
              </td>
              <td>{one.workflow}</td>
              <td>
                <a href={runHref(one.workflowId, { step: String(one.seq) })}>{one.step}</a>
              </td>
              <td>{one.name ?? '–'}</td>
              <td>{one.key ?? '–'}</td>
              <td>
                <Time at={one.since} />
              </td>
              <td>
                <Time at={one.deadline} />
              </td>
            </tr>
          ))}
        />
      )}
      <Pages name="waits" next={live.data?.cursor} what="waits" />
    </section>
  );
}

function SendSignal({ done }: { done: () => void }) {
  const body = (form: FormData) => ({
    name: form.get('name'),
    [form.get('to') === 'key' ? 'key' : 'workflowId']: form.get('target'),
    payload: jsonIn(form, 'payload'),
  });
  return (
    <Act
      verb="Send a signal"
      permission="signal"
      address="signals/send"
      body={body}
      done={done}
      text="A run that listens gets it; otherwise it waits for one."
    >
      <label>
        Signal <input name="name" required autocomplete="off" />
      </label>
      <label>
        To{' '}
        <select name="to">
          <option value="run">a run</option>
          <option value="key">a key</option>
        </select>
      </label>
      <label>
        Its id, or the key <input name="target" required autocomplete="off" />
      </label>
      <JsonField label="Payload" name="payload" />
    </Act>
  );
}

/** At most 1,000 at once. */
function DeleteSignals({ of: { name, to, count }, done }: { of: Sent<SignalsInSight>; done: () => void }) {
  return (
    <Act
      verb={`Delete ${name}`}
      permission="delete"
      address="signals/delete"
      body={(form) => ({ name, ...to, limit: form.get('which') === 'first' ? 1 : undefined })}
      done={done}
      text="Nobody will get what is deleted."
    >
      {count > 1 && (
        <label>
          Which{' '}
          <select name="which">
            <option value="first">the one that was sent first</option>
            <option value="all">all {count}</option>
          </select>
        </label>
      )}
    </Act>
  );
}
