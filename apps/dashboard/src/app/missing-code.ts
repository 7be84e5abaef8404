/** Longer than a page that is being left lives on. */
const LEAVING_MS = 1000

/**
 * A deployment takes away the files of the pages that are open. Where one is missing the page is loaded once more, if the
 * server has another; a file that is missing again shows as a fault. The router does the same for whole pages, which
 * is why the entry is made first: the two must not take turns.
 */
export function reloadOnMissingCode(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    const entry = `reloaded: ${payload.message}`
    if (sessionStorage.getItem(entry) !== null) return
    sessionStorage.setItem(entry, 'yes')
    void isServed().then((served) => {
      if (served) window.location.reload()
      // Nobody answers, unless the page is being left: another try may reload.
      else setTimeout(() => sessionStorage.removeItem(entry), LEAVING_MS)
    })
  })
}

/** Whether the program itself answers; a proxy that says 502 during a deployment would take the page's place. */
async function isServed(): Promise<boolean> {
  return fetch('/', { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
