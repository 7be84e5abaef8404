import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentToasts, dismissToast } from '../feedback/toast.ts'
import { CopyButton } from './CopyButton.tsx'

beforeEach(() => currentToasts().forEach(({ id }) => dismissToast(id)))
afterEach(cleanup)

async function pressWith(writeText: (text: string) => Promise<void>) {
  render(<CopyButton label="payment link" value="https://pay.example/1" />)
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  await user.click(screen.getByRole('button', { name: 'Copy payment link' }))
}

describe('CopyButton', () => {
  it('copies the value and says so with a capital first letter', async () => {
    const copied: string[] = []
    await pressWith(async (text) => void copied.push(text))
    expect(copied).toEqual(['https://pay.example/1'])
    expect(currentToasts()).toMatchObject([{ tone: 'success', text: 'Payment link Copied!' }])
  })

  it('says that copying failed with the label as written', async () => {
    await pressWith(() => Promise.reject(new Error('denied')))
    expect(currentToasts()).toMatchObject([{ tone: 'error', text: 'Failed to copy payment link' }])
  })
})
