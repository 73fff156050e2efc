import { type CheckReport, exitCodeOf, type Finding, reportOf } from '../../../lib/doctor/check.js';
import { DurableDoctor } from '../../../lib/doctor/doctor.js';

const about = { id: 'a', group: 'work', meaning: 'm', page: 'p', tookMs: 1 } as const;
const found = (...levels: Finding['level'][]): CheckReport => ({
  ...about,
  outcome: levels.length > 0 ? 'found' : 'well',
  findings: levels.map((level) => ({ level, text: 't', mend: [] })),
});
const untold: CheckReport = { ...about, outcome: 'untold', findings: [], reason: 'r' };

describe('The report of the doctor', () => {
  it.each([
    ['nothing', [found()], 0, 0],
    ['remarks', [found('info')], 0, 0],
    ['warnings', [found('warning', 'info')], 0, 3],
    ['errors', [found('warning'), found('error')], 1, 1],
    ['something that could not be told', [found('warning'), untold], 2, 2],
    ['errors, and something that could not be told', [found('error'), untold], 1, 1],
  ])('with %s ends the command with its exit code', (_, checks, code, strict) => {
    const report = reportOf('postgres', checks);
    expect(exitCodeOf(report)).toBe(code);
    expect(exitCodeOf(report, { strict: true })).toBe(strict);
  });

  it('is refused for an app without a database', async () => {
    const doctor = new DurableDoctor(undefined);
    await expect(doctor.examine()).rejects.toThrow(/this app has none/);
    expect(() => doctor.checks).toThrow(/this app has none/);
  });

  it('is refused for options that are not known', () => {
    expect(() => new DurableDoctor(undefined, { prefx: 'a' } as never)).toThrow(/did you mean "prefix"/);
  });
});
