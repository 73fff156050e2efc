/** Whether a channel is the one named, or begins with what stands before a trailing `*`. */
export const matchesChannel = (pattern: string, channel: string): boolean =>
  pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern;
