import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { BrokenSealError, UnknownKeyError } from '../errors/payload-errors.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { type Codec, type CodecContext, jsonCodec } from '../protocol/codec.js';

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
   * The id of the key for a new value; undefined: the first of `keys`. It is asked only where nothing is known of an
   * input: later values of a run have the key of its input.
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
  /** Whether texts that are not sealed are read with `inner`, as rows from before. Default true. */
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
  /** Opens such data; what is not sealed is returned as it is. @throws UnknownKeyError, BrokenSealError */
  open(data: unknown): unknown;
}

const FORM = /^\{"\$sealed":\s*"v1\.([\w-]{1,64})\.([\w-]+)"\}$/;
const ID = /^[\w-]{1,64}$/;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Part of what is sealed: a text under another id or version does not open. */
const boundTo = (id: string): Buffer => Buffer.from(`durable.v1.${id}`);

/**
 * Encrypts what another codec writes, by AES-256-GCM. Each text names its key: `{"$sealed":"v1.<key id>.<base64url of
 * IV, ciphertext and tag>"}`.
 *
 * @throws InvalidArgumentError for keys that are none.
 * @example
 * DurableModule.forRoot({ codec: sealedCodec({ keys: [{ id: '2030-01', key: process.env['SEALING_KEY']! }] }) });
 */
export function sealedCodec(options: SealedCodecOptions): SealedCodec {
  const { keys, inner = jsonCodec, subjects, readsPlain = true } = checkedOptions(options, OPTIONS, 'sealedCodec');
  const known = knownKeys(keys);
  const [first] = known.keys();

  /** Later values belong to whom the input belongs to; a key that is rotated is no subject's. */
  const idFor = (context: CodecContext): string => {
    const ofInput = context.input === undefined ? undefined : keyIdIn(context.input);
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
    return JSON.stringify({ $sealed: `v1.${id}.${sealedWith(keyOf(id), id, inner.encode(value, context))}` });
  };
  const decode = (text: string, context?: CodecContext): unknown => {
    const [, id, sealed] = FORM.exec(text) ?? [];
    if (id !== undefined && sealed !== undefined) return inner.decode(openedWith(keyOf(id), id, sealed), context);
    if (!readsPlain) throw new SyntaxError('it is not sealed');
    return inner.decode(text, context);
  };
  return {
    encode,
    decode,
    seal: (value, context) => JSON.parse(encode(value, context)) as Sealed,
    open: (data) => (isSealed(data) ? decode(JSON.stringify(data)) : data),
  };
}

/** The id of the key that has sealed this text; undefined if it is not sealed. */
const keyIdIn = (text: string): string | undefined => FORM.exec(text)?.[1];

const isSealed = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && Object.keys(data).length === 1 && FORM.test(JSON.stringify(data));

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

function sealedWith(key: Buffer, id: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(id));
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function openedWith(key: Buffer, id: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new BrokenSealError(id);
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(id))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new BrokenSealError(id, { cause });
  }
}
