import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { BrokenSealError } from '../errors/payload-errors.js';

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
const KEY_BYTES = 32;

/** Undefined for a text that is not sealed. */
export function readSealed(text: string): SealedText | undefined {
  const [, version, keyId, sealed] = FORM.exec(text) ?? [];
  if (keyId === undefined || sealed === undefined) return undefined;
  return { version: version as SealedText['version'], keyId, sealed };
}

/** The id of the key that has sealed this text; undefined if it is not sealed. */
export const sealingKeyOf = (text: string): string | undefined => readSealed(text)?.keyId;

/** Part of what is sealed: a text under another id or version does not open. */
const boundTo = (version: string, keyId: string): Buffer => Buffer.from(`durable.v${version}.${keyId}`);

/** Salt, ciphertext and tag: each text has a key of its own, so that one key can seal any number of them. */
export function seal(text: string, keyId: string, key: Buffer): string {
  const salt = randomBytes(SALT_BYTES);
  const about = boundTo('2', keyId);
  const own = derived(key, salt, about);
  const cipher = createCipheriv('aes-256-gcm', own.key, own.iv, { authTagLength: TAG_BYTES }).setAAD(about);
  const sealed = Buffer.concat([salt, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return JSON.stringify({ $sealed: `v2.${keyId}.${sealed.toString('base64url')}` });
}

/** @throws BrokenSealError */
export function unseal({ version, keyId, sealed }: SealedText, key: Buffer): string {
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
