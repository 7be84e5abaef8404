import { copyText } from '../../lib/clipboard.ts'

/**
 * Copies text that is still on its way and says whether that worked. The browser is asked while the press that started
 * it still counts as the operator's own; one that cannot wait is asked again when the text is there.
 */
export async function copyWhenReady(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((value) => new Blob([value], { type: 'text/plain' }))
    // A failing call is told by whoever made it; here it only means that there is nothing to copy.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return text.then(copyText, () => false)
  }
}
