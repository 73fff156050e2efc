import { Act } from './act.js';
import { useLive } from './api.js';
import { Filter, Problem, RunLink, Table, View } from './parts.js';
import { query, queryText, refined } from './router.js';
import { planOf, SchedulePlan, type ShownSchedule } from './schedule-plan.js';
import { Time } from './times.js';

const PAGE = 100;

export function Schedules() {
  const workflow = query('workflow');
  const asked = queryText({ limit: String(PAGE), after: query('after'), workflow });
  const live = useLive<{ schedules: ShownSchedule[] }>(`schedules?${asked}`, 5_000);
  const schedules = live.data?.schedules ?? [];
  const here = schedules.find(({ id }) => id === query('schedule'));
  // It may be on another page of the list.
  const isElsewhere = live.data && !here && query('schedule');
  const there = useLive<ShownSchedule>(isElsewhere ? `schedules/${encodeURIComponent(isElsewhere)}` : undefined, 5_000);
  const chosen = here ?? there.data;
  return (
    <View title="Schedules" live={live}>
      <div class="filters">
        <Filter name="workflow" label="Workflow" offers="workflows" with={{ after: undefined, schedule: undefined }} />
      </div>
      {live.data && (
        <Table
          caption="Schedules"
          head={['Schedule', 'Workflow', 'Plan', 'Last', 'Next', '']}
          none={workflow === undefined ? 'There is no schedule.' : 'This workflow has no schedule.'}
          rows={schedules.map((schedule) => (
            <Row key={schedule.id} schedule={schedule} again={live.again} />
          ))}
        />
      )}
      {schedules.length === PAGE && <a href={refined({ after: schedules.at(-1)!.id })}>More schedules</a>}
      <Problem live={there} what="The schedule" />
      {chosen && <SchedulePlan key={chosen.id} schedule={chosen} />}
    </View>
  );
}

function Row({ schedule, again }: { schedule: ShownSchedule; again: () => void }) {
  const at = `schedules/${encodeURIComponent(schedule.id)}`;
  return (
    <tr>
      <td>
        <a href={refined({ schedule: schedule.id })}>{schedule.id}</a>
      </td>
      <td>{schedule.workflow}</td>
      <td>{planOf(schedule.options)}</td>
      <td>
        <Time at={schedule.lastFiredAt} />
        {schedule.heldUpBy !== undefined && (
          <>
            {' '}
            held up by <RunLink id={schedule.heldUpBy} />
          </>
        )}
      </td>
      <td>{schedule.paused ? <span class="status suspended">paused</span> : <Time at={schedule.nextAt} />}</td>
      <td class="actions">
        <Act
          verb="Fire now"
          permission="schedules"
          address={`${at}/trigger`}
          done={again}
          told={({ runId }) =>
            typeof runId === 'string' ? (
              <>
                Fired: <RunLink id={runId} />
              </>
            ) : (
              'It fired.'
            )
          }
          text="A run starts at once."
        />
        {schedule.paused ? (
          <Act verb="Resume" permission="schedules" address={`${at}/resume`} done={again} text="It fires again." />
        ) : (
          <Act verb="Pause" permission="schedules" address={`${at}/pause`} done={again} text="It does not fire." />
        )}
      </td>
    </tr>
  );
}
