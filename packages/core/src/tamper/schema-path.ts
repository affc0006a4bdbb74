/** Maps a place in an object to its place in the schema. */

/** Returns a JSON Pointer with `*` for every index of an array and every id of an event. */
export function schemaPath(path: string): string {
  return path.replace(/\/(\d+|sev_[0-9a-z]{26})(?=\/|$)/g, "/*");
}
