import { PayloadTooLargeError, SerializationError } from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';

export interface PayloadLimits {
  /** The most bytes of one payload's JSON. */
  payloadBytes: number;
  /** `onLarge` is called for payloads with more bytes than this. */
  warnBytes?: number;
  onLarge?: (what: string, bytes: number) => void;
}

/** Encodes values as texts for the storage; throws for invalid values before anything is written. */
export class Payloads {
  constructor(
    readonly codec: Codec,
    private readonly limits: PayloadLimits,
  ) {}

  /** `what` names the value in errors. @throws SerializationError, PayloadTooLargeError */
  encode(value: unknown, what: string): string {
    const text = this.stringify(value, what);
    // A character takes at most 3 bytes, so short texts need no count.
    const { payloadBytes, warnBytes = payloadBytes, onLarge } = this.limits;
    const bytes = text.length * 3 <= Math.min(warnBytes, payloadBytes) ? 0 : Buffer.byteLength(text);
    if (bytes > payloadBytes) throw new PayloadTooLargeError(what, bytes, payloadBytes);
    if (bytes > warnBytes) onLarge?.(what, bytes);
    return text;
  }

  /** Like `encode`, for values sent to workers, where undefined is null. */
  encodeForWorker(value: unknown, what: string): string {
    return this.encode(value ?? null, what);
  }

  private stringify(value: unknown, what: string): string {
    try {
      return this.codec.encode(value);
    } catch (error) {
      throw new SerializationError(what, error instanceof Error ? error.message : String(error));
    }
  }
}
