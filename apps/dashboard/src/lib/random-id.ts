/** 128 bits, as a UUID has: enough that two intents never share a key. */
const BYTES = 16

/** Returns a fresh random id; works on plain http too, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
