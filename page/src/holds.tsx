import type { Hold } from '../../lib/holds/hold.js';
import { Act } from './act.js';
import type { Sent } from './api.js';
import { Time } from './times.js';

interface HoldProps {
  kind: string;
  name: string;
  hold: Sent<Hold> | undefined;
  done: () => void;
}

/** Who holds it, and the button that holds or lifts it. */
export function HoldActs({ kind, name, hold, done }: HoldProps) {
  const body = () => ({ kind, name });
  if (!hold)
    return (
      <Act
        verb={`Hold ${name}`}
        permission="hold"
        address="holds/hold"
        body={body}
        done={done}
        text="Nothing new of it begins, until it is lifted."
      />
    );
  return (
    <>
      {hold.actor}: {hold.reason} <Time at={hold.since} />{' '}
      <Act verb={`Lift ${name}`} permission="hold" address="holds/lift" body={body} done={done} text="It goes on." />
    </>
  );
}
