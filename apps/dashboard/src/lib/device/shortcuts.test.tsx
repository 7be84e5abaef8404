import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { useShortcuts } from './shortcuts.ts'

const act = vi.fn<() => void>()
const KEYS = { c: act, 'g p': act }

afterEach(() => {
  cleanup()
  act.mockClear()
})

function Page({ type }: { type: string }) {
  useShortcuts(KEYS)
  return (
    <>
      <input type={type} aria-label="it" />
      <textarea aria-label="note" />
      <select aria-label="choice" />
      <div contentEditable role="textbox" tabIndex={0} aria-label="letter" />
      <div popover="auto">
        <input type="checkbox" aria-label="in a panel" />
      </div>
    </>
  )
}

/** How often something happened once the keys were pressed on it. */
async function pressOn(label: string, type = 'text') {
  render(<Page type={type} />)
  screen.getByLabelText(label).focus()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
  await userEvent.keyboard('cgp')
  return act.mock.calls.length
}

it.each(['checkbox', 'radio', 'button', 'submit', 'reset', 'range', 'file', 'color'])(
  'keys act while the focus is on an input of type %s, which takes no letters',
  async (type) => expect(await pressOn('it', type)).toBe(2),
)

it.each(['text', 'search', 'email', 'password', 'number', 'tel', 'url', 'date', 'time', 'something-new'])(
  'keys do not act while an input of type %s has the focus',
  async (type) => expect(await pressOn('it', type)).toBe(0),
)

it.each(['note', 'choice', 'letter', 'in a panel'])('keys do not act in %s', async (label) =>
  expect(await pressOn(label)).toBe(0),
)

it('Space on a box ticks it, and nothing else', async () => {
  render(<Page type="checkbox" />)
  const box = screen.getByLabelText<HTMLInputElement>('it')
  box.focus()
  await userEvent.keyboard(' ')
  expect(box.checked).toBe(true)
  expect(act).not.toHaveBeenCalled()
})
