import { announceFor } from './view.ts'

/** The specification's time for such messages. */
const SHOWN_MS = 5000

/** How long the pressed button itself shows what became of it; the status stands at the foot of a phone's page. */
const MARK_MS = 2000

/** Answers the copy buttons, also those of views drawn later. */
export function answerCopies(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (button !== null) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: text = '', copied = '', failed = '' } = button.dataset
  try {
    await navigator.clipboard.writeText(text)
    answer(button, 'done', copied)
  } catch {
    answer(button, 'undone', failed)
  }
}

const marks = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

/** Says it in the status region, where it is heard, and beside the button, where it is seen. */
function answer(button: HTMLElement, mark: 'done' | 'undone', words: string): void {
  const { dataset } = button
  announceFor(words, SHOWN_MS)
  clear(dataset)
  dataset[mark] = words
  clearTimeout(marks.get(button))
  marks.set(
    button,
    setTimeout(() => clear(dataset), MARK_MS),
  )
}

function clear(dataset: DOMStringMap): void {
  delete dataset['done']
  delete dataset['undone']
}
