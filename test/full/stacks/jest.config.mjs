import root from '../../../jest.config.mjs';
import { COMPILED } from '../../support/root.mjs';

const [, databases] = root.projects;

/** What `npm run test:stacks` runs: minutes, and the packed package. */
export default {
  ...databases,
  rootDir: COMPILED,
  testMatch: ['<rootDir>/test/full/stacks/*.spec.js'],
  // An install waits for the disk as long as a build waits for the processor.
  maxWorkers: 2,
};
