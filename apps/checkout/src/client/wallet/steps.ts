import type { WalletTexts } from '../../render/panels/wallet.ts'
import { texts } from './pending-request.ts'
import { Stopped } from './wallet.ts'
import { isLatest, isTransferPending, newAttempt } from './attempts.ts'

/** The element that announces a step, and which step it is. */
export type Place = { readonly steps: HTMLElement; readonly attempt: number }

/** Something that can be pressed next. */
export type Press = {
  readonly text: string
  readonly press: (place: Place) => Promise<void>
  readonly off?: boolean
  readonly icon?: string
}

/** What wallets answer (EIP-1193, EIP-1474, and TIP-1193 alike), by the text that says so. */
const TEXTS = new Map<number | undefined, keyof WalletTexts>([
  [4001, 'declined'],
  [4100, 'locked'],
  [-32_002, 'busy'],
])

/** Begins a turn, unless a transfer waits in a wallet; whatever fails in it is said. */
export async function run(steps: HTMLElement, act: (place: Place) => Promise<void>): Promise<void> {
  if (isTransferPending()) return draw(steps, texts().asking)
  const place = { steps, attempt: newAttempt() }
  for (const one of steps.querySelectorAll('button')) one.disabled = true
  try {
    await act(place)
  } catch (thrown) {
    const text = thrown instanceof Stopped ? thrown.text : (TEXTS.get(codeOf(thrown)) ?? 'failed')
    showStep(place, texts()[text])
  }
}

/** Says how things stand and offers what can be pressed; a turn that is over says nothing. */
export function showStep({ steps, attempt }: Place, text: string, presses: readonly Press[] = []): void {
  if (!isLatest(attempt)) return
  // The page may have been redrawn since: what became of money is said where it is read.
  draw(steps.isConnected ? steps : (document.getElementById('wallet-steps') ?? steps), text, presses)
}

/** Reads the code of an error (EIP-1193). */
export function codeOf(thrown: unknown): number | undefined {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? Number(thrown.code) : undefined
}

/** The region stays, so that a screen reader hears what comes into it. */
function draw(steps: HTMLElement, text: string, presses: readonly Press[] = []): void {
  const words = document.createElement('p')
  words.textContent = text
  const row = document.createElement('div')
  row.className = 'actions'
  row.append(...presses.map((press) => button(steps, press)))
  steps.replaceChildren(...(text === '' ? [] : [words]), ...(presses.length === 0 ? [] : [row]))
}

function button(steps: HTMLElement, { text, press, off, icon }: Press): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'button'
  made.textContent = text
  made.disabled = off === true
  if (icon === undefined) made.dataset['send'] = ''
  // A picture that lies elsewhere would tell its host who pays here.
  else if (icon.startsWith('data:image/')) made.prepend(pictureOf(icon))
  made.addEventListener('click', () => void run(steps, press))
  return made
}

function pictureOf(icon: string): HTMLImageElement {
  const picture = document.createElement('img')
  picture.src = icon
  picture.alt = ''
  picture.width = 24
  picture.height = 24
  return picture
}
