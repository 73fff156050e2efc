import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bucketsOf,
  feedMetrics,
  foldedGauges,
  type GaugeReading,
  type MetricName,
  MetricRegistry,
  METRICS,
  OTHER,
  prometheusName,
  prometheusText,
} from '../../../lib/core/metrics.js';
import { EVENT_NAMES, Telemetry } from '../../../lib/core/telemetry.js';
import { describeWithProgram } from '../../support/installed-programs.js';
import { ROOT } from '../../support/root.mjs';

const DOCS = join(ROOT, 'docs/');
const names = Object.keys(METRICS) as MetricName[];

/** A registry with a value of every counter and histogram, and one of every gauge. */
function everything(): { registry: MetricRegistry; gauges: GaugeReading[] } {
  const registry = new MetricRegistry();
  const gauges: GaugeReading[] = [];
  for (const name of names) {
    const attributes = Object.fromEntries(METRICS[name].attributes.map((one) => [one, 'a "quoted"\\\nname']));
    if (METRICS[name].kind === 'counter') registry.add(name as never, attributes);
    else if (METRICS[name].kind === 'histogram') registry.record(name as never, attributes, 0.02);
    else gauges.push({ name: name as never, attributes, value: 1.5 });
  }
  return { registry, gauges };
}

/** The series that Prometheus has of these metrics. */
const series = new Set(
  names.flatMap((name) => {
    const title = prometheusName(name);
    return METRICS[name].kind === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${title}_${part}`) : [title];
  }),
);

describe('the registry of metrics', () => {
  it('counts, and sorts values into buckets from 5 ms to one hour', () => {
    const registry = new MetricRegistry();
    registry.add('durable.runs.ended', { workflow: 'a', status: 'failed' });
    registry.add('durable.runs.ended', { workflow: 'a', status: 'failed' }, 2);
    for (const value of [0.001, 0.005, 0.3, 4_000])
      registry.record('durable.run.start.delay', { workflow: 'a' }, value);
    const text = prometheusText(registry, []);
    expect(text).toContain('durable_runs_ended_total{workflow="a",status="failed"} 3\n');
    const bucket = (le: string) =>
      new RegExp(`start_delay_seconds_bucket\\{workflow="a",le="${le}"\\} (\\d+)`).exec(text)![1];
    expect(['0.005', '0.25', '0.5', '3600', '\\+Inf'].map(bucket)).toEqual(['2', '2', '3', '3', '4']);
    expect(text).toContain('start_delay_seconds_count{workflow="a"} 4\n');
    const bounds = bucketsOf('durable.run.duration');
    expect([bounds[0], bounds.at(-1)]).toEqual([0.005, 3_600]);
  });

  it('keeps at most 200 values of an attribute, and counts the others together', () => {
    const registry = new MetricRegistry();
    for (let n = 0; n < 500; n++) registry.add('durable.runs.started', { workflow: `w${n}` });
    registry.add('durable.runs.started', { workflow: 'w7' });
    const counted = [...registry.counters.get('durable.runs.started')!.values()];
    expect(counted).toHaveLength(201);
    expect(counted.find(({ attributes }) => attributes['workflow'] === OTHER)!.value).toBe(300);
    expect(counted.find(({ attributes }) => attributes['workflow'] === 'w7')!.value).toBe(2);
  });

  it('reads the greatest 200 values of a gauge, and the others together: ages the oldest, numbers their sum', () => {
    const of = (name: 'durable.queue.depth' | 'durable.queue.age') =>
      Array.from({ length: 300 }, (_, n): GaugeReading => ({ name, attributes: { group: `g${n}` }, value: n + 1 }));
    const folded = foldedGauges([...of('durable.queue.depth'), ...of('durable.queue.age')]);
    expect(folded).toHaveLength(402);
    const others = folded.filter(({ attributes }) => attributes['group'] === OTHER);
    expect(others.map(({ name, value }) => [name, value])).toEqual([
      ['durable.queue.depth', (100 * 101) / 2],
      ['durable.queue.age', 100],
    ]);
    expect(folded.some(({ attributes }) => attributes['group'] === 'g299')).toBe(true);
  });

  it('takes no attributes but those of the metric', () => {
    const registry = new MetricRegistry();
    registry.add('durable.errors', { loop: 'engine', runId: 'r1' });
    expect(prometheusText(registry, [])).toContain('durable_errors_total{loop="engine"} 1\n');
  });
});

describe('what feeds the metrics', () => {
  it('listens to nothing before it begins, and to nothing after its end', () => {
    const telemetry = new Telemetry();
    const heard = () => EVENT_NAMES.filter((name) => telemetry.hears(name));
    expect(heard()).toEqual([]);
    const stop = feedMetrics(telemetry, new MetricRegistry());
    expect(heard()).toContain('run.left');
    stop();
    expect(heard()).toEqual([]);
  });

  it('tells failures, timeouts, crash loops and lost attempts apart', () => {
    const telemetry = new Telemetry();
    const registry = new MetricRegistry();
    feedMetrics(telemetry, registry);
    const task = { stepId: 'r:1', runId: 'r', name: 'charge', group: 'billing', attempt: 1 };
    telemetry.emit('task.claimed', { ...task, reclaimed: false, waitedMs: 400 });
    telemetry.emit('task.claimed', { ...task, reclaimed: true });
    telemetry.emit('task.completed', { ...task, durationMs: 20 });
    for (const code of ['STEP_TIMEOUT', 'crash_loop', 'DECLINED'])
      telemetry.emit('task.failed', { ...task, durationMs: 20, error: { message: 'secret', code } });
    telemetry.emit('task.deferred', { ...task, durationMs: 20, error: { message: 'secret' }, retryInMs: 1_000 });
    const text = prometheusText(registry, []);
    for (const outcome of ['lost', 'completed', 'timeout', 'crash_loop', 'failed', 'deferred'])
      expect(text).toContain(`durable_step_attempts_total{step="charge",outcome="${outcome}"} 1\n`);
    expect(text).toContain('durable_step_queue_duration_seconds_sum{step="charge",group="billing"} 0.4\n');
    expect(text).toMatch(
      /messaging_process_duration_seconds_count\{.*messaging_destination_name="billing",error_type="DECLINED"\} 1/,
    );
    expect(text).not.toContain('secret');
  });
});

describe('what each event adds', () => {
  const at = { stepId: 'r:1', runId: 'r', name: 'charge', group: 'billing', attempt: 1 };
  const call = { entryId: 'e', handler: 'mail', operation: 'o', attempt: 1 };
  const told = (emit: (telemetry: Telemetry) => void): string => {
    const telemetry = new Telemetry();
    const registry = new MetricRegistry();
    feedMetrics(telemetry, registry);
    emit(telemetry);
    return prometheusText(registry, []);
  };

  it.each<[string, (telemetry: Telemetry) => void, string]>([
    [
      'commits and their writes',
      (on) => on.emit('runs.committed', { writes: 7, durationMs: 20 }),
      'durable_commit_batch_bucket{le="10"} 1',
    ],
    [
      'a failed delivery',
      (on) =>
        on.emit('outbox.failed', { destination: 'd', channel: 'c', sequenceId: '1', error: 'secret', retryInMs: 1 }),
      'durable_outbox_failures_total{destination="d"} 1',
    ],
    [
      'a poisoned event',
      (on) =>
        on.emit('outbox.poisoned', {
          destination: 'd',
          channel: 'c',
          sequenceId: '1',
          error: 'secret',
          outcome: 'park',
        }),
      'durable_outbox_poisoned_total{destination="d",outcome="park"} 1',
    ],
    [
      'an abandoned call',
      (on) => on.emit('effects.abandoned', { ...call, error: 'secret' }),
      'durable_effect_attempts_total{handler="mail",outcome="abandoned"} 1',
    ],
    [
      'runs of a schedule',
      (on) => on.emit('schedule.fired', { scheduleId: 's', workflow: 'order', runIds: ['a', 'b'] }),
      'durable_schedules_fired_total{workflow="order"} 2',
    ],
    [
      'times of a schedule that began no run',
      (on) => on.emit('schedule.skipped', { scheduleId: 's', workflow: 'order', times: 3, runId: 'secret' }),
      'durable_schedules_skipped_total{workflow="order"} 3',
    ],
    [
      'a schedule that could not fire',
      (on) => on.emit('schedule.failed', { scheduleId: 's', workflow: 'order', error: new Error('secret') }),
      'durable_schedules_failures_total{workflow="order"} 1',
    ],
    [
      'errors of loops',
      (on) => on.emit('loop.error', { loop: 'engine', error: new Error('secret') }),
      'durable_errors_total{loop="engine"} 1',
    ],
    [
      'how a run began',
      (on) => on.emit('run.entered', { runId: 'r', workflow: 'order', version: 1, how: 'child', delayMs: 5 }),
      'durable_runs_started_total{workflow="order",how="child"} 1',
    ],
    [
      'runs that go on',
      (on) => on.emit('run.woken', { runId: 'r', workflow: 'order', by: 'timer', delayMs: 5 }),
      'durable_wake_delay_seconds_sum{by="timer"} 0.005',
    ],
    [
      'a crash loop, without a duration',
      (on) => on.emit('task.failed', { ...at, durationMs: 0, error: { message: 'secret', code: 'crash_loop' } }),
      'durable_step_attempts_total{step="charge",outcome="crash_loop"} 1',
    ],
  ])('%s', (_, emit, line) => {
    const text = told(emit);
    expect(text).toContain(`${line}\n`);
    expect(text).not.toContain('secret');
    if (line.includes('crash_loop')) expect(text).not.toContain('duration');
  });
});

describe('the dashboard and the alert rules', () => {
  const known = (text: string) =>
    [...new Set(text.match(/\b(?:durable|messaging)_[a-z_]+/g) ?? [])].filter(
      (name) => name !== 'messaging_destination_name',
    );

  it.each(['metrics/grafana.json', 'metrics/alerts.yml'])('%s names only metrics that exist', (file) => {
    const named = known(readFileSync(join(DOCS, file), 'utf8'));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !series.has(name))).toEqual([]);
  });

  it('the dashboard shows every metric', () => {
    const shown = new Set(known(readFileSync(join(DOCS, 'metrics/grafana.json'), 'utf8')));
    const isShown = (name: MetricName) =>
      ['', '_bucket', '_count'].some((part) => shown.has(prometheusName(name) + part));
    expect(names.filter((name) => !isShown(name))).toEqual([]);
  });

  it('the page lists every metric with its kind, unit and attributes', () => {
    const page = readFileSync(join(DOCS, 'metrics.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z._]+)` +\| ([a-z]+) +\| ([^|]+?) +\| ([^|]*?) *\|/gm)];
    const listed = rows.map(([, name, kind, unit, attributes = '']) => [
      name,
      kind,
      unit,
      [...attributes.matchAll(/`([^`]+)`/g)].map(([, one]) => one),
    ]);
    const declared = names.map((name) => {
      const { kind, unit, attributes } = METRICS[name];
      return [name, kind, unit === 's' ? 'seconds' : unit.slice(1, -1), [...attributes]];
    });
    expect(listed).toEqual(declared);
  });
});

describeWithProgram('promtool', 'Prometheus itself', (promtool) => {
  const run = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}` };
  };

  it('reads the text of all metrics, with names that have to be quoted, and finds nothing to complain about', () => {
    const { registry, gauges } = everything();
    expect(run(['check', 'metrics'], prometheusText(registry, gauges))).toEqual({ status: 0, said: '' });
  });

  it('accepts the alert rules', () => {
    expect(run(['check', 'rules', join(DOCS, 'metrics/alerts.yml')])).toMatchObject({ status: 0 });
  });

  it('parses every expression of the dashboard', () => {
    const { panels } = JSON.parse(readFileSync(join(DOCS, 'metrics/grafana.json'), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const exprs = panels.flatMap(({ targets = [] }) =>
      targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
    );
    expect(exprs.length).toBeGreaterThan(20);
    const rules = exprs.map((expr, n) => `      - record: panel:${n}\n        expr: ${JSON.stringify(expr)}\n`);
    const file = `groups:\n  - name: dashboard\n    rules:\n${rules.join('')}`;
    const folder = mkdtempSync(join(tmpdir(), 'durable-dashboard-'));
    writeFileSync(join(folder, 'rules.yml'), file);
    const checked = run(['check', 'rules', join(folder, 'rules.yml')]);
    rmSync(folder, { recursive: true });
    expect(checked).toMatchObject({ status: 0 });
  });
});
