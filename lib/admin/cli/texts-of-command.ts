import { type Codec, type CodecContext, jsonCodec } from '../../protocol/codec.js';
import { StoredTexts } from '../../protocol/stored-texts.js';
import type { WireError } from '../../protocol/wire-error.js';

/** A command does not know the codec of the app. */
const NO_CODEC: Codec = {
  ...jsonCodec,
  encode: () => {
    throw new TypeError('A command has no codec');
  },
};

/** Of an error that no engine has recorded, only name and code stay, unless its run shows that the app has no codec. */
export class TextsOfCommand extends StoredTexts {
  constructor() {
    super(NO_CODEC);
  }

  override seal(wire: WireError, context?: CodecContext): WireError {
    return isPlain(context?.input) ? wire : super.seal(wire, context);
  }
}

/** Whether the default codec can read it. */
function isPlain(text: string | undefined): boolean {
  try {
    if (text !== undefined) jsonCodec.decode(text);
    return text !== undefined;
  } catch {
    return false;
  }
}
