/** Under which processes tell each other that there are calls to make; the payload is a JSON list of handlers. */
export const EFFECTS_TOPIC = 'effects';
