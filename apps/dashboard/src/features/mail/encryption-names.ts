import { msg } from '@lingui/core/macro'
/** The ways to encrypt in the order in which to prefer them. */
export const ENCRYPTION_OPTIONS = [
  { value: 'tls', label: msg`TLS from the start (port 465)` },
  { value: 'starttls', label: msg`STARTTLS, required (port 587)` },
  { value: 'none', label: msg`None: anybody on the way can read` },
] as const

/** Names a way to encrypt. */
export function encryptionName(value: string): string {
  return ENCRYPTION_OPTIONS.find((option) => option.value === value)?.label ?? value
}
