#!/usr/bin/env node
import { sleep } from '../../time/sleep.js';
import { runCli } from './cli.js';

/** Longer than any command takes. */
const HELD_MS = 2 ** 31 - 1;

// A process in which nothing is left to wait for ends by itself, with success: a check that was cut short so must not
// pass for one that found nothing.
process.exitCode = 2;
void sleep(HELD_MS);
void runCli(process.argv.slice(2), {
  env: process.env,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}).then((exitCode) => {
  // An app that could not be made, or closed, must not keep the command from its end.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
});
