import { i18n } from '@lingui/core'
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
  const name = `${label.charAt(0).toLocaleUpperCase(i18n.locale)}${label.slice(1)}`
  return t({
    id: 'spec.copied',
    message: `${name} Copied!`,
    comment: 'The name stands as in a list; where it would have to be bent, write “Copied: {name}”.',
  })
}

/** The specification's sentence for a copy that did not work; the label stands as it is written in a sentence. */
export function copyFailedText(label: string): string {
  return t({
    id: 'spec.copyFailed',
    message: `Failed to copy ${label}`,
    comment: 'The label stands as in a list; where it would have to be bent, write “Not copied: {label}”.',
  })
}

/**
 * Copies text that is still on its way and says whether that worked. The browser is asked while the press that started
 * it still counts as the operator's own; one that cannot wait is asked again when the text is there.
 */
export async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }))
    // The caller reports a failed call; here it only means that there is nothing to copy.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return text.then(copyText, () => false)
  }
}
