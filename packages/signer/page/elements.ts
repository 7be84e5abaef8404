/** Finds an element of the page. @throws Error when there is none */
export function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${id}`)
}

/** Shows a text; an empty text hides its element. */
export function say(id: string, text: string): void {
  const place = element(id, HTMLElement)
  place.textContent = text
  place.hidden = text === ''
}

/** Runs the action of a button, and shows on the page what went wrong. */
export function onPress(id: string, run: () => void): void {
  element(id, HTMLButtonElement).addEventListener('click', () => {
    say('problem', '')
    try {
      run()
    } catch (error) {
      say('problem', error instanceof Error ? error.message : String(error))
    }
  })
}
