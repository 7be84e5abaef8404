/** The key under which the last chosen asset is stored on this device. */
const LAST_ASSET = 'kassa.checkout.last'

/** Selects the option chosen last on this device. */
export function restoreChoice(): void {
  const chooseView = document.querySelector('[data-state="choose"]')
  const last = chooseView === null ? null : read()
  const radio = last === null ? null : document.getElementById(`asset-${last}`)
  if (radio instanceof HTMLInputElement && !radio.disabled) radio.checked = true
}

/** Stores each choice that is submitted, and filters the list while the payer types. */
export function listenToChoices(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['choice'] === undefined) return
    const asset = new FormData(form).get('asset')
    if (typeof asset === 'string') write(asset)
  })
  document.addEventListener('input', (event) => {
    const field = event.target
    if (field instanceof HTMLInputElement && field.dataset['filter'] !== undefined) filterOptions(field)
  })
}

function filterOptions(field: HTMLInputElement): void {
  const words = field.value.toLowerCase().split(/\s+/)
  for (const row of field.form?.querySelectorAll<HTMLElement>('[data-words]') ?? []) {
    row.hidden = !words.every((word) => row.dataset['words']?.includes(word))
  }
}

/** Storage may be switched off; choosing works without it. */
function read(): string | null {
  try {
    return localStorage.getItem(LAST_ASSET)
  } catch {
    return null
  }
}

function write(asset: string): void {
  try {
    localStorage.setItem(LAST_ASSET, asset)
  } catch {
    // Nothing is lost: the list starts with the recommended option.
  }
}
