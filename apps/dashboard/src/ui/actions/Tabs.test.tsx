import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { renderScreen } from '../../testing/render-screen.tsx'
import { Tabs } from './Tabs.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const TABS = [
  { id: 'first', label: 'First' },
  { id: 'last', label: 'Last' },
] as const

let place = new DOMRect(400, 0, 80, 40)

/** A row of 300 px that holds 500, in which the last tab stands from 400 to 480 at first. */
async function show(address: string) {
  place = new DOMRect(400, 0, 80, 40)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(300)
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(500)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    if (this.role === 'tablist') return new DOMRect(0, 0, 300, 40)
    return this.id === 'tab-last' ? place : new DOMRect(0, 0, 80, 40)
  })
  vi.stubGlobal('ResizeObserver', Observer)
  const scrollBy = vi.spyOn(HTMLElement.prototype, 'scrollBy').mockImplementation(() => {
    place = new DOMRect(180, 0, 80, 40)
  })
  renderScreen(
    <Tabs label="Parts" tabs={TABS}>
      {(tab) => tab}
    </Tabs>,
    address,
  )
  return { row: await screen.findByRole('tablist'), scrollBy }
}

class Observer {
  readonly #tell: () => void
  constructor(tell: () => void) {
    this.#tell = tell
  }
  observe() {
    this.#tell()
  }
  disconnect() {}
}

describe('Tabs', () => {
  it('brings the chosen tab into view, sideways alone', async () => {
    const { scrollBy } = await show('/?tabId=last')
    expect(scrollBy).toHaveBeenCalledExactlyOnceWith({ left: 220, behavior: 'instant' })
  })

  it('keeps it in view when something beside it becomes wider, until somebody scrolls it away', async () => {
    const { row, scrollBy } = await show('/?tabId=last')
    const widen = () => {
      place = new DOMRect(400, 0, 80, 40)
      row.append('12')
    }
    widen()
    await waitFor(() => expect(scrollBy).toHaveBeenCalledTimes(2))
    place = new DOMRect(-100, 0, 80, 40)
    fireEvent.scroll(row)
    widen()
    await Promise.resolve()
    expect(scrollBy).toHaveBeenCalledTimes(2)
  })

  it('stays where it is while the chosen tab is in view, and fades out where there is more', async () => {
    const { row, scrollBy } = await show('/')
    expect(scrollBy).not.toHaveBeenCalled()
    expect(row.className).toMatch(/mask-r-from/)
  })
})
