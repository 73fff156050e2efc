#!/usr/bin/env node
import { styleText } from 'node:util';
import { sleep } from '../core/time.js';
import { runCli } from './cli.js';

/** Longer than any command runs. */
const HELD_MS = 2 ** 31 - 1;

// An idle process exits with success: an interrupted check must not look like one that found nothing. So the default
// exit code is 2, and the sleep keeps the process alive.
process.exitCode = 2;
void sleep(HELD_MS);

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')));

// Whoever reads may leave early, as `head` does. A change goes on without being told of; what only reads may end.
let isUnread = false;
let isLost = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE' && !isUnread) {
    isLost = true;
    console.error(`${painted('red', 'error:', process.stderr)} The results could not be written: ${message}`);
  }
  isUnread = true;
});
process.stderr.on('error', () => undefined);

/** `NO_COLOR` and `FORCE_COLOR` count; the types do not know the stream yet. */
const style = styleText as (format: Parameters<typeof styleText>[0], text: string, options: object) => string;

const painted = (format: Parameters<typeof styleText>[0], text: string, stream: NodeJS.WriteStream) =>
  style(format, text, { stream });

const out = (line: string) => void (isUnread || process.stdout.write(`${line}\n`));

void runCli(process.argv.slice(2), {
  env: process.env,
  out,
  err: (line) => console.error(line),
  input: process.stdin,
  asks: process.stdin.isTTY === true && process.stderr.isTTY === true,
  draws: process.stdout.isTTY === true,
  paint: (format, text) => painted(format, text, process.stdout),
  paintError: (format, text) => painted(format, text, process.stderr),
  interrupted: interruption.signal,
  isUnread: () => isUnread,
}).then((exitCode) => {
  // Exits even if the app could not be created or closed; after what failed to be written has told of it.
  const exit = () => setImmediate(() => process.stderr.write('', () => process.exit(isLost ? 2 : exitCode)));
  if (isUnread) exit();
  else process.stdout.write('', exit);
});
