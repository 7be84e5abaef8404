/** Returns a set-up code as it is compared: people type it in any case, with or without dashes. */
export function normalizeSetupCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z2-9]/g, '')
}
