import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithProgram } from '../../support/installed-programs.js';
import { ROOT } from '../../support/root.mjs';

const RULES = join(ROOT, 'docs/metrics/alerts.yml');

/** Series by the minute, as `promtool test rules` writes them: `_` is a minute without a value. */
type Series = Record<string, string>;

interface Case {
  /** After 30 minutes. */
  fires: Series;
  /** What the alert tells of it. */
  labels?: Record<string, string>;
  silent: Series;
}

/** A counter that appears with its first occurrence, after 25 minutes; and one that has long been still. */
const FIRST = '_x25 1x10';
const LONG_AGO = '3x60';
const buckets = (name: string, below: string, all: string): Series => ({
  [`${name}_bucket{le="1"}`]: below,
  [`${name}_bucket{le="2.5"}`]: all,
  [`${name}_bucket{le="+Inf"}`]: all,
});

const CASES: Record<string, Case> = {
  DurableRunsBlocked: {
    // Still after half an hour, as long as it stands.
    fires: { 'durable_runs_standing{workflow="order",reason="exhausted"}': '1x60' },
    labels: { workflow: 'order', reason: 'exhausted' },
    silent: { 'durable_runs_standing{workflow="order",reason="exhausted"}': '1x20 _x40' },
  },
  DurableRunsFail: {
    fires: {
      'durable_runs_ended_total{workflow="order",status="completed"}': '0+9x60',
      'durable_runs_ended_total{workflow="order",status="failed"}': '0+1x60',
    },
    labels: { workflow: 'order' },
    silent: {
      'durable_runs_ended_total{workflow="order",status="completed"}': '0+99x60',
      'durable_runs_ended_total{workflow="order",status="failed"}': '0+1x60',
    },
  },
  DurableRunsWait: {
    fires: { 'durable_runs_due_age_seconds{workflow="order"}': '61x60' },
    labels: { workflow: 'order' },
    silent: { 'durable_runs_due_age_seconds{workflow="order"}': '59x60' },
  },
  DurableTasksWait: {
    fires: { 'durable_queue_age_seconds{group="billing"}': '61x60' },
    labels: { group: 'billing' },
    silent: { 'durable_queue_age_seconds{group="billing"}': '59x60' },
  },
  DurableStepsCrashWorkers: {
    fires: { 'durable_step_attempts_total{step="charge",outcome="lost"}': FIRST },
    labels: { step: 'charge' },
    silent: { 'durable_step_attempts_total{step="charge",outcome="lost"}': LONG_AGO },
  },
  DurableNoEngine: {
    fires: { 'durable_nodes{role="engine"}': '0x60' },
    silent: { 'durable_nodes{role="engine"}': '1x60' },
  },
  DurableLoopStands: {
    fires: { 'durable_loop_age_seconds{instance="a",loop="worker.claims 2"}': '61x60' },
    labels: { instance: 'a', loop: 'worker.claims 2' },
    silent: { 'durable_loop_age_seconds{instance="a",loop="retention"}': '3000x60' },
  },
  DurableErrors: {
    fires: { 'durable_errors_total{loop="engine"}': '0+10x60' },
    labels: { loop: 'engine' },
    silent: { 'durable_errors_total{loop="engine"}': '0+1x60' },
  },
  DurableOutboxLags: {
    fires: { 'durable_outbox_lag_age_seconds{destination="broker"}': '301x60' },
    labels: { destination: 'broker' },
    silent: { 'durable_outbox_lag_age_seconds{destination="broker"}': '20x60' },
  },
  DurableOutboxBlocked: {
    fires: { 'durable_outbox_blocked{destination="broker"}': '1x60' },
    labels: { destination: 'broker' },
    silent: { 'durable_outbox_blocked{destination="broker"}': '0x60' },
  },
  DurableOutboxDeadLetters: {
    fires: { 'durable_outbox_dead{destination="broker"}': '1x60' },
    labels: { destination: 'broker' },
    silent: { 'durable_outbox_dead{destination="broker"}': '0x60' },
  },
  DurableEffectsAbandoned: {
    fires: { 'durable_effects{handler="mail",status="abandoned"}': '1x60' },
    labels: { handler: 'mail' },
    silent: { 'durable_effects{handler="mail",status="failed"}': '5x60' },
  },
  DurableEffectsWait: {
    fires: { 'durable_effects_unclaimed_age_seconds{handler="mail"}': '301x60' },
    labels: { handler: 'mail' },
    silent: { 'durable_effects_unclaimed_age_seconds{handler="mail"}': '299x60' },
  },
  DurableScheduleFails: {
    fires: { 'durable_schedules_failures_total{workflow="order"}': FIRST },
    labels: { workflow: 'order' },
    silent: { 'durable_schedules_failures_total{workflow="order"}': LONG_AGO },
  },
  DurableSchedulesLate: {
    fires: { durable_schedules_late: '1x60' },
    silent: { durable_schedules_late: '0x60' },
  },
  DurableCommitsSlow: {
    fires: buckets('durable_commit_duration_seconds', '0+1x60', '0+10x60'),
    silent: buckets('durable_commit_duration_seconds', '0+10x60', '0+10x60'),
  },
  DurableRowsKept: {
    fires: { durable_db_horizon_age_seconds: '3601x60' },
    silent: { durable_db_horizon_age_seconds: '3599x60' },
  },
};

describe('the cases of alerts', () => {
  it('are of every alert', () => {
    const named = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(Object.keys(CASES)).toEqual(named);
  });
});

/** What Prometheus says of these series, each of which is to lead to no alert of this name. */
function judged(promtool: string, seriesOf: (one: Case) => Series): string {
  const folder = mkdtempSync(join(tmpdir(), 'durable-alerts-'));
  // Without texts: what matters is whether an alert fires, and for what.
  const rules = readFileSync(RULES, 'utf8').replaceAll(/ {8}annotations:\n( {10}.*\n)+/g, '');
  writeFileSync(join(folder, 'rules.yml'), rules);
  const tests = Object.entries(CASES).map(([alertname, one]) => ({
    interval: '1m',
    input_series: Object.entries(seriesOf(one)).map(([series, values]) => ({ series, values })),
    alert_rule_test: [{ eval_time: '30m', alertname }],
  }));
  // JSON is YAML.
  writeFileSync(join(folder, 'test.json'), JSON.stringify({ rule_files: ['rules.yml'], tests }));
  const { stdout, stderr } = spawnSync(promtool, ['test', 'rules', 'test.json'], { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return `${stdout}${stderr}`;
}

describeWithProgram('promtool', 'An alert', (promtool) => {
  it('is silent while nothing has happened', () => {
    expect(judged(promtool, ({ silent }) => silent)).toContain('SUCCESS');
  });

  it('fires, from the first occurrence on, and names what it is about', () => {
    const said = judged(promtool, ({ fires }) => fires);
    const found = new Map(
      said
        .split(/alertname: (?=\w+, time)/)
        .slice(1)
        .map((part): [string, string] => [/^\w+/.exec(part)![0], part]),
    );
    expect([...found.keys()]).toEqual(Object.keys(CASES));
    for (const [alertname, { labels }] of Object.entries(CASES))
      for (const [label, value] of Object.entries({ alertname, ...labels }))
        expect(found.get(alertname)).toContain(`${label}="${value}"`);
  });
});
