#!/usr/bin/env node
import { runCli } from './cli.js';

void runCli(process.argv.slice(2), {
  url: process.env['DATABASE_URL'],
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}).then((exitCode) => {
  // An app that could not be made, or closed, must not keep the command from its end.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
});
