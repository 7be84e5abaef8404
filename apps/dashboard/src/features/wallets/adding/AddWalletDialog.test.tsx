import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { project, sandboxConfiguration } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { stubServer } from '../../../testing/stub-server.ts'
import { AddWalletDialog } from './AddWalletDialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const PAGE = '/manageWallet/deposit-wallet'
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const question = () => screen.queryByRole('dialog', { name: 'Discard what you filled in?' })
const key = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Extended public key' })

function open() {
  stubServer({
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
  })
  const onClose = vi.fn<() => void>()
  const history = renderScreen(<AddWalletDialog wallets={[]} onClose={onClose} />, PAGE)
  return { history, onClose }
}

async function paste() {
  await userEvent.click(await key())
  await userEvent.paste(XPUB)
}

describe('a wallet that is not added yet', () => {
  it('is not lost to Escape once its key is pasted, nor in a later step', async () => {
    const { onClose } = open()
    await paste()
    await userEvent.keyboard('{Escape}')
    expect(question()).not.toBeNull()
    await press('Keep editing')
    expect((await key()).value).toBe(XPUB)
    await press('Continue')
    await screen.findByRole('table', { name: 'First addresses' })
    await press('Close')
    expect(question()).not.toBeNull()
    expect(onClose).not.toHaveBeenCalled()
    await press('Discard')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('is asked about before its page is left, as are words that are shown once', async () => {
    const { history } = open()
    await userEvent.click(await screen.findByRole('radio', { name: /^Make a test wallet/ }))
    await press('Continue')
    await screen.findByRole('button', { name: 'Back' })
    history.push('/settings')
    await waitFor(() => expect(question()).not.toBeNull())
    expect(history.location.pathname).toBe(PAGE)
  })

  it('is left without a question while nothing was filled in', async () => {
    const { onClose } = open()
    await key()
    await userEvent.keyboard('{Escape}')
    expect(question()).toBeNull()
    expect(onClose).toHaveBeenCalledOnce()
  })
})
