import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../support/root.mjs';

/** Words that once stood for something in code and tables, and what says it now. One idea has one word. */
const GONE: Readonly<Record<string, string>> = {
  alongside: 'after the commit, or in its transaction',
  announce: 'after the commit',
  bury: 'dead-letter',
  buried: 'dead-lettered',
  burial: 'dead-lettering',
  companion: 'background service',
  courier: 'deliverer',
  edge: 'dependency',
  errand: 'delivery',
  gate: 'precondition',
  lane: 'limiter',
  pen: 'run writer',
  place: 'permit of a limiter, turn of a key, position, ordinal',
  receipts: 'acknowledgement batcher',
  recall: 'revocation',
  rehearsal: 'replay check',
  rehearse: 'check a replay',
  slot: 'shard of the channels (only what limits how much goes on at once is a slot)',
  ticket: 'limit request',
  tie: 'notifies',
  tied: 'notifies',
  trail: 'audit log',
  turnstile: 'semaphore',
};

/** How much goes on at once in a process; and those of the replication of PostgreSQL. */
const HAS_SLOTS = /^lib\/(worker\/|effects\/runner|doctor\/server-checks)/;

const PROSE = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$|\b(in|takes?|the|its) (the )?place\b/gm;

const wordsOf = (identifier: string): string[] =>
  identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');

const singular = (word: string): string[] => [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y')];

/** The old words among the identifiers of a text, whatever their case and number. */
export function goneWordsIn(text: string): string[] {
  const identifiers = text.replaceAll(PROSE, ' ').match(/[A-Za-z_][\w]*/g) ?? [];
  const found = identifiers.filter((name) =>
    wordsOf(name).some((word) => singular(word).some((one) => Object.hasOwn(GONE, one))),
  );
  return [...new Set(found)];
}

const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => `${folder}/${file}`);

/** The name of a file, as an identifier. */
const nameOf = (file: string): string => basename(file).replaceAll(/[-.]/g, '_');

describe('the words of the house', () => {
  it('finds old words in names of any case and number, and in columns; not in comments', () => {
    const text = "// a lane\nconst lanes = laneOf(run_edges, 'lane_key'); /* a place */ planes; acknowledgement;";
    expect(goneWordsIn(text)).toEqual(['lanes', 'laneOf', 'run_edges', 'lane_key']);
  });

  it('has none of the old ones among identifiers, columns, tables and files', () => {
    const said = filesOf('lib', /(?<!\.generated)\.ts$/).flatMap((file) =>
      [...goneWordsIn(readFileSync(join(ROOT, file), 'utf8')), ...goneWordsIn(nameOf(file))]
        .filter((name) => !(HAS_SLOTS.test(file) && /slot/i.test(name)))
        .map((name) => `${file}: ${name}`),
    );
    expect(said).toEqual([]);
  });

  it('has none of them in the schemas that were reviewed', () => {
    const schemas = readdirSync(join(ROOT, 'test')).filter((file) => /^schema\..*\.sql$/.test(file));
    expect(schemas.flatMap((file) => goneWordsIn(readFileSync(join(ROOT, 'test', file), 'utf8')))).toEqual([]);
  });
});
