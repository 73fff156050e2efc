import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_VERSION } from '../../../lib/core/protocol.js';
import { ROOT } from '../../support/root.mjs';

it('the version that processes sign in with is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(PACKAGE_VERSION).toBe(version);
});
