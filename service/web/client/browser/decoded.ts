/** A part of an address without its percent-encoding; as it stands, if that is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
