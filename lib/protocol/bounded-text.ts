/** In bytes of UTF-8: how much is kept of a text that no payload limit holds, such as the message of an error. */
export const LONGEST_TEXT = 65_536;

/** Room for the note that says how much was cut. */
const NOTE_BYTES = 48;

/**
 * The text, cut where it is longer than `most` bytes of UTF-8, and saying so at its end. Halves of surrogate pairs are
 * never left behind, and a text that was cut before is not cut again.
 */
export function boundedText(text: string, most = LONGEST_TEXT): string {
  // A character of JavaScript takes one to three bytes, so most texts need no count.
  if (text.length * 3 <= most) return text;
  if (text.length <= most && Buffer.byteLength(text) <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most - NOTE_BYTES));
  return `${text.slice(0, read)}… (cut: ${text.length - read} characters)`;
}
