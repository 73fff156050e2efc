import { parseArgs } from 'node:util';

export type DatabaseName = 'postgres' | 'mysql' | 'mariadb';

export type OrmName = 'typeorm' | 'mikro-orm';

export interface ChaosArguments {
  databases: DatabaseName[];
  /** How long faults are made; checking comes after that. */
  minutes: number;
  seed: number;
  /** Names of faults; empty for all. */
  only: string[];
  /** Runs begun per second and database. */
  rate: number;
  /** Of all programs. Undefined: some have the one, some the other. */
  orm?: OrmName;
}

const ORMS: readonly string[] = ['typeorm', 'mikro-orm'];
const DATABASES: readonly string[] = ['postgres', 'mysql', 'mariadb'];

const number = (name: string, text: string, least: number): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw new Error(`--${name} is "${text}": pass a number of at least ${least}`);
};

const listed = (text: string): string[] => text.split(',').filter((part) => part !== '');

/** @throws Error that says what to pass. */
export function chaosArguments(args: readonly string[]): ChaosArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      database: { type: 'string', default: 'postgres,mariadb' },
      only: { type: 'string', default: '' },
      rate: { type: 'string', default: '6' },
      orm: { type: 'string' },
    },
  });
  const databases = listed(values.database);
  const unknown = databases.find((name) => !DATABASES.includes(name));
  if (unknown !== undefined || databases.length === 0)
    throw new Error(`--database is "${values.database}": pass some of ${DATABASES.join(', ')}`);
  if (values.orm !== undefined && !ORMS.includes(values.orm))
    throw new Error(`--orm is "${values.orm}": pass one of ${ORMS.join(', ')}`);
  return {
    databases: databases as DatabaseName[],
    minutes: number('minutes', values.minutes, 0),
    seed: number('seed', values.seed, 0),
    only: listed(values.only),
    rate: number('rate', values.rate, 0.1),
    ...(values.orm !== undefined && { orm: values.orm as OrmName }),
  };
}

/** What repeats a run. */
export const commandOf = ({ databases, minutes, seed, only, rate, orm }: ChaosArguments): string =>
  `npm run test:chaos -- --minutes ${minutes} --seed ${seed} --database ${databases.join(',')} --rate ${rate}` +
  (orm === undefined ? '' : ` --orm ${orm}`) +
  (only.length > 0 ? ` --only ${only.join(',')}` : '');
