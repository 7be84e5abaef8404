const HEXADECIMAL = /^(0x)?[0-9a-f]+$/i

/** The one spelling of a transaction or block id: hexadecimal in lower case, anything else as the chain prints it. */
export function canonicalId(text: string): string {
  return HEXADECIMAL.test(text) ? text.toLowerCase() : text
}
