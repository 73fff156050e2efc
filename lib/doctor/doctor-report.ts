import type { CheckGroup, Finding, FindingLevel } from './check.js';

/** What a check has found. */
export interface CheckReport {
  readonly id: string;
  readonly group: CheckGroup;
  readonly meaning: string;
  /** The page of the documentation, relative to the package. */
  readonly page: string;
  /** `untold`: it could not be made. */
  readonly outcome: 'well' | 'found' | 'untold';
  readonly findings: readonly Finding[];
  /** Why it could not be made. */
  readonly reason?: string;
  /** Statements after which it can be made. */
  readonly mend?: readonly string[];
  readonly tookMs: number;
}

export interface DoctorReport {
  /** The kind and version of the server. */
  readonly server: string;
  readonly checks: readonly CheckReport[];
  /** The number of findings of each level, and of checks that could not be made. */
  readonly counts: Readonly<Record<FindingLevel | 'untold', number>>;
}

export function reportOf(server: string, checks: readonly CheckReport[]): DoctorReport {
  const findings = checks.flatMap((check) => check.findings);
  const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
  const untold = checks.filter(({ outcome }) => outcome === 'untold').length;
  return {
    server,
    checks,
    counts: { error: count('error'), warning: count('warning'), info: count('info'), untold },
  };
}

/** 1: an error was found. 2: something could not be told. 3: only warnings, if they count. 0: all is well. */
export function exitCodeOf({ counts }: DoctorReport, { strict = false } = {}): 0 | 1 | 2 | 3 {
  if (counts.error > 0) return 1;
  if (counts.untold > 0) return 2;
  return strict && counts.warning > 0 ? 3 : 0;
}
