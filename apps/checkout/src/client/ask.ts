/** Sends the question about a transaction by script; the server draws the answer, the page stays as it is. */
export function answerQuestions(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset['ask'] === undefined) return
    event.preventDefault()
    const region = document.getElementById('answer')
    const button = form.querySelector('button')
    if (region !== null && button !== null && !button.hasAttribute('aria-busy')) void ask(form, button, region)
  })
}

/** The region stays, so that a screen reader hears what comes into it. */
async function ask(form: HTMLFormElement, button: HTMLElement, region: HTMLElement): Promise<void> {
  button.setAttribute('aria-busy', 'true')
  region.textContent = region.dataset['busy'] ?? ''
  const fresh = await send(form)
  const answer = fresh?.getElementById('answer')
  if (answer) {
    region.replaceChildren(...answer.childNodes)
    markField(form, fresh?.getElementById('tx-hash') ?? null)
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

/** The field says what is wrong with it in the words of the answer. */
function markField(form: HTMLFormElement, drawn: HTMLElement | null): void {
  const field = form.querySelector<HTMLElement>('#tx-hash')
  for (const name of ['aria-invalid', 'aria-describedby']) {
    const value = drawn?.getAttribute(name) ?? null
    if (value === null) field?.removeAttribute(name)
    else field?.setAttribute(name, value)
  }
  if (field?.hasAttribute('aria-invalid')) field.focus()
}
