import { randomBytes } from 'node:crypto';
import { TextsOfCommand } from '../../../lib/cli/operator-command.js';
import { type Codec, type CodecContext, jsonCodec, StoredTexts, UnreadablePayload } from '../../../lib/core/codec.js';
import { sealedCodec } from '../../../lib/core/sealing.js';
import { combinedWithCause, parseWireError } from '../../../lib/core/wire-error.js';
import { TERMINATED } from '../../../lib/engine/control.js';

/** Not secret, but unreadable enough to find what it left out. */
const hex: Codec = {
  encode: (value) => Buffer.from(jsonCodec.encode(value)).toString('hex'),
  decode: (text) => jsonCodec.decode(Buffer.from(text, 'hex').toString()),
};
const broken: Codec = {
  encode: () => {
    throw new Error('no key');
  },
  decode: () => {
    throw new Error('no key');
  },
};

const ANY = expect.any(String) as string;

const thrown = Object.assign(new TypeError('secret', { cause: new Error('secret cause') }), { code: 'DECLINED' });

describe('texts with the default codec', () => {
  const texts = new StoredTexts(jsonCodec);

  it('stay plain', () => {
    const line = { level: 'info', message: 'a', fields: '{"b":1}' } as const;
    expect(texts.error(thrown)).toMatchObject({ message: 'secret', cause: { message: 'secret cause' } });
    expect([texts.text('open'), texts.line(line), texts.readLine(line)]).toEqual(['open', line, line]);
    expect(texts.readText('sealed:00')).toBe('sealed:00');
    expect(texts.answer('{"message":"m","extra":1}')).toBe('{"message":"m","extra":1}');
    expect(texts.readValue('NaN')).toBe('NaN');
  });
});

