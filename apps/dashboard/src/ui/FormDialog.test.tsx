import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SubmitEvent } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { FormDialog } from './FormDialog.tsx'
import { TextField } from './TextField.tsx'

afterEach(cleanup)

function show(change: { sending?: boolean; failure?: string } = {}) {
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  const onClose = vi.fn<() => void>()
  render(
    <FormDialog title="Change URL" save="Save URL" onSubmit={onSubmit} onClose={onClose} {...change}>
      <TextField label="URL" value="https://pay.example" onChange={() => undefined} />
    </FormDialog>,
  )
  return { onSubmit, onClose }
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('FormDialog', () => {
  it('is sent by its press and by Enter in a field, and left by the other', async () => {
    const { onSubmit, onClose } = show()
    await press('Save URL')
    await userEvent.type(screen.getByRole('textbox', { name: 'URL' }), '{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(2)
    await press('Cancel')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('stays while it is sent, and says above its fields why it was not saved', async () => {
    const { onSubmit, onClose } = show({ sending: true, failure: 'Somebody changed it meanwhile.' })
    for (const name of ['Save URL', 'Cancel', 'Close']) await press(name)
    expect([onSubmit.mock.calls, onClose.mock.calls]).toEqual([[], []])
    const failure = screen.getByText('Somebody changed it meanwhile.')
    const order = failure.compareDocumentPosition(screen.getByRole('textbox', { name: 'URL' }))
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  })
})
