import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Codec, type CodecContext, jsonCodec } from './codec.js';
import { BrokenSealError, InvalidArgumentError, UnknownKeyError, UnreadablePayloadError } from './errors.js';
import { checkedOptions, type KnownOptions } from './options.js';

/** A key of 32 bytes, or the same as base64. */
export type SealingKey = Uint8Array | string;

export interface NamedKey {
  /** Stands in every text that the key seals: up to 64 letters, digits, `_` and `-`. */
  id: string;
  key: SealingKey;
}

/** Keys of single subjects, for example customers: whoever forgets one has erased what it sealed, in backups, too. */
export interface SubjectKeys {
  /**
   * The id of the key for a new value; undefined: the first of `keys`. It is asked where a run starts with attributes,
   * and where nothing is known of an input: later values of a run have the key of its input, and so have its children
   * unless their own attributes name another one.
   */
  idOf(context: CodecContext): string | undefined;
  /** The key with this id; undefined once it is forgotten. Called at every value, so keep keys in memory. */
  keyOf(id: string): SealingKey | undefined;
}

export interface SealedCodecOptions {
  /** The first seals, all open. To rotate, put a new one before the others. */
  keys: readonly NamedKey[];
  /** Turns values into texts. Default {@link jsonCodec}. */
  inner?: Codec;
  subjects?: SubjectKeys;
  /**
   * Whether texts that are not sealed are read with `inner`, as rows from before, and plain errors, statuses and log
   * lines as they are. Default true.
   */
  readsPlain?: boolean;
}

const OPTIONS = { keys: true, inner: true, subjects: true, readsPlain: true } satisfies Record<
  keyof KnownOptions<SealedCodecOptions>,
  true
>;

/** A sealed value as JSON data. */
export interface Sealed {
  readonly $sealed: string;
}

export interface SealedCodec extends Codec {
  /** Seals a value for the `data` of an event, which no codec reaches. @throws UnknownKeyError */
  seal(value: unknown, context?: CodecContext): Sealed;
  /**
   * Opens such data. What is not sealed is returned as it is, unless the codec reads nothing plain.
   *
   * @throws UnknownKeyError, BrokenSealError, UnreadablePayloadError
   */
  open(data: unknown): unknown;
}

const ID = /^[\w-]{1,64}$/;
const KEY_BYTES = 32;

/**
 * Encrypts what another codec writes, by AES-256-GCM, with a key for each text that is derived from yours. Each text names
 * your key: `{"$sealed":"v2.<key id>.<base64url of salt, ciphertext and tag>"}`.
 *
 * @throws InvalidArgumentError for keys that are none.
 * @example
 * DurableModule.forRoot({ codec: sealedCodec({ keys: [{ id: '2030-01', key: process.env['SEALING_KEY']! }] }) });
 */
export function sealedCodec(options: SealedCodecOptions): SealedCodec {
  const { keys, inner = jsonCodec, subjects, readsPlain = true } = checkedOptions(options, OPTIONS, 'sealedCodec');
  const known = knownKeys(keys);
  const [first] = known.keys();

  /** A start says whose run it is; later values belong to whom the input belongs to. A key that is rotated is no subject's. */
  const idFor = (context: CodecContext): string => {
    const ofStart = context.attributes && subjects?.idOf(context);
    if (ofStart !== undefined) return ofStart;
    const ofInput = context.input === undefined ? undefined : sealingKeyOf(context.input);
    if (ofInput !== undefined && !known.has(ofInput)) return ofInput;
    return subjects?.idOf(context) ?? first!;
  };
  const keyOf = (id: string): Buffer => {
    const key = known.get(id) ?? (subjects && asked(id, subjects));
    if (!key) throw new UnknownKeyError(id);
    return key;
  };
  const encode = (value: unknown, context: CodecContext = {}): string => {
    const id = idFor(context);
    return seal(inner.encode(value, context), id, keyOf(id));
  };
  const decode = (text: string, context?: CodecContext): unknown => {
    const sealed = readSealed(text);
    if (sealed) return inner.decode(unseal(sealed, keyOf(sealed.keyId)), context);
    if (!readsPlain) throw new SyntaxError('it is not sealed');
    return inner.decode(text, context);
  };
  const open = (data: unknown): unknown => {
    if (isSealed(data)) return decode(JSON.stringify(data));
    if (readsPlain || data === null || data === undefined) return data;
    throw new UnreadablePayloadError('The data');
  };
  return { readsPlain, encode, decode, seal: (value, context) => JSON.parse(encode(value, context)) as Sealed, open };
}

