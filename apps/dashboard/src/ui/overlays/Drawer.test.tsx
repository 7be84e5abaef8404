import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Dialog } from './Dialog.tsx'
import { Drawer } from './Drawer.tsx'

beforeEach(() => vi.stubGlobal('innerWidth', 1440))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('Drawer', () => {
  it('closes with Escape, but not while a menu of its own takes it', () => {
    const onClose = vi.fn<() => void>()
    render(
      <Drawer title="Payment" onClose={onClose}>
        <div popover="auto">
          <button type="button">Copy link</button>
        </div>
      </Drawer>,
    )
    fireEvent.keyDown(screen.getByText('Copy link'), { key: 'Escape' })
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.keyDown(screen.getByText('Payment'), { key: 'Escape' })
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('closes with Escape from the list beside it, but for a field there', () => {
    const onClose = vi.fn<() => void>()
    render(
      <>
        <a href="#row">$49.00</a>
        <input aria-label="Search" />
        <Drawer title="Payment" onClose={onClose}>
          <p>Timeline</p>
        </Drawer>
      </>,
    )
    fireEvent.keyDown(screen.getByLabelText('Search'), { key: 'Escape' })
    expect(onClose).not.toHaveBeenCalled()
    fireEvent.keyDown(screen.getByText('$49.00'), { key: 'Escape' })
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('goes to the one before and after by the keys of the list, and by its own', () => {
    const onPrevious = vi.fn<() => void>()
    const onNext = vi.fn<() => void>()
    render(
      <Drawer title="Payment" onPrevious={onPrevious} onNext={onNext} onClose={vi.fn<() => void>()}>
        <input aria-label="Note" />
      </Drawer>,
    )
    for (const key of ['j', '.']) fireEvent.keyDown(screen.getByText('Payment'), { key })
    expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([2, 0])
    for (const key of ['k', ',']) fireEvent.keyDown(screen.getByText('Payment'), { key })
    expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([2, 2])
    fireEvent.keyDown(screen.getByLabelText('Note'), { key: 'j' })
    expect(onNext).toHaveBeenCalledTimes(2)
  })

  it('stays when a dialog or a file field inside is cancelled', () => {
    const onClose = vi.fn<() => void>()
    const onDialogClose = vi.fn<() => void>()
    render(
      <Drawer title="Payment" onClose={onClose}>
        <Dialog title="Accept as paid?" onClose={onDialogClose}>
          <input type="file" aria-label="Evidence" />
        </Dialog>
      </Drawer>,
    )
    const cancel = (bubbles: boolean) => new Event('cancel', { bubbles, cancelable: true })
    fireEvent(screen.getByLabelText('Evidence'), cancel(true))
    expect(onDialogClose).not.toHaveBeenCalled()
    fireEvent(screen.getByRole('dialog', { name: 'Accept as paid?' }), cancel(false))
    expect(onDialogClose).toHaveBeenCalledOnce()
    expect(onClose).not.toHaveBeenCalled()
  })
})
