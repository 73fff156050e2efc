import { join } from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonCodec, sealedCodec, type SubjectKeys } from '../../../lib/index.js';
import { describeUnlessMissing } from '../../support/installed-programs.js';
import { ROOT } from '../../support/root.mjs';

const older = { id: '2029-07', key: randomBytes(32) };
const newer = { id: '2030-01', key: randomBytes(32).toString('base64') };
const VALUE = { who: 'Ada', at: new Date(0), n: 1n, text: 'ünö 😀' };

const keyOf = (text: string): string | undefined => /"v2\.([\w-]+)\./.exec(text)?.[1];

describe('sealedCodec', () => {
  const codec = sealedCodec({ keys: [newer, older] });

  it('seals what its inner codec writes: JSON that names its key and shows nothing', () => {
    const text = codec.encode(VALUE);
    expect(JSON.parse(text)).toEqual({ $sealed: expect.stringMatching(/^v2\.2030-01\.[\w-]+$/) as string });
    expect(text).not.toContain('Ada');
    expect(codec.decode(text)).toEqual(VALUE);
    expect(codec.encode(VALUE)).not.toBe(text);
    for (const value of [null, undefined, '', 0, { $sealed: 'v1.x.y' }])
      expect(codec.decode(codec.encode(value))).toEqual(value);
  });

  it('seals with its first key, and opens with all: keys are rotated', () => {
    const before = sealedCodec({ keys: [older] }).encode(VALUE);
    expect(keyOf(before)).toBe('2029-07');
    expect(codec.decode(before)).toEqual(VALUE);
    expect(keyOf(codec.encode(VALUE))).toBe('2030-01');
    // Also for a run whose input was sealed with the older one.
    expect(keyOf(codec.encode(VALUE, { input: before }))).toBe('2030-01');
  });

  it('says which key is not known', () => {
    const text = codec.encode(VALUE);
    expect(() => sealedCodec({ keys: [older] }).decode(text)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_KEY', keyId: '2030-01' }) as Error,
    );
  });

  it('notices every change, also of the id of the key', () => {
    const text = codec.encode(VALUE);
    const { $sealed } = JSON.parse(text) as { $sealed: string };
    const body = Buffer.from($sealed.split('.')[2]!, 'base64url');
    const broken = expect.objectContaining({ code: 'BROKEN_SEAL' }) as Error;
    for (const at of [0, 13, body.length - 1]) {
      const changed = Buffer.from(body);
      changed[at]! ^= 1;
      expect(() => codec.decode(JSON.stringify({ $sealed: `v2.2030-01.${changed.toString('base64url')}` }))).toThrow(
        broken,
      );
    }
    expect(() => codec.decode(JSON.stringify({ $sealed: 'v2.2030-01.AAAA' }))).toThrow(broken);
    const same = sealedCodec({ keys: [newer, { id: 'other', key: newer.key }] });
    expect(() => same.decode(text.replace('v2.2030-01', 'v2.other'))).toThrow(broken);
  });

  it('derives a key for each text, and reads texts of version 1, which have the key itself', () => {
    const key = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex');
    const known = sealedCodec({ keys: [{ id: 'k', key }] });
    const first = '{"$sealed":"v1.k.VUsGoHC7r0pGQfTJDoMNLP4d8B-MSszNkPik2i7QX17BxhYwweDpNU8"}';
    expect(known.decode(first)).toEqual({ who: 'Ada' });
    expect(() => known.decode(first.replace('v1', 'v2'))).toThrow(
      expect.objectContaining({ code: 'BROKEN_SEAL' }) as Error,
    );
    const { $sealed } = JSON.parse(known.encode({ who: 'Ada' })) as { $sealed: string };
    const body = Buffer.from($sealed.split('.')[2]!, 'base64url');
    const derived = Buffer.from(hkdfSync('sha256', key, body.subarray(0, 16), 'durable.v2.k', 44));
    const opens = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32));
    opens.setAAD(Buffer.from('durable.v2.k')).setAuthTag(body.subarray(-16));
    expect(Buffer.concat([opens.update(body.subarray(16, -16)), opens.final()]).toString()).toBe('{"who":"Ada"}');
  });

  it('reads rows from before, unless it is told not to', () => {
    expect(codec.decode(jsonCodec.encode(VALUE))).toEqual(VALUE);
    expect(() => sealedCodec({ keys: [newer], readsPlain: false }).decode('{"a":1}')).toThrow(SyntaxError);
    expect(() => codec.decode('NaN')).toThrow(SyntaxError);
  });

  it('has a key per subject: whoever forgets it has erased what it sealed', () => {
    const keys = new Map([['ada', randomBytes(32)]]);
    const subjects: SubjectKeys = {
      idOf: ({ attributes }) => attributes?.['customer'] as string | undefined,
      keyOf: (id) => keys.get(id),
    };
    const personal = sealedCodec({ keys: [newer], subjects });
    const input = personal.encode(VALUE, { attributes: { customer: 'ada' } });
    expect(keyOf(input)).toBe('ada');
    // Later values of the run have the key of its input.
    const output = personal.encode('out', { runId: 'r', input });
    expect(keyOf(output)).toBe('ada');
    expect(keyOf(personal.encode(VALUE))).toBe('2030-01');
    expect(personal.decode(output)).toBe('out');
    keys.delete('ada');
    const gone = expect.objectContaining({ code: 'UNKNOWN_KEY', keyId: 'ada' }) as Error;
    expect(() => personal.decode(input)).toThrow(gone);
    expect(() => personal.encode('more', { input })).toThrow(gone);
    expect(() => personal.encode('more', { attributes: { customer: 'ada@example.org' } })).toThrow(/letters, digits/);
  });

  it('seals and opens the data of events', () => {
    const data = codec.seal(VALUE);
    expect(Object.keys(data)).toEqual(['$sealed']);
    expect(codec.open(data)).toEqual(VALUE);
    for (const plain of [null, 'a', { a: 1 }, { $sealed: 1 }, { ...data, more: 1 }])
      expect(codec.open(plain)).toEqual(plain);
  });

  it('that reads nothing plain opens nothing plain, but what is not there', () => {
    const strict = sealedCodec({ keys: [newer], readsPlain: false });
    for (const plain of ['a', { a: 1 }, { $sealed: 1 }, { ...codec.seal(VALUE), more: 1 }])
      expect(() => strict.open(plain)).toThrow(expect.objectContaining({ code: 'UNREADABLE_PAYLOAD' }) as Error);
    expect([strict.open(null), strict.open(strict.seal(VALUE))]).toEqual([null, VALUE]);
  });

  it.each([
    [{ keys: [] }, /at least one key/],
    [{ keys: [{ id: 'a', key: 'short' }] }, /32 bytes/],
    [{ keys: [{ id: 'a b', key: randomBytes(32) }] }, /letters, digits/],
    [{ keys: [older, older] }, /another id for each key/],
    [{ keys: [older], kyes: 1 }, /did you mean "keys"/],
  ])('refuses %j', (options, message) => {
    expect(() => sealedCodec(options as never)).toThrow(message);
  });
});

