/** What was paid with last on this device. */
const LAST = 'kassa.checkout.last'

/** Presses the option used last on this device, and lets the filter narrow the list. */
export function restoreChoice(): void {
  const headline = document.querySelector('[data-state="choose"]')
  const last = headline === null ? null : read()
  const radio = last === null ? null : document.getElementById(`asset-${last}`)
  if (radio instanceof HTMLInputElement && !radio.disabled) radio.checked = true
}

/** Remembers each choice that is sent, and answers the filter. */
export function rememberChoices(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['choice'] === undefined) return
    const asset = new FormData(form).get('asset')
    if (typeof asset === 'string') write(asset)
  })
  document.addEventListener('input', (event) => {
    const field = event.target
    if (field instanceof HTMLInputElement && field.dataset['filter'] !== undefined) narrow(field)
  })
}

function narrow(field: HTMLInputElement): void {
  const words = field.value.toLowerCase().split(/\s+/)
  for (const row of field.form?.querySelectorAll<HTMLElement>('[data-words]') ?? []) {
    row.hidden = !words.every((word) => row.dataset['words']?.includes(word))
  }
}

/** Storage may be switched off; choosing works without it. */
function read(): string | null {
  try {
    return localStorage.getItem(LAST)
  } catch {
    return null
  }
}

function write(asset: string): void {
  try {
    localStorage.setItem(LAST, asset)
  } catch {
    // Nothing is lost: the list starts with the recommended option.
  }
}
