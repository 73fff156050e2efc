import type { FindingLevel } from '../doctor/check.js';
import type { DoctorReport } from '../doctor/doctor-report.js';
import { type Clock, stopwatch } from '../time/clock.js';

/** What the overview says of the last examination. */
export interface RecentExamination {
  counts: DoctorReport['counts'];
  /** The errors and warnings, worst first. */
  findings: { check: string; level: FindingLevel; text: string }[];
  /** How long ago, in ms. */
  ageMs: number;
}

/** Overviews that are looked at have the database examined this often. */
const RECENT_MS = 600_000;
const MOST_FINDINGS = 10;

/** Examines the database for those who ask: whoever asks while it is examined gets the same report. */
export class Examination {
  private current: Promise<DoctorReport> | undefined;
  private last: { report: DoctorReport; at: number } | undefined;

  constructor(
    private readonly doctor: { examine: () => Promise<DoctorReport> },
    private readonly elapsed: Clock = stopwatch,
  ) {}

  /** @throws as `DurableDoctor.examine` */
  report(): Promise<DoctorReport> {
    this.current ??= this.examined().finally(() => (this.current = undefined));
    return this.current;
  }

  /** A summary of the last report, if it is younger than ten minutes, else of a new one. @throws as `report` */
  async recent(): Promise<RecentExamination> {
    if (!this.last || this.elapsed.now() - this.last.at > RECENT_MS) await this.report();
    const { report, at } = this.last!;
    return { counts: report.counts, findings: worstOf(report), ageMs: Math.round(this.elapsed.now() - at) };
  }

  private async examined(): Promise<DoctorReport> {
    const report = await this.doctor.examine();
    this.last = { report, at: this.elapsed.now() };
    return report;
  }
}

function worstOf({ checks }: DoctorReport): RecentExamination['findings'] {
  const all = checks.flatMap(({ id, findings }) => findings.map(({ level, text }) => ({ check: id, level, text })));
  const of = (wanted: FindingLevel) => all.filter(({ level }) => level === wanted);
  return [...of('error'), ...of('warning')].slice(0, MOST_FINDINGS);
}
