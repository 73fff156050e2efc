import { useEffect, useRef } from 'preact/hooks';
import type { Hold, HoldKind } from '../../lib/acts/holds.js';
import { Act } from './act.js';
import type { Live, Sent } from './api.js';
import { isoOf } from './local-time.js';
import { Problem, Table } from './parts.js';
import { address, href } from './router.js';
import { Time } from './times.js';

const PLACE = '#holds';

/** Where all holds are. */
export const holdsHref = (): string => href('queues') + PLACE;

interface HoldProps {
  kind: HoldKind;
  name: string;
  hold: Sent<Hold> | undefined;
  done: () => void;
}

/** Who holds it, and the button that holds or lifts it. */
export function HoldActs({ kind, name, hold, done }: HoldProps) {
  if (!hold)
    return (
      <Act
        verb={`Hold ${name}`}
        permission="hold"
        address="holds/hold"
        body={() => ({ kind, name })}
        done={done}
        text="Nothing new of it begins, until it is lifted."
      />
    );
  return (
    <>
      {hold.actor}: {hold.reason} <Time at={hold.since} /> <Lift verb={`Lift ${name}`} hold={hold} done={done} />
    </>
  );
}

function Lift({ verb, hold: { kind, name }, done }: { verb: string; hold: Sent<Hold>; done: () => void }) {
  const body = () => ({ kind, name });
  return <Act verb={verb} permission="hold" address="holds/lift" body={body} done={done} text="It goes on." />;
}

/** All of them: the compiler finds one that is missing. */
const KINDS: Readonly<Record<HoldKind, true>> = { workflow: true, group: true, effect: true, schedule: true };

/** Everything that is held, of any kind. */
export function Holds({ live, done }: { live: Live<{ holds: Sent<Hold>[] }>; done: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isKnown = live.data !== undefined;
  // Before that, it would be moved by what comes above it.
  useEffect(() => {
    if (isKnown && address.value.hash === PLACE) heading.current?.focus();
  }, [isKnown]);
  if (!live.data) return <Problem live={live} what="Holds" />;
  return (
    <section aria-labelledby="holds">
      <h2 id="holds" ref={heading} tabIndex={-1}>
        Holds
      </h2>
      <Problem live={live} what="Holds" />
      <div class="actions">
        <HoldByName done={done} />
      </div>
      <Table
        caption="What is held"
        head={['Kind', 'Name', 'Since', 'Until', 'Who', 'Why', '']}
        none="Nothing is held."
        rows={live.data.holds.map((hold) => (
          <tr key={`${hold.kind} ${hold.name}`}>
            <td>{hold.kind}</td>
            <td>{hold.name}</td>
            <td>
              <Time at={hold.since} />
            </td>
            <td>{hold.until ? <Time at={hold.until} /> : 'somebody lifts it'}</td>
            <td>{hold.actor}</td>
            <td>{hold.reason}</td>
            <td>
              <Lift verb={`Lift ${hold.kind} ${hold.name}`} hold={hold} done={done} />
            </td>
          </tr>
        ))}
      />
    </section>
  );
}

/** What has no row with a button of its own. */
function HoldByName({ done }: { done: () => void }) {
  return (
    <Act
      verb="Hold by name"
      permission="hold"
      address="holds/hold"
      body={(form) => ({ kind: form.get('kind'), name: form.get('name'), until: isoOf(textOf(form, 'until')) })}
      done={done}
      told={({ known }, form) => {
        const what = `${textOf(form, 'kind')} ${textOf(form, 'name')}`;
        return known === false
          ? `Held. No process serves ${what}, and nothing of it waits: is that its name?`
          : `Held: ${what}.`;
      }}
      text="Nothing new of it begins, until it is lifted. Holding what is held changes its reason and its end."
    >
      <label>
        What{' '}
        <select name="kind">
          {Object.keys(KINDS).map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </select>
      </label>
      <label>
        Its name, or the id of the schedule <input name="name" required autocomplete="off" />
      </label>
      <label>
        Until, or empty: until somebody lifts it <input name="until" type="datetime-local" />
      </label>
    </Act>
  );
}

function textOf(form: FormData, name: string): string {
  const field = form.get(name);
  return typeof field === 'string' ? field : '';
}
