import { PayloadTooLargeError, SerializationError } from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';

export interface PayloadLimits {
  /** The most bytes of one payload's JSON. */
  payloadBytes: number;
  /** From how many on `onLarge` is told. */
  warnBytes?: number;
  onLarge?: (what: string, bytes: number) => void;
}

/** Turns values into texts fit to be stored, or says why not before anything is written. */
export class Payloads {
  constructor(
    readonly codec: Codec,
    private readonly limits: PayloadLimits,
  ) {}

  /** `what` names the value in errors. @throws SerializationError, PayloadTooLargeError */
  encode(value: unknown, what: string): string {
    const text = this.stringify(value, what);
    // A character is at most 3 bytes here, so short texts need no count.
    const { payloadBytes, warnBytes = payloadBytes, onLarge } = this.limits;
    const bytes = text.length * 3 <= Math.min(warnBytes, payloadBytes) ? 0 : Buffer.byteLength(text);
    if (bytes > payloadBytes) throw new PayloadTooLargeError(what, bytes, payloadBytes);
    if (bytes > warnBytes) onLarge?.(what, bytes);
    return text;
  }

  /** The same for what travels to workers, where undefined and null are one. */
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
