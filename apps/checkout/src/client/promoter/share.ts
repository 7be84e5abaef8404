/** Offers to share the link where the browser can. */
export function answerShare(): void {
  const button = document.getElementById('share')
  if (button === null || typeof navigator.share !== 'function') return
  button.hidden = false
  button.addEventListener('click', () => {
    const { title = '', url = '' } = button.dataset
    // Closing the browser's own dialog is no failure.
    void navigator.share({ title, url }).catch(() => undefined)
  })
}
