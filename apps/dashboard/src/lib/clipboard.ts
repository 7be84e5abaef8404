import { t } from '@lingui/core/macro'

/** Copies text and says whether it worked; a browser without the permission or the API answers false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The specification's sentence for a copy that worked; the label starts with a capital letter. */
export function copiedText(label: string): string {
  const name = `${label.charAt(0).toUpperCase()}${label.slice(1)}`
  return t({ id: 'spec.copied', message: `${name} Copied!` })
}

/** The specification's sentence for a copy that did not work; the label stands as it is written in a sentence. */
export function copyFailedText(label: string): string {
  return t({ id: 'spec.copyFailed', message: `Failed to copy ${label}` })
}
