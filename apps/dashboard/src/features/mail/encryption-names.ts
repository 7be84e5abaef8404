import { t } from '@lingui/core/macro'

/** The ways to encrypt in the order in which to prefer them. */
export function encryptionOptions() {
  return [
    { value: 'tls', label: t`TLS from the start (port 465)` },
    { value: 'starttls', label: t`STARTTLS, required (port 587)` },
    { value: 'none', label: t`None: anyone on the way can read` },
  ] as const
}

/** Names a way to encrypt. */
export function encryptionName(value: string): string {
  return encryptionOptions().find((option) => option.value === value)?.label ?? value
}
