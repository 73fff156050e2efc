#!/usr/bin/env node
import { sleep } from '../../time/sleep.js';
import { runCli } from './cli.js';

/** Longer than any command runs. */
const HELD_MS = 2 ** 31 - 1;

// An idle process exits with success: an interrupted check must not look like one that found nothing. So the default
// exit code is 2, and the sleep keeps the process alive.
process.exitCode = 2;
void sleep(HELD_MS);
void runCli(process.argv.slice(2), {
  env: process.env,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}).then((exitCode) => {
  // Exits even if the app could not be created or closed.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
});
