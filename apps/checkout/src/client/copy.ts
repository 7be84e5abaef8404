import { sayFor } from './view.ts'

/** The specification's time for such messages. */
const SHOWN_MS = 5000

/** How long the pressed button itself shows that it worked; the words stand at the foot of a phone's page. */
const TICK_MS = 2000

/** Answers the copy buttons, also those of views drawn later. */
export function answerCopies(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (button !== null) void copy(button)
  })
}

async function copy({ dataset }: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(dataset['copy'] ?? '')
    sayFor(dataset['copied'] ?? '', SHOWN_MS)
    dataset['done'] = ''
    setTimeout(() => delete dataset['done'], TICK_MS)
  } catch {
    sayFor(dataset['failed'] ?? '', SHOWN_MS)
  }
}
