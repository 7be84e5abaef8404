/** Sends the form "I already paid" by script: the server draws the answer, and only that is replaced on the page. */
export function sendQuestions(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['ask'] === undefined) return
    event.preventDefault()
    const region = document.getElementById('answer')
    const button = form.querySelector('button')
    if (region !== null && button !== null && !button.hasAttribute('aria-busy')) void ask(form, button, region)
  })
}

/** Keeps the element of the answer, because screen readers announce changes of an existing live region. */
async function ask(form: HTMLFormElement, button: HTMLElement, region: HTMLElement): Promise<void> {
  button.setAttribute('aria-busy', 'true')
  region.textContent = region.dataset['busy'] ?? ''
  const fresh = await send(form)
  const answer = fresh?.getElementById('answer')
  if (answer) {
    region.replaceChildren(...answer.childNodes)
    markFields(form, fresh)
  } else region.textContent = region.dataset['failed'] ?? ''
  button.removeAttribute('aria-busy')
}

async function send(form: HTMLFormElement): Promise<Document | undefined> {
  try {
    const fields = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    )
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(fields), cache: 'no-store' })
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  } catch {
    return undefined
  }
}

/** Copies the error attributes of each field from the server's answer. */
function markFields(form: HTMLFormElement, drawn: Document | undefined): void {
  const fields = [...form.querySelectorAll('input')]
  for (const field of fields) {
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = drawn?.getElementById(field.id)?.getAttribute(name) ?? null
      if (value === null) field.removeAttribute(name)
      else field.setAttribute(name, value)
    }
  }
  fields.find((field) => field.hasAttribute('aria-invalid'))?.focus()
}
