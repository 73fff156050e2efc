/** How many bytes a text takes as a value within JSON: that is how rows travel to the database. */
export const quotedBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 4 : Buffer.byteLength(JSON.stringify(text));
