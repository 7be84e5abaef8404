import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { Dialog } from './Dialog.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const nothing = () => undefined
const look = () => screen.getByRole('dialog').className.split(' ')

describe('a dialog on a phone', () => {
  it('is a sheet at the bottom edge, as high as what is in it', () => {
    render(
      <Dialog title="Cancel this link?" onClose={nothing}>
        The customer can’t pay it any more.
      </Dialog>,
    )
    expect(look()).toEqual(expect.arrayContaining(['mt-auto', 'mb-0', 'h-fit', 'sm:m-auto']))
  })

  it('fills the screen where what is in it grows and shrinks', () => {
    render(
      <Dialog title="Command palette" fills onClose={nothing}>
        <input aria-label="Search" />
      </Dialog>,
    )
    expect(look()).toEqual(expect.arrayContaining(['h-dvh', 'sm:h-fit']))
    expect(document.activeElement).toBe(screen.getByLabelText('Search'))
  })

  it('hangs from a fixed place with a title that is only heard, where its head must not move', () => {
    render(
      <Dialog title="Command palette" bare fills onClose={nothing}>
        <input aria-label="Search" />
      </Dialog>,
    )
    expect(look()).toEqual(expect.arrayContaining(['sm:mt-[12dvh]', 'sm:mb-auto']))
    expect(look()).not.toContain('sm:m-auto')
    expect(screen.getByRole('heading', { name: 'Command palette' }).className).toBe('sr-only')
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('Escape in a dialog', () => {
  const open = (locked: boolean) => {
    const onClose = vi.fn<() => void>()
    render(
      <Dialog title="Rename" locked={locked} onClose={onClose}>
        <input aria-label="Name" />
        <div popover="auto" tabIndex={-1}>
          A menu
        </div>
      </Dialog>,
    )
    return onClose
  }
  /** Whether the browser is left to do with the key what it does. */
  const isLeft = (element: Element) => fireEvent.keyDown(element, { key: 'Escape' })

  it('never reaches the browser, which closes a locked one at the second in a row', () => {
    const onClose = open(true)
    expect([isLeft(screen.getByLabelText('Name')), onClose.mock.calls.length]).toEqual([false, 0])
    cleanup()
    const onOther = open(false)
    expect([isLeft(screen.getByLabelText('Name')), onOther.mock.calls.length]).toEqual([false, 1])
  })

  it('is not meant for it while it ends the choice of a character, nor once something inside has used it', () => {
    const onClose = open(false)
    const field = screen.getByLabelText('Name')
    fireEvent.keyDown(field, { key: 'Escape', isComposing: true })
    field.addEventListener('keydown', (event) => event.preventDefault())
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(onClose).not.toHaveBeenCalled()
  })

  it.each([
    [true, 0],
    [false, 1],
  ])('that the browser itself closed it with leaves it open until its owner says so (locked: %s)', (locked, times) => {
    const onClose = open(locked)
    const dialog = screen.getByRole<HTMLDialogElement>('dialog')
    fireEvent(dialog, new Event('cancel', { cancelable: false }))
    dialog.close()
    fireEvent(dialog, new Event('close'))
    expect([dialog.open, onClose.mock.calls.length]).toEqual([true, times])
  })

  it('says nothing when it is closed with what it belongs to', () => {
    const onClose = open(false)
    const dialog = screen.getByRole<HTMLDialogElement>('dialog')
    cleanup()
    fireEvent(dialog, new Event('close'))
    expect(onClose).not.toHaveBeenCalled()
  })

  it('closes a menu in it first, and that alone', () => {
    const onClose = open(false)
    expect([isLeft(screen.getByText('A menu')), onClose.mock.calls.length]).toEqual([true, 0])
  })
})

describe('the text of a dialog', () => {
  const long = () => {
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(2000)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  }
  const scroller = () => screen.queryByRole('region', { name: 'Terms' })

  it('takes the focus where it is longer than its place and holds nothing that does', () => {
    long()
    render(
      <Dialog title="Terms" onClose={nothing}>
        <p>Nothing to press.</p>
      </Dialog>,
    )
    expect(scroller()?.tabIndex).toBe(0)
  })

  it('takes none where something in it does, or where all of it is seen', () => {
    render(
      <Dialog title="Terms" onClose={nothing}>
        <p>Short.</p>
      </Dialog>,
    )
    expect(scroller()).toBeNull()
    cleanup()
    long()
    render(
      <Dialog title="Terms" onClose={nothing}>
        <a href="/terms">All of them</a>
      </Dialog>,
    )
    expect(scroller()).toBeNull()
  })
})