const PYTHON = '/usr/bin/python3';
const PAGE = join(ROOT, 'docs/encryption.md');
const hasLibrary = spawnSync(PYTHON, ['-c', 'import cryptography']).status === 0;
const NO_LIBRARY = hasLibrary ? undefined : `${PYTHON} has no cryptography; run .ci/programs`;

describeUnlessMissing('Python', NO_LIBRARY, 'The Python of docs/encryption.md', () => {
  const [, code = ''] = /```py\n(.*?)```/s.exec(readFileSync(PAGE, 'utf8')) ?? [];
  const run = (more: string, ...args: string[]) =>
    execFileSync(PYTHON, ['-c', `import sys\n${code}\n${more}`, ...args], { encoding: 'utf8' }).trim();
  const keys = `{"2030-01": base64.b64decode(sys.argv[1])}`;

  it('reads what we seal, seals what we read, and notices changes', () => {
    const codec = sealedCodec({ keys: [newer] });
    const text = codec.encode({ who: 'Ädá 😀', n: [1, 2] });
    expect(run(`print(json.dumps(unseal(sys.argv[2], ${keys})))`, newer.key, text)).toBe(
      '{"who": "\\u00c4d\\u00e1 \\ud83d\\ude00", "n": [1, 2]}',
    );
    const theirs = run(`print(seal({"words": 7, "who": "Ädá"}, "2030-01", ${keys}))`, newer.key);
    expect(codec.decode(theirs)).toEqual({ words: 7, who: 'Ädá' });
    expect(run(`print(unseal('{"a": 1}', ${keys}))`, newer.key)).toBe("{'a': 1}");
    expect(run(`print(key_id_in(sys.argv[2]))`, newer.key, text)).toBe('2030-01');
    const broken = `try:\n  unseal(sys.argv[2].replace("v2.2030-01", "v2.x"), {"x": base64.b64decode(sys.argv[1])})\nexcept InvalidTag:\n  print("broken")`;
    expect(run(broken, newer.key, text)).toBe('broken');
    const first = '{"$sealed":"v1.k.VUsGoHC7r0pGQfTJDoMNLP4d8B-MSszNkPik2i7QX17BxhYwweDpNU8"}';
    const key = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex').toString('base64');
    expect(run(`print(unseal(sys.argv[2], {"k": base64.b64decode(sys.argv[1])}))`, key, first)).toBe("{'who': 'Ada'}");
  });
});
