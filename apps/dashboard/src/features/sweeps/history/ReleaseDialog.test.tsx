import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { wireSweep } from '../../../testing/sweep-answers.ts'
import { currentToasts } from '../../../ui/feedback/toast.ts'
import { SignDrawer } from '../offline/SignDrawer.tsx'
import { AwaitedActions } from './AwaitedActions.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const batch = {
  ...{ id: 12, blockchainCode: 'BTC', blockchainType: 'BTC', numberOfUTXOs: 3, total: '0.15', fee: '0.0000025' },
  ...{ destination: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', status: 'pending', psbt: btoa('psbt\u00ff') },
  ...{
    createdAt: '2026-11-20T05:40:00.000Z',
    expiresAt: '2099-11-27T05:40:00.000Z',
    sweepTransactions: [],
    txHash: 'a'.repeat(64),
  },
}
const awaited = wireSweep({ sentBy: 'external-wallet', txHash: null }) as unknown as Sweep

it.each([
  {
    what: 'sweep',
    draw: () => <AwaitedActions sweep={awaited} />,
    call: 'POST /addresses/blockchain/ETH/currency/USDC/contract/sweep_approval/sweep-cancelled',
    again: 'Its addresses can be swept again.',
    done: 'Released. Its addresses are approved again.',
  },
  {
    what: 'batch',
    draw: () => <SignDrawer id={12} maySweep onClose={() => undefined} />,
    call: 'DELETE /sweep-transactions/12',
    again: 'Its coins can be part of another batch.',
    done: 'Released. Its coins are free for another batch.',
  },
])('asks in the same words before a $what is given up, and says why it was not', async (of) => {
  let answers = 0
  const calls = stubServer({
    'GET /sweep-transactions/12': () => batch,
    [of.call]: () =>
      (answers += 1) === 1 ? refusal(409, 'SWEEP_TX_RECORDED', 'It has a transaction.') : { sweep: wireSweep() },
  })
  renderScreen(of.draw(), '/sweepIn?tabId=History')
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }))
  const dialog = within(await screen.findByRole('dialog', { name: `Release this ${of.what}?` }))
  const text = `${of.again} If your wallet has sent it already, the chain still decides.`
  expect(dialog.getByText(text)).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Release' }))
  expect(await dialog.findByText('It has a transaction.')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Release' }))
  await vi.waitFor(() => expect(currentToasts().map((toast) => toast.text)).toEqual([of.done]))
  expect(calls.filter(({ method, path }) => `${method} ${path}` === of.call)).toHaveLength(2)
})
