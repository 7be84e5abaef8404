import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import type { SubmitEvent } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen.tsx'
import { Checkbox } from '../fields/Checkbox.tsx'
import { TextField } from '../fields/TextField.tsx'
import { FormDialog } from './FormDialog.tsx'

afterEach(cleanup)

function show(change: { sending?: boolean; failure?: string; offReason?: string } = {}) {
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => event.preventDefault())
  const onClose = vi.fn<() => void>()
  render(
    <FormDialog title="Change URL" save="Save URL" onSubmit={onSubmit} onClose={onClose} {...change}>
      <TextField label="URL" value="https://pay.example" onChange={() => undefined} />
    </FormDialog>,
  )
  return { onSubmit, onClose }
}

const nothing = () => undefined
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

/** A form as screens have it; its project is known a moment later. */
function Endpoint({ sending, isSafe, onClose }: { sending?: boolean; isSafe?: boolean; onClose: () => void }) {
  const [url, setUrl] = useState('')
  const [project, setProject] = useState('')
  const [isChosen, setChosen] = useState(true)
  useEffect(() => setProject('Acme'), [])
  return (
    <FormDialog
      title="Add an endpoint"
      save="Add"
      sending={sending ?? false}
      isSafe={isSafe ?? false}
      onSubmit={(event) => event.preventDefault()}
      onClose={onClose}
    >
      <TextField label="Project" value={project} onChange={setProject} />
      <TextField label="URL" value={url} onChange={setUrl} />
      <Checkbox label="payment.filled" checked={isChosen} onChange={setChosen} />
    </FormDialog>
  )
}

const PAGE = '/payments?open=1'

describe('a form dialog with something filled in', () => {
  const open = async (state: { sending?: boolean; isSafe?: boolean } = {}) => {
    const onClose = vi.fn<() => void>()
    const history = renderScreen(<Endpoint {...state} onClose={onClose} />, PAGE)
    await screen.findByRole('dialog', { name: 'Add an endpoint' })
    return { onClose, history }
  }
  const url = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'URL' })
  const question = () => screen.queryByRole('dialog', { name: 'Discard what you filled in?' })
  const backdrop = () => screen.getByRole('dialog', { name: 'Add an endpoint' })
  const ways = [
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['the cross', () => press('Close')],
    ['the backdrop', async () => void fireEvent.mouseDown(backdrop())],
    ['the way back of a phone', async () => void fireEvent(backdrop(), new Event('cancel', { cancelable: true }))],
  ] as const

  it.each(ways)('asks before %s loses it, and keeps it', async (_way, leave) => {
    const { onClose } = await open()
    await userEvent.type(url(), 'https://shop.example')
    await leave()
    expect(question()).not.toBeNull()
    await press('Keep editing')
    expect(question()).toBeNull()
    expect(url().value).toBe('https://shop.example')
    expect(onClose).not.toHaveBeenCalled()
    await leave()
    await press('Discard')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it.each(ways)('asks nothing for %s while nothing was filled in', async (_way, leave) => {
    const { onClose } = await open()
    await leave()
    expect(question()).toBeNull()
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('asks for a tick as for a text, and nothing when both are as they were', async () => {
    const { onClose } = await open()
    await userEvent.click(screen.getByRole('checkbox'))
    await press('Close')
    expect(question()).not.toBeNull()
    await press('Keep editing')
    await userEvent.click(screen.getByRole('checkbox'))
    await userEvent.type(url(), 'x{Backspace}')
    await press('Close')
    expect(question()).toBeNull()
    expect(onClose).toHaveBeenCalledOnce()
  })

  it.each(['/payments', '/payments?open=2', '/developers'])('asks before %s takes it away', async (elsewhere) => {
    const { onClose, history } = await open()
    await userEvent.type(url(), 'https://shop.example')
    history.push(elsewhere)
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Stay here')
    expect([history.location.href, url().value]).toEqual([PAGE, 'https://shop.example'])
    history.push(elsewhere)
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Leave')
    await waitFor(() => expect(history.location.href).toBe(elsewhere))
    expect(onClose).not.toHaveBeenCalled()
  })

  it('asks nothing of the kind once everything is as it was', async () => {
    const { history } = await open()
    await userEvent.type(url(), 'x{Backspace}')
    history.push('/developers')
    await waitFor(() => expect(history.location.href).toBe('/developers'))
    expect(question()).toBeNull()
  })

  it.each([{ sending: true }, { isSafe: true }])('asks nothing while nothing can be lost: %o', async (state) => {
    const { history } = await open(state)
    await userEvent.type(url(), 'x')
    history.push('/developers')
    await waitFor(() => expect(history.location.href).toBe('/developers'))
    expect(question()).toBeNull()
  })

  it.each(['/login?reason=lost', '/forgotPassword?reason=reset'])(
    'does not keep an operator whose session has ended from %s',
    async (wayOut) => {
      const { history } = await open()
      await userEvent.type(url(), 'x')
      history.replace(wayOut)
      await waitFor(() => expect(history.location.href).toBe(wayOut))
      expect(question()).toBeNull()
    },
  )

  it('is left at once by the press that says so', async () => {
    const { onClose } = await open()
    await userEvent.type(url(), 'x')
    await press('Cancel')
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('a form dialog that can no longer be sent', () => {
  it('asks before its other press loses what was typed: there is nothing left to cancel', async () => {
    const onClose = vi.fn<() => void>()
    const page = (
      <FormDialog
        title="Accept?"
        save="Accept"
        cancel="Leave it"
        offReason="It is paid."
        onSubmit={nothing}
        onClose={onClose}
      >
        <input aria-label="Note" />
      </FormDialog>
    )
    renderScreen(page, PAGE)
    await userEvent.type(await screen.findByRole('textbox', { name: 'Note' }), 'A fee')
    await press('Leave it')
    expect(onClose).not.toHaveBeenCalled()
    await press('Discard')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('sends nothing, by its press or by Enter, and says why', async () => {
    const { onSubmit } = show({ offReason: 'It is paid already.' })
    const save = screen.getByRole('button', { name: 'Save URL' })
    expect(save.title).toBe('It is paid already.')
    await userEvent.click(save)
    await userEvent.type(screen.getByRole('textbox', { name: 'URL' }), '{Enter}')
    expect(onSubmit).not.toHaveBeenCalled()
  })
})
