import type { Act as Done, ActKind } from '../../lib/acts/acts.js';
import { type Sent, useLive } from './api.js';
import { RunLink, Table, View } from './parts.js';
import { href, query, queryText, refine } from './router.js';
import { isoOf, localOf } from './local-time.js';
import { Time } from './times.js';

const KINDS: readonly ActKind[] = [
  ...(['run', 'signal', 'schedule', 'channel', 'destination', 'effect', 'hold', 'node', 'bulk'] as const),
];
const TEXTS = ['target', 'actor', 'action'] as const;
const TIMES = ['since', 'until'] as const;
const FILTER = ['kind', ...TEXTS, ...TIMES] as const;

/** Who did what, when and why. */
export function Acts() {
  const filter = Object.fromEntries(FILTER.map((name) => [name, query(name)]));
  const live = useLive<{ acts: Sent<Omit<Done, 'details'>>[]; cursor?: string }>(
    `acts?${queryText({ ...filter, cursor: query('cursor') })}`,
    5_000,
  );
  return (
    <View title="Acts" live={live}>
      <div class="filters">
        <label>
          kind
          <select
            value={filter['kind'] ?? ''}
            onChange={(event) => refine({ kind: event.currentTarget.value, cursor: undefined })}
          >
            <option value="">any</option>
            {KINDS.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        {TEXTS.map((name) => (
          <label key={name}>
            {name}
            <input
              value={filter[name] ?? ''}
              onChange={(event) => refine({ [name]: event.currentTarget.value, cursor: undefined })}
            />
          </label>
        ))}
        {TIMES.map((name) => (
          <label key={name}>
            {name}
            <input
              type="datetime-local"
              value={localOf(filter[name])}
              onChange={(event) => refine({ [name]: isoOf(event.currentTarget.value), cursor: undefined })}
            />
          </label>
        ))}
      </div>
      {live.data && (
        <Table
          caption="What operators did"
          head={['When', 'Who', 'What', 'To', 'Why', 'Outcome']}
          none="Nobody did anything."
          rows={live.data.acts.map((act) => (
            <tr key={act.id}>
              <td>
                <Time at={act.at} />
              </td>
              <td>{act.actor}</td>
              <td>{act.action}</td>
              <td>
                {act.kind} {act.kind === 'run' ? <RunLink id={act.target} /> : act.target}
              </td>
              <td>{act.reason}</td>
              <td>{act.outcome}</td>
            </tr>
          ))}
        />
      )}
      {query('cursor') && <a href={href('acts', filter)}>Newest</a>}{' '}
      {live.data?.cursor && <a href={href('acts', { ...filter, cursor: live.data.cursor })}>Older</a>}
    </View>
  );
}
