import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { WaitingBatches } from './WaitingBatches.tsx'

const END = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const PSBT = btoa('psbt\xffunsigned')
const SIGN = 'POST /sweep-transactions/12/signature'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const batch = {
  id: 12,
  blockchainCode: 'BTC',
  numberOfUTXOs: 3,
  total: '0.15',
  fee: '0.0000025',
  destination: END,
  status: 'pending',
  createdAt: '2026-11-20T05:40:00.000Z',
  expiresAt: '2099-11-27T05:40:00.000Z',
  txHash: 'a'.repeat(64),
}

it('hands a batch out with its end unshortened, and takes it back signed or says why not', async () => {
  let answers = 0
  const calls = stubServer({
    'GET /project/7/sweep-transactions': () => ({ sweepTransactionInfo: [batch], totalCount: 1 }),
    'GET /sweep-transactions/12': () => ({ ...batch, blockchainType: 'BTC', psbt: PSBT, sweepTransactions: [] }),
    [SIGN]: () =>
      (answers += 1) === 1
        ? refusal(409, 'SWEEP_TX_MISMATCH', 'This transaction does something else.', {
            details: 'It pays another address.',
          })
        : { sweep: {} },
  })
  renderScreen(<WaitingBatches projectId="7" maySweep />, '/sweepIn?tabId=Funds')
  expect(await screen.findByText('Sign 1 batch on your device')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Sign' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Sign this batch' }))
  expect(
    await drawer.findByText((_, element) => element?.tagName === 'BDI' && element.textContent === END),
  ).toBeDefined()
  expect(drawer.getByRole('img', { name: 'QR code for this batch' })).toBeDefined()
  await userEvent.upload(drawer.getByLabelText(/Upload the signed batch/), new File(['psbt\u00ff'], 'signed.psbt'))
  expect(await drawer.findByText('It pays another address.')).toBeDefined()
  await userEvent.type(drawer.getByLabelText('Or paste it'), 'cHNidP8BA')
  await userEvent.click(drawer.getByRole('button', { name: 'Send signed batch' }))
  expect(calls.filter(({ path }) => path === '/sweep-transactions/12/signature').at(-1)?.body).toEqual({
    psbt: 'cHNidP8BA',
  })
})
