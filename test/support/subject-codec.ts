import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Codec, type CodecContext, jsonCodec } from '../../lib/index.js';

/** AES-256-GCM with a key per customer, which every text names. Forgetting a key erases what was encoded with it. */
export class SubjectCodec implements Codec {
  readonly contexts: CodecContext[] = [];
  private readonly keys = new Map<string, Buffer>();
  private readonly forgotten = new Set<string>();

  encode(value: unknown, context: CodecContext = {}): string {
    this.contexts.push(context);
    const id = subjectOf(context);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(id), iv);
    const text = Buffer.concat([cipher.update(jsonCodec.encode(value)), cipher.final()]);
    return [id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
  }

  decode(stored: string): unknown {
    if (!/^[\w-]+(\.[\w-]+){3}$/.test(stored)) throw new SyntaxError(`not encrypted: ${stored}`);
    const [id = '', ...parts] = stored.split('.');
    const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer];
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(id), iv).setAuthTag(tag);
    return jsonCodec.decode(Buffer.concat([decipher.update(text), decipher.final()]).toString());
  }

  forget(id: string): void {
    this.forgotten.add(id);
  }

  remember(id: string): void {
    this.forgotten.delete(id);
  }

  private keyOf(id: string): Buffer {
    if (this.forgotten.has(id)) throw new Error(`The key of ${id} was forgotten`);
    const key = this.keys.get(id) ?? randomBytes(32);
    this.keys.set(id, key);
    return key;
  }
}

const subjectOf = ({ attributes, input, subject }: CodecContext): string =>
  String(attributes?.['customer'] ?? input?.split('.')[0] ?? subject ?? 'shared');
