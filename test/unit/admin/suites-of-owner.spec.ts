import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BY_ROWS, NEEDS_OWNER } from '../../support/suites-of-owner.js';
import { isUnderRoles } from '../../support/role-of-tests.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the suites of the foundation that have the rights of the owner', () => {
  it.each(Object.entries({ ...NEEDS_OWNER, ...BY_ROWS }))('%s is there, and has a reason: %s', (file, reason) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(reason).toMatch(/\w/);
  });
  it('are few: the others have those of roles', () => {
    const suites = ['engine/steps', 'sql/left-open', 'transport/transport'];
    for (const suite of suites) expect(isUnderRoles(join(ROOT, `test/integration/${suite}.spec.ts`))).toBe(true);
    expect(isUnderRoles(join(ROOT, 'test/integration/engine/plans.spec.ts'))).toBe(false);
    expect(isUnderRoles(join(ROOT, 'test/integration/outbox/oracle.spec.ts'))).toBe(false);
  });
});
