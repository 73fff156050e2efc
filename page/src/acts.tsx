import type { Act as Done } from '../../lib/acts/act.js';
import { type Sent, useLive } from './api.js';
import { RunLink, Table, View } from './parts.js';
import { href, query, queryText, refine } from './router.js';
import { Time } from './times.js';

const FILTER = ['kind', 'target', 'actor', 'action'] as const;

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
        {FILTER.map((name) => (
          <label key={name}>
            {name}
            <input
              value={filter[name] ?? ''}
              onChange={(event) => refine({ [name]: event.currentTarget.value, cursor: undefined })}
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
      {live.data?.cursor && <a href={href('acts', { ...filter, cursor: live.data.cursor })}>Older</a>}
    </View>
  );
}
