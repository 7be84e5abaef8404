/**
 * A deployment takes away the files of the pages that are open. Where one is missing the page is loaded once more, if a
 * server answers at all; a file that is missing again shows as a fault.
 */
export function reloadOnMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const entry = `reloaded: ${payload.message}`
    if (sessionStorage.getItem(entry) !== null) return
    void fetch('/', { method: 'HEAD' }).then(
      () => {
        sessionStorage.setItem(entry, 'yes')
        window.location.reload()
      },
      () => undefined,
    )
  })
}
