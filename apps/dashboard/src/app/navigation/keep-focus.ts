import { focusHeading } from '../../ui/overlays/restore-focus.ts'

/**
 * When what has the focus is taken away, such as a card that was dismissed or the form of the page before, the heading
 * gets it as soon as there is one: the next Tab does not begin at the top. Returns what ends this.
 */
export function keepFocus(): () => void {
  let holder: Element | null = null

  const onFocusIn = ({ target }: FocusEvent) => {
    holder = target instanceof Element ? target : null
  }
  // A blur of an element that still exists was wanted; only a removal blurs without intent.
  const onFocusOut = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (target === holder && holder?.isConnected === true) holder = null
    })
  // Later than what gives the focus to a place of its own.
  const look = () => {
    if (holder?.isConnected === false) setTimeout(() => holder?.isConnected === false && focusHeading())
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocusIn)
    document.removeEventListener('focusout', onFocusOut)
  }
}
