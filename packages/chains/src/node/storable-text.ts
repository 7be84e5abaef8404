/**
 * Returns a text as it can be stored: it may repeat what a node or a contract said, and PostgreSQL takes neither U+0000 nor, in
 * JSON, the half of a character at which a text was cut.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
