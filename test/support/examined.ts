import { runCli } from '../../lib/cli/cli.js';
import type { CheckReport } from '../../lib/doctor/check.js';
import { type DoctorOptions, DurableDoctor } from '../../lib/doctor/doctor.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import type { FreshDatabase } from './fresh-database.js';

/** What one check says. */
export async function checked(executor: SqlExecutor, id: string, options: DoctorOptions = {}): Promise<CheckReport> {
  const { checks } = await new DurableDoctor(executor, options).examine({ only: [id] });
  return checks[0]!;
}

/** The texts of what it found, one per line, each with its level. */
export const saidBy = ({ findings, reason }: CheckReport): string =>
  [
    ...findings.map(({ level, text }) => `${level}: ${text}`),
    ...(reason === undefined ? [] : [`untold: ${reason}`]),
  ].join('\n');

/** Runs what the findings print, as somebody does who copies it. */
export async function mend({ findings, mend: untold = [] }: CheckReport, on: FreshDatabase): Promise<void> {
  for (const text of [...findings.flatMap((finding) => finding.mend), ...untold]) {
    if (text.startsWith('npx nest-durable ')) await command(text, on);
    else await on.script(text);
  }
}

async function command(text: string, { url }: FreshDatabase): Promise<void> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const args = text.split(' ').slice(2);
  const code = await runCli(args, { env: { DATABASE_URL: url }, out: print, err: print });
  if (code !== 0) throw new Error(`${text} ended with ${code}: ${lines.join('\n')}`);
}