describe('texts with a codec of the app', () => {
  const texts = new StoredTexts(hex);

  it('an error keeps the form of the contract, and reads as it was', () => {
    const stored = texts.error(thrown);
    expect(stored).toEqual({
      message: 'Sealed by the codec of the app',
      name: 'TypeError',
      code: 'DECLINED',
      sealed: ANY,
    });
    expect(texts.open(parseWireError(JSON.stringify(stored)))).toEqual(new StoredTexts(jsonCodec).error(thrown));
  });

  it('names and codes that may be data are not plain', () => {
    const odd = Object.assign(new Error('x'), { name: 'Error of Ada Lovelace', code: 'a b' });
    expect(texts.error(odd)).toEqual({ message: ANY, sealed: ANY });
    expect(texts.open(texts.error(odd))).toMatchObject({ name: 'Error of Ada Lovelace', code: 'a b' });
  });

  it('the error of a foreign worker is sealed once', () => {
    const stored = texts.answer('{"message":"secret","code":"E","retryable":false}');
    expect(JSON.parse(stored!)).toMatchObject({ code: 'E', retryable: false });
    expect(stored).not.toContain('secret');
    expect(texts.answer(stored)).toBe(stored);
    expect(texts.open(parseWireError(stored))).toEqual({ message: 'secret', code: 'E', retryable: false });
  });

  it('the reason why a failed compensation was needed is sealed apart, so that it can be taken out', () => {
    const stored = combinedWithCause(texts.error(thrown), texts.error(new Error('declined')));
    expect(texts.open(stored)).toMatchObject({
      message: 'secret',
      cause: { message: 'declined' },
      errors: [{ message: 'secret cause' }],
    });
    expect(texts.open(stored.cause!)).toMatchObject({ message: 'declined' });
  });

  it('status and lines are sealed, and older plain ones stay readable', () => {
    const line = { level: 'info', message: 'secret', fields: '{"b":"secret"}' } as const;
    const stored = texts.line(line);
    expect(JSON.stringify([stored, texts.text('secret')])).not.toContain('secret');
    expect(texts.readLine(stored)).toEqual(line);
    expect(texts.readText(texts.text('secret'))).toBe('secret');
    expect(texts.readText('plain')).toBe('plain');
  });

  it('what cannot be decoded says so, to people; to code it is an error', () => {
    const stored = texts.error(thrown);
    const others = new StoredTexts(broken);
    expect(others.readable(stored)).toMatchObject({
      code: 'DECLINED',
      message: 'Not readable with the codec of the app: no key',
    });
    expect(() => others.open(stored)).toThrow('no key');
    expect(others.readText(texts.text('a'))).toMatch(/^Not readable/);
    expect(others.readLine(texts.line({ level: 'info', message: 'a', fields: null })).message).toMatch(/^Not readable/);
    expect(others.readValue('x')).toEqual(new UnreadablePayload('no key'));
  });

  it('what cannot be encoded is not stored, and nothing is thrown', () => {
    const others = new StoredTexts(broken);
    const stored = [
      others.error(thrown),
      others.text('secret'),
      others.line({ level: 'info', message: 'secret', fields: null }),
    ];
    expect(stored[0]).toMatchObject({ code: 'DECLINED' });
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('of the error of a worker that has sealed it, nothing else stays', () => {
    const { sealed } = texts.error(thrown);
    const foreign = { message: 'Ada', name: 'Error of Ada', code: 'E', stack: 'at Ada', errors: [{ message: 'Ada' }] };
    const stored = texts.answer(JSON.stringify({ ...foreign, retryable: false, sealed }));
    expect(JSON.parse(stored!)).toEqual({ message: ANY, code: 'E', retryable: false, sealed });
    expect(texts.isPlain(JSON.stringify({ ...foreign, sealed }))).toBe(true);
    expect(texts.isPlain(stored)).toBe(false);
    expect(texts.open(parseWireError(stored))).toMatchObject({ message: 'secret' });
  });

  it('a sealed text that is not of the codec is none', () => {
    const json: Codec = { ...jsonCodec };
    const stored = new StoredTexts(json).answer('{"message":"Ada","sealed":"not JSON"}');
    expect(stored).not.toContain('not JSON');
    expect(new StoredTexts(json).open(parseWireError(stored))).toEqual({ message: 'Ada' });
    expect(new StoredTexts(broken).isPlain(JSON.stringify(texts.error(new Error('a'))))).toBe(false);
  });

  it('a codec that reads nothing plain refuses whatever is plain, but our own fixed texts', () => {
    const strict = new StoredTexts({ ...hex, readsPlain: false });
    const line = { level: 'info', message: 'forged', fields: '{"b":1}' } as const;
    expect(() => strict.open({ message: 'forged' })).toThrow(SyntaxError);
    const shown = [
      strict.readText('forged'),
      strict.readLine(line),
      strict.readable({ message: 'forged', stack: 'forged', cause: { message: 'forged' } }),
      strict.answer('{"message":"forged","code":"forged","retryable":false}'),
    ];
    expect(JSON.stringify(shown)).not.toContain('forged');
    const answered = parseWireError(strict.answer('{"message":"forged","retryable":false}'));
    expect(strict.open(answered)).toMatchObject({ code: 'UNREADABLE_PAYLOAD', retryable: false });
    expect(strict.open(TERMINATED)).toEqual(TERMINATED);
    expect(strict.open(parseWireError(null)).message).toMatch(/without an error/);
    for (const sealed of [strict.text('a'), strict.line(line).message])
      expect(strict.readText(sealed)).not.toBe(sealed);
    expect(strict.open(strict.error(thrown))).toMatchObject({ message: 'secret' });
  });

  it('a command, which has no codec, stores plain errors only for apps without one', () => {
    const command = new TextsOfCommand();
    const stored = (input: string) => command.answer('{"message":"Ada","code":"E"}', { input });
    expect(stored(jsonCodec.encode({ a: 1 }))).toContain('Ada');
    const sealed = sealedCodec({ keys: [{ id: 'k', key: randomBytes(32) }] });
    for (const input of [sealed.encode(1), hex.encode({})])
      expect(stored(input)).toMatch(/^\{"message":"Not stored.*"E"\}$/);
    const own = JSON.stringify(texts.error(thrown));
    expect(command.answer(own)).toBe(own);
  });

  it('the codec is told what is known', () => {
    const contexts: (CodecContext | undefined)[] = [];
    const spy: Codec = { ...hex, encode: (value, context) => (contexts.push(context), hex.encode(value)) };
    const context = { workflow: 'order', runId: 'r' };
    const spied = new StoredTexts(spy);
    spied.error(thrown, context);
    spied.text('a', context);
    spied.line({ level: 'info', message: 'a', fields: null }, context);
    expect(contexts).toEqual([context, context, context]);
  });
});
