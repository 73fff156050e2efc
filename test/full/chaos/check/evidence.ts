import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Begin, Called, Entry, Published, Told } from '../app/ledger.js';
import type { ChaosServer, Row } from '../chaos-server.js';
import { grouped } from '../grouped.js';
import { KINDS } from '../kinds/all-kinds.js';
import type { Kind, RunRow, StepRow, Story } from '../kinds/kind.js';
import { scheduled } from '../kinds/scheduled.js';
import type { Asked } from '../load.js';

/** What consumers have seen of an event. */
export interface Seen {
  position: number;
  channel: string;
  number: bigint;
  mark: string;
  n: number | null;
}

/** Everything that the checks look at, read once at the end. */
export interface Evidence {
  /** By kind. */
  stories: ReadonlyMap<Kind, Story[]>;
  asked: readonly Asked[];
  begun: Begin[];
  ended: ReadonlyMap<string, number>;
  published: Published[];
  told: Told[];
  seen: Seen[];
}

export async function evidenceOf(server: ChaosServer, folder: string, asked: readonly Asked[]): Promise<Evidence> {
  const ledger = ledgerIn(folder);
  const begun = ledger.filter((entry) => entry.what === 'begin');
  const ended = new Map(ledger.flatMap((entry) => (entry.what === 'end' ? [[entry.exec, entry.at] as const] : [])));
  const called = ledger.filter((entry) => entry.what === 'called');
  const seen = await server.query('SELECT position, channel, number, mark, n FROM chaos_seen ORDER BY position');
  return {
    stories: await storiesOf(server, asked, { begun, ended, called }),
    asked,
    begun,
    ended,
    published: ledger.filter((entry) => entry.what === 'published'),
    told: ledger.filter((entry) => ['warning', 'rejection', 'exception'].includes(entry.what)) as Told[],
    seen: seen.map(({ position, channel, number, mark, n }) => ({
      position: Number(position),
      channel: String(channel),
      mark: String(mark),
      number: BigInt(number as string),
      n: n === null ? null : Number(n),
    })),
  };
}

/** All programs wrote, in the order of the machine's clock. The last line of one that was killed may be cut off. */
export function ledgerIn(folder: string): Entry[] {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.ledger.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const entries = lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
  return entries.sort((a, b) => a.at - b.at);
}

interface Ledger {
  begun: Begin[];
  ended: ReadonlyMap<string, number>;
  called: Called[];
}

async function storiesOf(server: ChaosServer, asked: readonly Asked[], ledger: Ledger): Promise<Map<Kind, Story[]>> {
  const runs = new Map(
    (await server.query('SELECT * FROM durable_runs')).map((row) => [String(row['id']), runOf(row)]),
  );
  const steps = grouped(await server.query('SELECT * FROM durable_steps ORDER BY run_id, seq'), ({ run_id }) =>
    String(run_id),
  );
  const rows = grouped(await server.query('SELECT * FROM chaos_rows ORDER BY position'), ({ run_id }) =>
    String(run_id),
  );
  const done = grouped(await server.query('SELECT subject FROM chaos_done'), ({ subject }) => String(subject));
  const orders = new Set((await server.query('SELECT id FROM chaos_orders')).map(({ id }) => id));
  const begun = grouped(ledger.begun, ({ run }) => String(run));
  const called = grouped(ledger.called, ({ subject }) => String(subject));
  const all = [...asked, ...scheduledRuns(runs)];
  const stories = all.map(({ id, kind, plan, answer, answers }) => {
    const story: Story = {
      id,
      plan,
      answer,
      answers,
      run: runs.get(id),
      ended: ledger.ended,
      hasOrder: orders.has(id),
      steps: (steps.get(id) ?? []).map(stepOf),
      bodies: begun.get(id) ?? [],
      rows: (rows.get(id) ?? []).map((row) => ({
        position: Number(row['position']),
        label: String(row['label']),
        exec: String(row['exec']),
      })),
      calls: called.get(id) ?? [],
      completions: done.get(id)?.length ?? 0,
    };
    return { kind, story };
  });
  return new Map(
    KINDS.map((kind) => [kind, stories.filter((each) => each.kind === kind).map(({ story }) => story)] as const),
  );
}

/** Begun by nobody: the schedule does it. */
const scheduledRuns = (runs: ReadonlyMap<string, RunRow>): Asked[] =>
  [...runs.values()]
    .filter(({ workflow }) => workflow === scheduled.name)
    .map(({ id }) => ({ id, kind: scheduled, plan: { input: null }, answer: id, answers: [] }));

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

const runOf = (row: Row): RunRow => ({
  id: String(row['id']),
  workflow: String(row['workflow']),
  status: String(row['status']),
  output: parsed(row['output']),
  error: parsed(row['error']) as RunRow['error'],
  reason: row['reason'] === null ? null : [row['reason'], row['reason_detail']].join(': '),
  createdAt: Number(row['created_at']),
  finishedAt: row['finished_at'] === null ? null : Number(row['finished_at']),
});

const stepOf = (row: Row): StepRow => ({
  seq: Number(row['seq']),
  name: String(row['name']),
  kind: String(row['kind']),
  status: String(row['status']),
  settled: row['settled'] === null ? null : Number(row['settled']),
  output: parsed(row['output']),
});
