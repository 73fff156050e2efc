import { readFileSync } from 'node:fs';
import { PACKAGE_VERSION } from '../../../lib/core/protocol.js';

it('the version that processes sign in with is that of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(PACKAGE_VERSION).toBe(version);
});
