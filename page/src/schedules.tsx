import type { WorkflowSchedule } from '../../lib/engine/schedules/schedule-views.js';
import { Act } from './act.js';
import { type Sent, useLive } from './api.js';
import { Table, View } from './parts.js';
import { href, query } from './router.js';
import { span, Time } from './times.js';

const PAGE = 100;

type Shown = Omit<Sent<WorkflowSchedule>, 'input'>;

/** `cron "0 3 * * *" in Europe/Berlin`, `every 1 h 0 m`. */
function planOf({ cron, timeZone, every }: Shown['options']): string {
  const times = cron === undefined ? [] : [cron].flat().map((one) => `cron "${one}"`);
  const where = times.length > 0 && timeZone !== undefined ? ` in ${timeZone}` : '';
  return `${times.join(', ')}${where}${every === undefined ? '' : `every ${span(Number(every))}`}`;
}

export function Schedules() {
  const after = query('after');
  const live = useLive<{ schedules: Shown[] }>(
    `schedules?limit=${PAGE}${after ? `&after=${encodeURIComponent(after)}` : ''}`,
    5_000,
  );
  const schedules = live.data?.schedules ?? [];
  return (
    <View title="Schedules" live={live}>
      {live.data && (
        <Table
          caption="Schedules"
          head={['Schedule', 'Workflow', 'Plan', 'Last', 'Next', '']}
          none="There is no schedule."
          rows={schedules.map((schedule) => (
            <Row key={schedule.id} schedule={schedule} again={live.again} />
          ))}
        />
      )}
      {schedules.length === PAGE && <a href={href('schedules', { after: schedules.at(-1)!.id })}>More</a>}
    </View>
  );
}

function Row({ schedule, again }: { schedule: Shown; again: () => void }) {
  const at = `schedules/${encodeURIComponent(schedule.id)}`;
  return (
    <tr>
      <td>
        <a href={href('runs', { schedule: schedule.id })}>{schedule.id}</a>
      </td>
      <td>{schedule.workflow}</td>
      <td>{planOf(schedule.options)}</td>
      <td>
        <Time at={schedule.lastFiredAt} />
      </td>
      <td>{schedule.paused ? <span class="status suspended">paused</span> : <Time at={schedule.nextAt} />}</td>
      <td class="actions">
        <Act
          verb="Fire now"
          permission="schedules"
          address={`${at}/trigger`}
          done={again}
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
