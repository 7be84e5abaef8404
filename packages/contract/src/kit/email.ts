/** E-mail addresses, without the schema library, because the sign-in page does not load it. */

/** One address, without a display name or quotes. */
export const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+\.[^\s@"<>()[\]\\,;:.]+$/

/** The longest address (RFC 5321, 4.5.3.1.3). */
export const LONGEST_EMAIL = 254

export const EMAIL_INVALID = 'Enter a valid e-mail address'

/** Returns text trimmed, in NFC, without control characters other than line breaks. */
export function cleanText(text: string): string {
  return (
    text
      .normalize('NFC')
      // oxlint-disable-next-line no-control-regex -- these are the characters that are taken out
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
      .trim()
  )
}

/** Whether text is an e-mail address as every form of Kassa understands it. */
export function isEmail(value: string): boolean {
  return EMAIL.test(value)
}
