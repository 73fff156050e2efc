import root from '../../jest.config.mjs';

const [, , { globalSetup, globalTeardown, transform, extensionsToTreatAsEsm, moduleNameMapper }] = root.projects;

/** What `npm run test:stacks` runs: minutes, and the packed package. */
export default {
  rootDir: '../..',
  testEnvironment: 'node',
  roots: ['<rootDir>/test/stacks'],
  testMatch: ['<rootDir>/test/stacks/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/test/stacks/apps'],
  // An install waits for the disk as long as a build waits for the processor.
  maxWorkers: 2,
  testTimeout: 300_000,
  globalSetup,
  globalTeardown,
  transform,
  extensionsToTreatAsEsm,
  moduleNameMapper,
};
