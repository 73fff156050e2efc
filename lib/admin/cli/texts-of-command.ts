import { type Codec, type CodecContext, jsonCodec } from '../../protocol/codec.js';
import { sealingKeyOf } from '../../sealing/sealed-text.js';
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

  /** Nobody can tell without the codec. */
  protected override isOfCodec(): boolean {
    return true;
  }
}

/** Whether the app has no codec: the default one can read it, and it is not sealed. */
function isPlain(text: string | undefined): boolean {
  try {
    if (text !== undefined) jsonCodec.decode(text);
    return text !== undefined && sealingKeyOf(text) === undefined;
  } catch {
    return false;
  }
}
