/** The headline comes into focus on the customer's own step only: choosing, or taking a new price, in this tab. */
const STEPPED = 'kassa.checkout.stepped'

/** Scrolls to the headline of the page that follows "Continue". */
export function followSteps(): void {
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement && target.method === 'post' && target.dataset['ask'] === undefined) remember()
  })
  if (hasStepped()) document.getElementById('headline')?.focus({ preventScroll: true })
}

/** Storage may be switched off: then the page begins where it always does. */
function remember(): void {
  try {
    sessionStorage.setItem(STEPPED, 'true')
  } catch {
    // Nothing is lost.
  }
}

/** Once: a reloaded page does not scroll. */
function hasStepped(): boolean {
  try {
    const stepped = sessionStorage.getItem(STEPPED) !== null
    sessionStorage.removeItem(STEPPED)
    return stepped
  } catch {
    return false
  }
}
