import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { noteConnection } from '../../lib/loading/server-reachable.ts'
import { SeedPhraseStep } from './adding/SeedPhraseStep.tsx'
import { PasteKeyStep } from './adding/PasteKeyStep.tsx'
import '../../testing/patient.ts'

vi.mock('./account/derive-account.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})
vi.mock('./adding/new-seed-phrase.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

afterEach(() => {
  cleanup()
  noteConnection(true)
  vi.unstubAllGlobals()
})

const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'

/** The server itself, or a proxy in its place. */
const answer = (status: number) => vi.stubGlobal('fetch', async () => new Response(null, { status }))
const pressContinue = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
const nothing = () => undefined

describe('code that does not come', () => {
  it.each([
    ['a deployment took it away', 200, 'The key couldn’t be read. Reload the page and try again.'],
    ['nobody answers', 502, 'The key couldn’t be read. Check your connection and try again.'],
  ])('to read a key, where %s: says so, with the focus where the key is', async (_name, status, text) => {
    answer(status)
    render(
      <>
        <PasteKeyStep network="sandbox" family="ETH_Family" formId="step" onBusy={nothing} onAccount={nothing} />
        <button form="step">Continue</button>
      </>,
    )
    const field = screen.getByRole('textbox', { name: 'Extended public key' })
    await userEvent.click(field)
    await userEvent.paste(XPUB)
    await pressContinue()
    expect(await screen.findByText(text)).toBeDefined()
    expect(document.activeElement).toBe(field)
    expect(screen.getByDisplayValue(XPUB)).toBeDefined()
  })

  it.each([
    ['a deployment took it away', 200, 'The words couldn’t be made. Reload the page and try again.'],
    ['nobody answers', 502, 'The words couldn’t be made. Check your connection and try again.'],
  ])('to make words, where %s: says so', async (_name, status, text) => {
    answer(status)
    render(
      <>
        <SeedPhraseStep family="ETH_Family" formId="step" onBusy={nothing} onShown={nothing} onAccount={nothing} />
        <button form="step">Continue</button>
      </>,
    )
    await pressContinue()
    expect(await screen.findByText(text)).toBeDefined()
  })
})