const isSealed = (data: unknown): boolean =>
  typeof data === 'object' &&
  data !== null &&
  Object.keys(data).length === 1 &&
  sealingKeyOf(JSON.stringify(data)) !== undefined;

const isList = (keys: readonly NamedKey[]): boolean => Array.isArray(keys);

function knownKeys(keys: readonly NamedKey[]): ReadonlyMap<string, Buffer> {
  if (!isList(keys) || keys.length === 0)
    throw new InvalidArgumentError('keys', undefined, 'at least one key: { id, key }');
  const known = new Map<string, Buffer>();
  for (const { id, key } of keys) {
    checkId(id);
    if (known.has(id)) throw new InvalidArgumentError('keys', id, 'another id for each key');
    known.set(id, bytesOf(id, key));
  }
  return known;
}

function asked(id: string, subjects: SubjectKeys): Buffer | undefined {
  checkId(id);
  const key = subjects.keyOf(id);
  return key === undefined ? undefined : bytesOf(id, key);
}

function checkId(id: unknown): void {
  if (typeof id !== 'string' || !ID.test(id))
    throw new InvalidArgumentError(
      'The id of a key',
      id,
      'up to 64 letters, digits, _ and -: it is stored unencrypted',
    );
}

/** Never quotes the key. */
function bytesOf(id: string, key: SealingKey): Buffer {
  const bytes = typeof key === 'string' ? Buffer.from(key, 'base64') : Buffer.from(key ?? []);
  if (bytes.length !== KEY_BYTES)
    throw new InvalidArgumentError(`The key "${id}"`, `${bytes.length} bytes`, `${KEY_BYTES} bytes, or their base64`);
  return bytes;
}

/** What a text says of itself: how it is sealed, with which key, and the sealed bytes as base64url. */
interface SealedText {
  version: '1' | '2';
  keyId: string;
  sealed: string;
}

const FORM = /^\{"\$sealed":\s*"v([12])\.([\w-]{1,64})\.([\w-]+)"\}$/;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Undefined for a text that is not sealed. */
function readSealed(text: string): SealedText | undefined {
  const [, version, keyId, sealed] = FORM.exec(text) ?? [];
  if (keyId === undefined || sealed === undefined) return undefined;
  return { version: version as SealedText['version'], keyId, sealed };
}

/** The id of the key that has sealed this text; undefined if it is not sealed. */
export const sealingKeyOf = (text: string): string | undefined => readSealed(text)?.keyId;

/** Part of what is sealed: a text under another id or version does not open. */
const boundTo = (version: string, keyId: string): Buffer => Buffer.from(`durable.v${version}.${keyId}`);

/** Salt, ciphertext and tag: each text has a key of its own, so that one key can seal any number of them. */
function seal(text: string, keyId: string, key: Buffer): string {
  const salt = randomBytes(SALT_BYTES);
  const about = boundTo('2', keyId);
  const own = derived(key, salt, about);
  const cipher = createCipheriv('aes-256-gcm', own.key, own.iv, { authTagLength: TAG_BYTES }).setAAD(about);
  const sealed = Buffer.concat([salt, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ $sealed: `v2.${keyId}.${sealed.toString('base64url')}` });
}

/** @throws BrokenSealError */
function unseal({ version, keyId, sealed }: SealedText, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const head = version === '1' ? IV_BYTES : SALT_BYTES;
  if (bytes.length < head + TAG_BYTES) throw new BrokenSealError(keyId);
  const about = boundTo(version, keyId);
  const first = bytes.subarray(0, head);
  const own = version === '1' ? { key, iv: first } : derived(key, first, about);
  const decipher = createDecipheriv('aes-256-gcm', own.key, own.iv, { authTagLength: TAG_BYTES })
    .setAAD(about)
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(head, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new BrokenSealError(keyId, { cause });
  }
}

function derived(key: Buffer, salt: Buffer, about: Buffer): { key: Buffer; iv: Buffer } {
  const both = Buffer.from(hkdfSync('sha256', key, salt, about, KEY_BYTES + IV_BYTES));
  return { key: both.subarray(0, KEY_BYTES), iv: both.subarray(KEY_BYTES) };
}
