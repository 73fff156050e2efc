import type { ComponentChildren } from 'preact';
import type { RunReason, RunStatus } from '../../lib/engine/run.js';
import type { WaitsFor } from '../../lib/engine/insight.js';
import { isoOf, localOf } from './local-time.js';
import { Filter, runHref } from './parts.js';
import { go, type Query, query, refine } from './router.js';

/** All of a type, in the order in which they are offered: the compiler refuses one that is missing. */
export const allOf = <T extends string>(all: Readonly<Record<T, true>>): readonly T[] => Object.keys(all) as T[];

export const STATUSES = allOf<RunStatus>({
  ...{ pending: true, running: true, suspended: true, compensating: true },
  ...{ completed: true, failed: true, cancelled: true, compensation_failed: true },
});
const REASONS = allOf<RunReason>({
  ...{ non_determinism: true, programming_error: true, write_refused: true, history_lost: true, exhausted: true },
  ...{ waiting_for_runs: true, concurrency_limit: true, rate_limit: true },
});
const WAITS = allOf<WaitsFor>({
  ...{ task: true, retry: true, timer: true, signal: true, child: true, limiter: true, run: true },
});

/** What finds runs, also for counts and for changes of many. */
export const FILTER = [
  ...['idPrefix', 'status', 'reason', 'blocked', 'waitsFor', 'workflow', 'version', 'attribute'],
  ...['createdAfter', 'createdBefore', 'endedAfter', 'endedBefore', 'parent', 'schedule'],
];
/** What only changes how they are shown. */
export const LOOK = ['order', 'columns'];

/** Those that are always there; all others are opened, unless they are in use. */
const FIRST = ['workflow', 'status', 'attribute', 'blocked'];

export const given = (names: readonly string[]): Query => Object.fromEntries(names.map((name) => [name, query(name)]));

/** Another filter begins with its first page. */
export const ANEW: Query = { cursor: undefined };
const set = (name: string, value: string | undefined) => refine({ ...ANEW, [name]: value });

export function RunFilters() {
  const isOpen = [...FILTER, ...LOOK].some((name) => !FIRST.includes(name) && query(name));
  return (
    <>
      <div class="filters">
        <Jump />
        <Filter name="workflow" label="Workflow" offers="workflows" with={ANEW} />
        <Filter name="attribute" label="Attributes" placeholder="customer=acme,amount>=10" with={ANEW} />
        <Choice name="status" label="Status" values={STATUSES} />
        <label class="check">
          <input
            type="checkbox"
            checked={query('blocked') === 'true'}
            onChange={(event) => set('blocked', event.currentTarget.checked ? 'true' : undefined)}
          />
          blocked
        </label>
      </div>
      <details class="more-filters" open={isOpen}>
        <summary>More filters, order and columns</summary>
        <div class="filters">
          <Choice name="reason" label="Reason" values={REASONS} />
          <Choice name="waitsFor" label="Waits for" values={WAITS} />
          <Filter name="version" label="Version" with={ANEW} />
          <Filter name="idPrefix" label="Id begins with" with={ANEW} />
          <Filter name="parent" label="Parent" with={ANEW} />
          <Filter name="schedule" label="Schedule" with={ANEW} />
          <Range label="Created" from="createdAfter" until="createdBefore" />
          <Range label="Ended" from="endedAfter" until="endedBefore" />
          <Choice name="order" label="Order" values={['oldest', 'ended']} none="newest" />
          <Filter name="columns" label="Columns" placeholder="customer,amount" with={ANEW} />
        </div>
      </details>
    </>
  );
}

function Jump() {
  const jump = (event: SubmitEvent) => {
    event.preventDefault();
    const id = new FormData(event.currentTarget as HTMLFormElement).get('jump');
    if (typeof id === 'string' && id.trim() !== '') go(runHref(id.trim()));
  };
  return (
    <form role="search" onSubmit={jump}>
      <label>
        Id <input name="jump" placeholder="jump to a run" autocomplete="off" />
      </label>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  values: readonly string[];
  /** What it is without a value. */
  none?: string;
  /** What else changes. */
  with?: Query;
}

export function Choice({ name, label, values, none = 'any', with: also = ANEW }: ChoiceProps) {
  const value = query(name) ?? '';
  // An address may have several, with commas.
  const all: ComponentChildren[] = [...new Set([...values, value])].filter(Boolean).map((one) => (
    <option key={one} value={one}>
      {one.replaceAll('_', ' ').replaceAll(',', ' or ')}
    </option>
  ));
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => refine({ ...also, [name]: event.currentTarget.value })}>
        <option value="">{none}</option>
        {all}
      </select>
    </label>
  );
}

function Range({ label, from, until }: { label: string; from: string; until: string }) {
  const time = (name: string, title: string) => (
    <label>
      {title}
      <input
        type="datetime-local"
        value={localOf(query(name))}
        onChange={(event) => set(name, isoOf(event.currentTarget.value))}
      />
    </label>
  );
  return (
    <div class="range">
      {time(from, `${label} from`)}
      {time(until, `${label} before`)}
    </div>
  );
}
