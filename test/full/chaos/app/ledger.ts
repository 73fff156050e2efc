import { openSync, writeSync } from 'node:fs';
import { monotonicMs } from '../clock.js';

/** What a program of the suite says, outside of every database. */
export type Entry = Begin | End | Published | Called | Told;

interface Written {
  at: number;
  pid: number;
  by: string;
}

/** A body begins. `saw` is what it was told of the outcomes before it, by the labels of their steps. */
export interface Begin extends Written {
  what: 'begin';
  run: string;
  label: string;
  exec: string;
  attempt: number;
  saw: Record<string, string>;
}

export interface End extends Written {
  what: 'end';
  run: string;
  exec: string;
}

/** An event reached its publisher. */
export interface Published extends Written {
  what: 'published';
  channel: string;
  number: string;
  mark: string;
}

/** An effect is made. */
export interface Called extends Written {
  what: 'called';
  subject: string;
  ref: string;
  key: string;
  failed: boolean;
}

/** What must not be: a warning of Node, a rejection that nobody handled, an exception that nobody caught. */
export interface Told extends Written {
  what: 'warning' | 'rejection' | 'exception';
  text: string;
}

type Said<E> = E extends Written ? Omit<E, keyof Written> : never;

let file: number | undefined;

/** One line at the end of this process's file: it is there even if the process is killed right after. */
export function note(said: Said<Entry>): void {
  file ??= openSync(process.env['CHAOS_LEDGER'] ?? '/dev/null', 'a');
  const entry = { at: monotonicMs(), pid: process.pid, by: process.env['CHAOS_NAME'] ?? '', ...said };
  writeSync(file, `${JSON.stringify(entry)}\n`);
}
